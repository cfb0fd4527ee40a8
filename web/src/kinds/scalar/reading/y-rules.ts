// Limits of y for all cards whose tag matches a pattern. The first rule that matches counts; a card's own typed limits come
// before all of them. Patterns are globs, matched without regular expressions: whatever people type takes linear time.
import type { Range } from '../../../chart/types';
import type { YRule } from '../../../state/types';
import type { ChartCard } from '../card-spec';

/** `*` takes any characters, also none; everything else is itself. */
export function matchesGlob(pattern: string, name: string): boolean {
  const parts = pattern.split('*');
  const first = parts[0]!;
  if (parts.length === 1) return name === first;
  const last = parts.at(-1)!;
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) {
    return false;
  }
  const end = name.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found === -1 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** What the rules look at: tags and formulas of the lines on this axis. */
export function namesOn({ lines }: Pick<ChartCard, 'lines'>, axis: 'left' | 'right'): string[] {
  return lines.filter((line) => line.axis === axis).map(({ tag, formula }) => formula || tag);
}

/** The first rule that matches one of them. */
export function ruleFor(rules: readonly YRule[], names: readonly string[]): YRule | null {
  return rules.find(({ pattern }) => names.some((name) => matchesGlob(pattern, name))) ?? null;
}

/** How many cards get their limits from each rule, in the order of the rules. */
export function countMatches(rules: readonly YRule[], specs: readonly Pick<ChartCard, 'lines'>[]): number[] {
  const counts = rules.map(() => 0);
  for (const spec of specs) {
    const ofCard = new Set((['left', 'right'] as const).map((axis) => ruleFor(rules, namesOn(spec, axis))));
    rules.forEach((rule, index) => {
      if (ofCard.has(rule)) counts[index]! += 1;
    });
  }
  return counts;
}

export function union(ranges: readonly Range[]): Range | null {
  if (ranges.length === 0) return null;
  return [Math.min(...ranges.map(([low]) => low)), Math.max(...ranges.map(([, high]) => high))];
}
