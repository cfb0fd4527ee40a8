// Text that spreadsheets read: the same rules as the server's files (dashboards/tables/export.py).

const FORMULA_START = /^[=+\-@\t\r\n]/;
const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** One cell. What a spreadsheet would take for a formula gets an apostrophe in front. */
export function csvCell(text: string, separator = ','): string {
  const safe = FORMULA_START.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /["\r\n]/.test(safe) || safe.includes(separator) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
