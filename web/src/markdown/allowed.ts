// What of a logged text may become an element of the page, and what may be said of it. Everything else is shown as it was
// typed. TensorBoard's list, and what people write besides it.

export const ALLOWED_TAGS: ReadonlySet<string> = new Set(
  (
    'a b blockquote br code del details em h1 h2 h3 h4 h5 h6 hr i img ins kbd li mark ol p pre s strong sub summary sup ' +
    'table tbody td th thead tr u ul'
  ).split(' '),
);

/** Mere wrappers: the words stay, and nobody misses the tag. */
export const UNWRAPPED_TAGS: ReadonlySet<string> = new Set(
  'article big center div font section small span tfoot'.split(' '),
);

/** Read while elements are made anew; see rebuild.ts for what becomes of each. */
export const READ_ATTRIBUTES: readonly string[] = ['href', 'src', 'alt', 'title', 'start', 'align', 'class'];

const PICTURE = /^data:image\/(png|jpeg|gif|webp|bmp|avif);base64,[A-Za-z0-9+/=\s]*$/i;
const PAGE = /^https?:\/\/[^/]/i;
const MAIL = /^mailto:[^\s]+$/i;

/** Where a link may lead: pages elsewhere and letters. No scripts, no files, nothing of this server; null: nowhere. */
export function safeHref(address: string): string | null {
  const trimmed = address.trim();
  if (MAIL.test(trimmed)) return trimmed;
  if (!PAGE.test(trimmed)) return null;
  try {
    const url = new URL(trimmed);
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
  } catch {
    return null;
  }
}

/** A picture that is part of the text itself, of a kind that is nothing but a picture. */
export function isInlinePicture(address: string): boolean {
  return PICTURE.test(address);
}
