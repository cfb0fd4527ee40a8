// Which card stands where: tags become groups by what comes before their first “/”, as in TensorBoard. A tag without
// one belongs to the group of its own name, so "loss" and "loss/train" stand together. Groups come in the order in
// which their first tag comes, and so do the tags in them; tags of one kind arrive in natural order.
import { grouped } from '../base/grouped';
import { groupOf } from '../base/names';

/** All groups are open at first when there are at most so many of them … */
const FEW_GROUPS = 5;
/** … or at most so many cards in all. Otherwise the first two, as in TensorBoard. */
const FEW_CARDS = 60;
const FIRST_OPEN_GROUPS = 2;

export interface Named {
  readonly tag: string;
}

export interface TagGroup<T extends Named> {
  readonly name: string;
  readonly tags: readonly T[];
  readonly isOpenByDefault: boolean;
}

/** The tag as it was given: torch puts a word behind every tag of a text, and behind those of meshes which part it is. */
export function shownTag(tag: string): string {
  return tag.replace(/(.)(?:\/text_summary|_VERTEX)$/, '$1');
}

/** What is left to say of a tag below the heading of its group. */
export function titleBelowGroup(tag: string): string {
  const group = groupOf(tag);
  const shown = shownTag(tag);
  const rest = shown.slice(group.length + 1);
  return rest === '' ? shown : rest;
}

export function groupTags<T extends Named>(tags: readonly T[]): TagGroup<T>[] {
  const byName = grouped(tags, ({ tag }) => groupOf(shownTag(tag)));
  const areAllOpen = byName.size <= FEW_GROUPS || tags.length <= FEW_CARDS;
  return [...byName].map(([name, members], index) => ({
    name,
    tags: members,
    isOpenByDefault: areAllOpen || index < FIRST_OPEN_GROUPS,
  }));
}

/** `groups` is the view's memory: collapsed (true) or opened (false), only where it differs from the default. */
export function isGroupOpen(
  group: Pick<TagGroup<Named>, 'name' | 'isOpenByDefault'>,
  groups: Readonly<Record<string, boolean>>,
): boolean {
  const isCollapsed = Object.hasOwn(groups, group.name) ? groups[group.name] : undefined;
  return isCollapsed === undefined ? group.isOpenByDefault : !isCollapsed;
}

/** The view's memory after a group was opened or closed: what equals the default is not written down. */
export function withGroupOpen(
  group: Pick<TagGroup<Named>, 'name' | 'isOpenByDefault'>,
  isOpen: boolean,
  groups: Readonly<Record<string, boolean>>,
): Record<string, boolean> {
  const others = Object.entries(groups).filter(([name]) => name !== group.name);
  if (isOpen !== group.isOpenByDefault) others.push([group.name, !isOpen]);
  // fromEntries defines own properties, so a group called "__proto__" is a group like any other.
  return Object.fromEntries(others);
}
