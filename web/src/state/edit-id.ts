// Ids of edits and annotations: unique without asking anyone, so that an edit that is sent twice counts once.

/** crypto.randomUUID only exists where the page is secure: not over http from another machine. */
export function newEditId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
