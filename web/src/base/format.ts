// Numbers as text. Three needs that must not be mixed up: every digit (copying, tables of exact values), a few digits
// (tooltips, last values), and short words for counts of steps ("12k"). Words for what is not finite are the same
// everywhere: NaN, Infinity, -Infinity – as people type them and as they find them in their logs.

const SI_UNITS: readonly { readonly factor: number; readonly suffix: string }[] = [
  { factor: 1e12, suffix: 'T' },
  { factor: 1e9, suffix: 'G' },
  { factor: 1e6, suffix: 'M' },
  { factor: 1e3, suffix: 'k' },
];

/** Made once: making one costs more than all else here together. */
const GROUPED = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** The shortest text from which exactly this number can be read again. */
export function formatExact(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

/** A value to so many significant digits, plain where people read plain numbers easily, else with an exponent. */
export function formatValue(value: number, significantDigits = 4): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return '0';
  const rounded = Number(value.toPrecision(significantDigits));
  const magnitude = Math.abs(rounded);
  if (magnitude >= 1e-4 && magnitude < 1e6) {
    // Digits before the point are never rounded away: 123456.7 stays 123457, not 123500.
    const decimals = Math.max(0, significantDigits - 1 - Math.floor(Math.log10(magnitude)));
    return trimZeros(value.toFixed(Math.min(decimals, 100)));
  }
  return tidyExponent(value.toExponential(Math.max(0, significantDigits - 1)));
}

/** A count of steps in a few characters: 950, 12k, 1.25M. */
export function formatCompact(value: number, significantDigits = 3): string {
  if (!Number.isFinite(value)) return String(value);
  const magnitude = Math.abs(value);
  if (magnitude < 1000) return formatValue(value, Math.max(significantDigits, 3));
  if (magnitude >= 1e15) return tidyExponent(value.toExponential(significantDigits - 1));
  for (const [index, unit] of SI_UNITS.entries()) {
    if (magnitude < unit.factor) continue;
    const rounded = Number((value / unit.factor).toPrecision(significantDigits));
    // 999,999 rounds to 1000k, which is written 1M.
    const above = SI_UNITS[index - 1];
    if (Math.abs(rounded) >= 1000 && above) return `${rounded / 1000}${above.suffix}`;
    return `${rounded}${unit.suffix}`;
  }
  return formatExact(value);
}

/** A whole number with every digit, grouped so that it can be read: 1,234,567. */
export function formatInteger(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const digits = GROUPED.format(Math.abs(Math.trunc(value)));
  return value <= -1 ? `-${digits}` : digits;
}

/** Removes zeros that say nothing at the end of a plain decimal number. */
export function trimZeros(text: string): string {
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

/** 1.500e+7 → 1.5e7. */
export function tidyExponent(text: string): string {
  const [mantissa = '', exponent = '0'] = text.split('e');
  return `${trimZeros(mantissa)}e${exponent.replace('+', '')}`;
}

/** "1 file", "1,200 files". */
export function countOf(count: number, what: string): string {
  return `${formatInteger(count)} ${what}${count === 1 ? '' : 's'}`;
}

/** What an error says to people. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
