// What a card is, whatever it shows. A tag has a card of its own; others are put together by hand and lie in the view.
import type { Page } from '../../state/page.svelte';
import type { CardId, LineSpec, Tag } from '../../state/types';
import type { Kind } from '../kind';

export interface CardSpec {
  readonly id: CardId;
  readonly title: string;
  /** Plain text; '' for none. */
  readonly description: string;
  /** A kind's name. */
  readonly kind: string;
  /** null: it was put together by hand. */
  readonly tag: Tag | null;
  /** Of one that was put together: the cards of the tags that it shows. */
  readonly parts?: readonly CardId[];
  /** Its place is not for people to choose. */
  readonly isFixed?: boolean;
}

const CHART_PREFIX = 'chart:';

/** Of what the view has in `charts`. */
export function chartCardId(chartId: string): CardId {
  return CHART_PREFIX + chartId;
}

/** Of a tag or a card that is here because of it. */
export function kindOf(kinds: readonly Kind[], { kind }: { readonly kind: string }): Kind {
  const found = kinds.find(({ name }) => name === kind);
  if (found === undefined) throw new Error(`There are no cards of ${kind}`);
  return found;
}

const specs = new WeakMap<Tag, CardSpec>();

/** `<kind>:<tag>`, with more colons in front where a card that is named by its tag alone is called so. */
export function specOfTag(kinds: readonly Kind[], tags: Page['tags'], tag: Tag): CardSpec {
  const kind = kindOf(kinds, tag);
  if (kind.own !== undefined) return kind.own.specOf(tag);
  let id = `${tag.kind}:${tag.tag}`;
  while (kinds.some(({ own, name }) => own && tags.find(name, id))) id = `:${id}`;
  let spec = specs.get(tag);
  if (spec?.id !== id) {
    const title = kind.titleOf?.(tag.tag) ?? tag.tag;
    spec = { id, title, description: tag.description, kind: tag.kind, tag };
    specs.set(tag, spec);
  }
  return spec;
}

/** null: there is no such card. */
export function findSpec(
  kinds: readonly Kind[],
  { tags, view }: Pick<Page, 'tags' | 'view'>,
  id: CardId,
): CardSpec | null {
  for (const { own, name } of kinds) {
    const made = own?.madeIn(view).find((spec) => spec.id === id);
    const tag = own && tags.find(name, id);
    if (made !== undefined || tag) return made ?? own!.specOf(tag!);
  }
  const [, word, name = ''] = /^:*(\w+):([^]*)/.exec(id) ?? [];
  const kind = kinds.find((one) => one.name === word && one.own === undefined);
  const tag = kind && tags.find(kind.name, name);
  return tag ? specOfTag(kinds, tags, tag) : null;
}

/** A line of a chart as it is at first. */
export function lineOfTag(tag: string): LineSpec {
  return { tag, formula: '', label: '', axis: 'left', color: '', dash: 'auto', widthPx: 1, smoothing: null };
}
