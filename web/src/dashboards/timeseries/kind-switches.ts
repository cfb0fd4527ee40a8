// The switches between kinds of cards, over one word of the view: the kinds that are on, with commas. No word: all of them.
import { setSetting, settingOf, type WithKindWords } from '../../state/settings/setting';
import { KINDS_SHOWN, switchOf } from './time-series';

const SWITCHES = [
  { name: 'scalar', label: 'Scalars' },
  { name: 'image', label: 'Images' },
  { name: 'audio', label: 'Audio' },
  { name: 'text', label: 'Text' },
  { name: 'table', label: 'Tables' },
] as const;

export interface KindSwitch {
  readonly name: string;
  readonly label: string;
  readonly isOn: boolean;
}

/** Of the kinds that are in the log; `isAll`: nothing is switched off. */
export function kindSwitches(
  view: WithKindWords,
  kindsInLog: Iterable<string>,
): { readonly isAll: boolean; readonly switches: readonly KindSwitch[] } {
  const there = new Set([...kindsInLog].map(switchOf));
  const chosen = settingOf(view, KINDS_SHOWN).split(',');
  const known = SWITCHES.filter(({ name }) => chosen.includes(name));
  return {
    isAll: known.length === 0,
    switches: SWITCHES.filter(({ name }) => there.has(name)).map(({ name, label }) => ({
      name,
      label,
      isOn: chosen.includes(name),
    })),
  };
}

/** Of all of them the first press means this one alone; without any that is on, all are. */
export function withSwitched(view: WithKindWords, kindsInLog: Iterable<string>, name: string): void {
  const { switches } = kindSwitches(view, kindsInLog);
  const on = switches.filter((one) => one.isOn !== (one.name === name)).map((one) => one.name);
  setSetting(view, KINDS_SHOWN, on.length === switches.length ? '' : on.join(','));
}

export function withAllOn(view: WithKindWords): void {
  setSetting(view, KINDS_SHOWN, '');
}
