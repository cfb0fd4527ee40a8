// What can be done on the Text dashboard by name or by key.
import { setSetting, settingOf } from '../../state/settings/setting';
import { IS_HISTORY, MODE, TEXT_MODES } from '../../kinds/text/text-settings';
import type { Command } from '../../state/commands.svelte';
import type { ViewState } from '../../state/types';

export function textCommands(view: ViewState, openSearch: () => void): Command[] {
  const command = (id: string, title: string, keys: readonly string[], run: () => void): Command => ({
    id: `text.${id}`,
    title,
    keys,
    group: 'Text',
    run,
  });
  return [
    command('search', 'Search in all texts', ['Shift+F'], openSearch),
    command('history', 'All steps of each run, or one at a time', ['h'], () =>
      setSetting(view, IS_HISTORY, !settingOf(view, IS_HISTORY)),
    ),
    ...TEXT_MODES.map(({ value, label }) => {
      const name = label === 'Markdown' ? label : label.toLowerCase();
      return command(`mode.${value}`, `Show texts as ${name}`, [], () => setSetting(view, MODE, value));
    }),
    command('mode.next', 'Markdown or plain', ['m'], () => {
      const at = TEXT_MODES.findIndex(({ value }) => value === settingOf(view, MODE));
      setSetting(view, MODE, TEXT_MODES[(at + 1) % TEXT_MODES.length]!.value);
    }),
  ];
}
