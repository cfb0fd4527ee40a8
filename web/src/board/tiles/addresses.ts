// Where the server has one value of a series: paths below api/v1/.
import type { TagSeries } from '../../state/feeds/tag-series.svelte';

/** One value; see wire/value_schemas.py for what index and step are for. */
export interface ItemAddress {
  readonly run: number;
  readonly tag: string;
  readonly index: number;
  readonly step: number;
}

export function addressIn({ run, tag, steps }: TagSeries, index: number): ItemAddress {
  return { run, tag, index, step: steps[index]! };
}

/** `images/thumbnail` and the like, with the address and more as parameters. */
export function itemPath(
  route: string,
  { run, tag, index, step }: ItemAddress,
  more: Readonly<Record<string, string | number | boolean>> = {},
): string {
  const values = { run, tag, index, step, ...more };
  const pairs = Object.entries(values).map(([name, value]) => [name, wholeText(value)]);
  return `${route}?${new URLSearchParams(pairs)}`;
}

/** Large steps without an exponent: the server reads whole numbers. */
function wholeText(value: string | number | boolean): string {
  return typeof value === 'number' && Number.isInteger(value) ? BigInt(value).toString() : String(value);
}
