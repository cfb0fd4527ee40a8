// Numbers of one column, to a few significant digits and equally many of them: 0.462 beside 0.46125 reads as 0.46200, while
// a column of 0.001 stays as short as it is.
import { formatValue } from '../../base/format';

export function alignedNumbers(values: readonly (number | null)[], mostDigits: number): string[] {
  const texts = values.map((value) => (value === null ? '' : formatValue(value, mostDigits)));
  const digits = Math.min(mostDigits, Math.max(0, ...texts.map(significantDigits)));
  return texts.map((text) => padded(text, digits));
}

/** Of a decimal number as text: digits from the first that is not zero on. */
function significantDigits(text: string): number {
  const match = /^-?([\d.]+)(?:e|$)/.exec(text);
  return match === null ? 0 : digitsOf(match[1]!).length;
}

function digitsOf(mantissa: string): string {
  return mantissa.replace('.', '').replace(/^0+/, '');
}

function padded(text: string, digits: number): string {
  const match = /^(-?)([\d.]+)(e.*)?$/.exec(text);
  if (match === null) return text;
  const [, sign = '', mantissa = '', exponent = ''] = match;
  const present = digitsOf(mantissa).length;
  // Zero has no digits of its own; it stays short.
  if (present === 0 || present >= digits) return text;
  const point = mantissa.includes('.') ? '' : '.';
  return `${sign}${mantissa}${point}${'0'.repeat(digits - present)}${exponent}`;
}
