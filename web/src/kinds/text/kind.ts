// Texts, shown as Markdown.
import type { Kind } from '../../board/kind';
import { shownTag } from '../../state/group-tags';

export const TEXT: Kind = {
  name: 'text',
  order: 40,
  words: { one: 'text', many: 'texts' },
  dashboard: { name: 'text', label: 'Text' },
  loadContent: () => import('./TextCard.svelte'),
  titleOf: shownTag,
  loadSettings: () => Promise.all([import('./compare-words'), import('./text-settings')]),
  loadHost: async () => (await import('./open-comparison')).hostTexts,
};
