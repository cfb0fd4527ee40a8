import type { HowTo } from '../how-to';

export const HOW_TO: HowTo = {
  title: 'Log tensors',
  text: 'Arrays of any shape, kept as they are.',
  lines: ['writer.add_tensor("weights/first", array, step)'],
};
