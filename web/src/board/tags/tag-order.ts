// Tags of several kinds on one page: groups by name, in a group one kind after the other, in a kind by name.
import { groupOf } from '../../base/names';
import { compareNatural } from '../../base/natural-order';

/** `tagsByKind`: each kind's in natural order. */
export function inOrderOfKinds<T extends { readonly tag: string }>(
  tagsByKind: readonly (readonly T[])[],
): readonly T[] {
  const filled = tagsByKind.filter((tags) => tags.length > 0);
  if (filled.length < 2) return filled[0] ?? [];
  // Sorting is stable: what is equal stays in the order of the kinds, and of the names in them.
  return filled.flat().sort((a, b) => compareNatural(groupOf(a.tag), groupOf(b.tag)));
}
