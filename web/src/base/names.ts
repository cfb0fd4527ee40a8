// Makes the names of runs short enough to read: what all of them share at the beginning and at the end says nothing.
// Among `2026-02-10_012/logs/tensorboard` and `2026-02-11_003/logs/tensorboard` the first is `2026-02-10_012`.
// Only whole directories are folded, never parts of one: `model_a` and `model_b` stay as they are. Since exactly the same
// text is cut from every name, two different names never become the same.

/** How many directories at both ends are the same in all names. */
export interface SharedEnds {
  readonly head: number;
  readonly tail: number;
}

/** At least one directory of each name is left. Nothing is shared by fewer than two names. */
export function sharedEnds(names: readonly string[]): SharedEnds {
  const first = names[0]?.split('/');
  if (first === undefined || names.length < 2) return { head: 0, tail: 0 };
  let head = first.length - 1;
  let tail = first.length - 1;
  let shortest = first.length;
  for (const name of names) {
    const parts = name.split('/');
    shortest = Math.min(shortest, parts.length);
    let same = 0;
    while (same < head && same < parts.length && parts[same] === first[same]) same++;
    head = same;
    same = 0;
    while (
      same < tail &&
      same < parts.length &&
      parts[parts.length - 1 - same] === first[first.length - 1 - same]
    ) {
      same++;
    }
    tail = same;
    if (head === 0 && tail === 0) break;
  }
  head = Math.min(head, shortest - 1);
  tail = Math.min(tail, shortest - 1 - head);
  return { head, tail };
}

export function shortenName(name: string, ends: SharedEnds): string {
  if (ends.head === 0 && ends.tail === 0) return name;
  const parts = name.split('/');
  return parts.slice(ends.head, parts.length - ends.tail).join('/');
}

/** What stands before the first slash: the group of a tag. A tag without one, or with nothing before it, is its own. */
export function groupOf(tag: string): string {
  const slash = tag.indexOf('/');
  return slash <= 0 ? tag : tag.slice(0, slash);
}
