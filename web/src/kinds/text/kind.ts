// Texts, shown as Markdown.
import type { Kind } from '../../board/kind';
import { shownTag } from '../../state/group-tags';
import { lookedAtIn } from '../../state/settings/setting';
import * as compareWords from './compare-words';
import * as textSettings from './text-settings';

export const TEXT: Kind = {
  name: 'text',
  order: 40,
  words: { one: 'text', many: 'texts' },
  dashboard: { name: 'text', label: 'Text' },
  howTo: {
    title: 'Log text',
    text: 'Markdown: samples of a language model, settings, notes.',
    lines: ['writer.add_text("samples/first", "The **quick** brown fox", step)'],
  },
  loadContent: () => import('./TextCard.svelte'),
  titleOf: shownTag,
  lookedAt: [...lookedAtIn(compareWords), ...lookedAtIn(textSettings)],
  loadHost: async () => (await import('./open-comparison')).hostTexts,
};
