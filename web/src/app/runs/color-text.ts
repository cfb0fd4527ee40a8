// Colours as people type them.

/** "#1F77B4", "1f77b4", "#abc" → "#1f77b4"; null: not a colour. */
export function parseColor(text: string): string | null {
  const digits = /^\s*#?([0-9a-f]{6}|[0-9a-f]{3})\s*$/i.exec(text)?.[1]?.toLowerCase();
  if (digits === undefined) return null;
  return `#${digits.length === 6 ? digits : digits.replaceAll(/./g, '$&$&')}`;
}
