import type { HowTo } from '../how-to';

export const HOW_TO: HowTo = {
  title: 'Log histograms',
  text: 'All values of an array, counted in buckets, once per step.',
  lines: ['writer.add_histogram("weights/first", model.first.weight, step)'],
};
