import type { HowTo } from '../how-to';

export const HOW_TO: HowTo = {
  title: 'Log text',
  text: 'Markdown: samples of a language model, settings, notes.',
  lines: ['writer.add_text("samples/first", "The **quick** brown fox", step)'],
};
