// What the frame of a figure says, and what of it is believed.

export interface FrameMessage {
  readonly kind?: unknown;
  /** Of the figure, as it was given. */
  readonly number?: unknown;
  readonly message?: unknown;
  readonly format?: unknown;
  readonly url?: unknown;
}

const PNG = 'data:image/png;base64,';
const SVG = 'data:image/svg+xml,';

/** A picture that is saved as a file, of one of two types whatever is in it; null: there is none. */
export function pictureFrom({ url }: FrameMessage): Blob | null {
  if (typeof url !== 'string') return null;
  try {
    if (url.startsWith(PNG)) {
      const bytes = Uint8Array.from(atob(url.slice(PNG.length)), (letter) => letter.charCodeAt(0));
      return new Blob([bytes], { type: 'image/png' });
    }
    if (url.startsWith(SVG)) {
      return new Blob([decodeURIComponent(url.slice(SVG.length))], { type: 'image/svg+xml' });
    }
  } catch {
    // no base64, or no escapes
  }
  return null;
}
