// What stands on the page beside scalars: the Time Series dashboard has cards of every kind that can be looked at or listened
// to; the Scalars dashboard has none of them. How they are shown is fetched when there are any (media-cards).
import { shownTag } from '../../state/group-tags';
import type { Page } from '../../state/page.svelte';
import { lookedAt, settingOf, textSetting } from '../../state/settings/setting';
import type { CardId, Tag, ViewState } from '../../state/types';
import type { CardSpec } from '../../kinds/scalar/card-spec';

const SCALAR = ['scalar'];
/** In the order in which they stand below a heading. */
const KINDS = [...SCALAR, 'image', 'audio', 'text', 'table', 'confusion_matrix', 'plotly', 'html'];

/** What a kind is switched on and off by: tables and figures go together. */
export function switchOf(kind: string): string {
  return KINDS.indexOf(kind) > 3 ? 'table' : kind;
}

/** The kinds that are switched on, with commas. */
export const KINDS_SHOWN = lookedAt(textSetting('kinds'));

/** A text that names no kind means all of them. */
export function kindsIn(view: Pick<ViewState, 'dashboard' | 'kindWords'>): readonly string[] {
  if (view.dashboard === 'scalars') return SCALAR;
  const shown = settingOf(view, KINDS_SHOWN).split(',');
  const chosen = KINDS.filter((kind) => shown.includes(switchOf(kind)));
  return chosen.length > 0 ? chosen : KINDS;
}

export function hasMedia(page: Pick<Page, 'tags' | 'view'>): boolean {
  return (
    page.view.dashboard !== 'scalars' &&
    page.tags.all.some(({ kind }) => kind !== 'scalar' && KINDS.includes(kind))
  );
}

const specs = new WeakMap<Tag, CardSpec>();

/** The card of a tag that is no scalar: `image:<tag>` and the like, with more colons in front where a scalar is called so. */
export function specOfMedia(page: Pick<Page, 'tags'>, media: Tag): CardSpec {
  const { kind, tag, description } = media;
  let id = `${kind}:${tag}`;
  while (page.tags.find('scalar', id)) id = `:${id}`;
  let spec = specs.get(media);
  if (spec?.id !== id) {
    const title = kind === 'text' ? shownTag(tag) : tag;
    spec = { id, title, description, lines: [], baseline: null, x: null, isHandMade: false, media };
    specs.set(media, spec);
  }
  return spec;
}

/** null: there is no such card. */
export function mediaSpecOf(page: Pick<Page, 'tags' | 'view'>, id: CardId): CardSpec | null {
  const [, kind = '', tag = ''] = /^:*(\w+):([^]*)/.exec(id) ?? [];
  const media =
    page.view.dashboard !== 'scalars' &&
    kind !== 'scalar' &&
    KINDS.includes(kind) &&
    page.tags.find(kind, tag);
  return media ? specOfMedia(page, media) : null;
}
