// Reading colours, judging contrast, changing opacity. Understands what our themes and palettes are written in (#rgb,
// #rrggbb, #rrggbbaa, rgb(), rgba()); other CSS colours give null and are used as they are by whoever draws.

export interface Rgba {
  /** 0–255 */
  readonly r: number;
  readonly g: number;
  readonly b: number;
  /** 0–1 */
  readonly a: number;
}

/** null: not a colour in a notation that is read here. */
export function parseColor(text: string): Rgba | null {
  const color = text.trim().toLowerCase();
  const hex = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.exec(color)?.[1];
  if (hex) return rgbaFromHex(hex);
  const parts = /^rgba?\(([^()]+)\)$/
    .exec(color)?.[1]
    ?.split(/[\s,/]+/)
    .filter(Boolean);
  if (!parts || parts.length < 3 || parts.length > 4) return null;
  const [r, g, b] = parts.slice(0, 3).map((part) => numberFromPart(part, 255));
  const a = parts[3] === undefined ? 1 : numberFromPart(parts[3], 1);
  if (![r, g, b, a].every(Number.isFinite)) return null;
  return { r: r!, g: g!, b: b!, a };
}

/** The colour with this opacity (0–1) instead of its own; unread notations come back unchanged. */
export function withAlpha(color: string, alpha: number): string {
  const rgba = parseColor(color);
  return rgba ? textFromRgba({ ...rgba, a: alpha }) : color;
}

export function textFromRgba({ r, g, b, a }: Rgba): string {
  return `rgba(${Math.round(r)}, ${Math.round(g)}, ${Math.round(b)}, ${Number(a.toFixed(3))})`;
}

/** Between two colours: 0 gives the first, 1 the second. */
export function mixColors(from: Rgba, to: Rgba, fraction: number): Rgba {
  const mix = (a: number, b: number): number => a + (b - a) * fraction;
  return { r: mix(from.r, to.r), g: mix(from.g, to.g), b: mix(from.b, to.b), a: mix(from.a, to.a) };
}

/** WCAG relative luminance, 0 (black) to 1 (white); opacity is ignored. */
export function luminance({ r, g, b }: Rgba): number {
  return 0.2126 * linearChannel(r) + 0.7152 * linearChannel(g) + 0.0722 * linearChannel(b);
}

/** WCAG contrast ratio, 1 to 21; graphics need 3, small text 4.5. */
export function contrast(a: Rgba, b: Rgba): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function rgbaFromHex(hex: string): Rgba {
  const digits = hex.length <= 4 ? hex.replace(/./g, '$&$&') : hex;
  const byte = (at: number): number => Number.parseInt(digits.slice(at, at + 2), 16);
  return { r: byte(0), g: byte(2), b: byte(4), a: digits.length === 8 ? byte(6) / 255 : 1 };
}

/** `full`: what 100 % stands for. */
function numberFromPart(part: string, full: number): number {
  const value = part.endsWith('%') ? (Number(part.slice(0, -1)) / 100) * full : Number(part);
  return Math.min(full, Math.max(0, value));
}

function linearChannel(byte: number): number {
  const c = byte / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}
