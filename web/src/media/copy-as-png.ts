// A picture into the clipboard, as other programs paste it.

/** Rejects with the reason when the browser does not let us, or the picture does not come. */
export async function copyAsPng(picture: () => Promise<Blob>): Promise<void> {
  // Only pages on https or localhost have it.
  if (!('ClipboardItem' in window)) throw new Error('this browser does not let the page copy pictures');
  const png = await asPng(await picture());
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
}

/** The one type that every clipboard takes. */
async function asPng(blob: Blob): Promise<Blob> {
  if (blob.type === 'image/png') return blob;
  const bitmap = await createImageBitmap(blob);
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('bitmaprenderer')!.transferFromImageBitmap(bitmap);
  return canvas.convertToBlob({ type: 'image/png' });
}
