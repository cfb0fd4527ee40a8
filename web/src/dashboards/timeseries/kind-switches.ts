// The switches between kinds of cards, over one word of the view: the names of those that are on, with commas. No word: all of them.
// Kinds of one dashboard have one switch, which is called like the first of them.
import { setSetting, settingOf, type WithKindWords } from '../../state/settings/setting';
import type { Kind } from '../../board/kind';
import { SHOWN_KINDS } from '../../board/shown-kinds';

export interface KindSwitch {
  readonly name: string;
  readonly label: string;
  readonly isOn: boolean;
}

const switchOf = (kinds: readonly Kind[], { dashboard }: Kind): string =>
  kinds.find((kind) => kind.dashboard.name === dashboard.name)!.name;

/** Those that are shown. A word that names none of them means all. */
export function kindsOn(view: WithKindWords, kinds: readonly Kind[]): readonly Kind[] {
  const chosen = settingOf(view, SHOWN_KINDS).split(',');
  const on = kinds.filter((kind) => chosen.includes(switchOf(kinds, kind)));
  return on.length > 0 ? on : kinds;
}

/** `isAll`: nothing is switched off. */
export function kindSwitches(
  view: WithKindWords,
  kinds: readonly Kind[],
  kindsInLog: readonly Kind[],
): { readonly isAll: boolean; readonly switches: readonly KindSwitch[] } {
  const on = kindsOn(view, kinds);
  const isAll = on.length === kinds.length;
  const byName = new Map(
    kindsInLog.map((kind) => {
      const name = switchOf(kinds, kind);
      return [name, { name, label: kind.dashboard.label, isOn: !isAll && on.includes(kind) }];
    }),
  );
  return { isAll, switches: [...byName.values()] };
}

/** Of all of them the first press means this one alone; without any that is on, all are. */
export function toggleSwitch(view: WithKindWords, switches: readonly KindSwitch[], name: string): void {
  const on = switches.filter((one) => one.isOn !== (one.name === name)).map((one) => one.name);
  setSetting(view, SHOWN_KINDS, on.length === switches.length ? '' : on.join(','));
}

export function switchAllOn(view: WithKindWords): void {
  setSetting(view, SHOWN_KINDS, '');
}
