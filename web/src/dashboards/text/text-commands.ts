// What can be done on the Text dashboard by name or by key.
import { setSetting, settingOf } from '../../state/settings/setting';
import { IS_HISTORY, MODE, TEXT_MODES } from '../../kinds/text/text-settings';
import type { Page } from '../../state/page.svelte';

const GROUP = 'Text';

/** Until the returned function is called. */
export function registerTextCommands(page: Page, openSearch: () => void): () => void {
  const { view, commands } = page;
  const endings = [
    commands.register({
      id: 'text.search',
      title: 'Search in all texts',
      keys: ['Shift+F'],
      group: GROUP,
      run: openSearch,
    }),
    commands.register({
      id: 'text.history',
      title: 'All steps of each run, or one at a time',
      keys: ['h'],
      group: GROUP,
      run: () => setSetting(view, IS_HISTORY, !settingOf(view, IS_HISTORY)),
    }),
    ...TEXT_MODES.map(({ value, label }) =>
      commands.register({
        id: `text.mode.${value}`,
        title: `Show texts as ${label === 'Markdown' ? label : label.toLowerCase()}`,
        group: GROUP,
        run: () => setSetting(view, MODE, value),
      }),
    ),
    commands.register({
      id: 'text.mode.next',
      title: 'Markdown, plain or raw',
      keys: ['m'],
      group: GROUP,
      run: () => {
        const at = TEXT_MODES.findIndex(({ value }) => value === settingOf(view, MODE));
        setSetting(view, MODE, TEXT_MODES[(at + 1) % TEXT_MODES.length]!.value);
      },
    }),
  ];
  return () => {
    for (const end of endings) end();
  };
}
