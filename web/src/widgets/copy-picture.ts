// A picture into the clipboard, as PNG: the one type that every clipboard takes.

/** Rejects with the reason when the browser does not let us. A bitmap stays as it is. */
export async function copyPicture(picture: Blob | ImageBitmap): Promise<void> {
  // Only pages on https or localhost have it.
  if (!('ClipboardItem' in window)) throw new Error('this browser does not let the page copy pictures');
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': await asPng(picture) })]);
}

async function asPng(picture: Blob | ImageBitmap): Promise<Blob> {
  if (!(picture instanceof Blob)) return drawnAsPng(picture);
  if (picture.type === 'image/png') return picture;
  const bitmap = await createImageBitmap(picture);
  try {
    return await drawnAsPng(bitmap);
  } finally {
    bitmap.close();
  }
}

function drawnAsPng(bitmap: ImageBitmap): Promise<Blob> {
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0);
  return canvas.convertToBlob({ type: 'image/png' });
}
