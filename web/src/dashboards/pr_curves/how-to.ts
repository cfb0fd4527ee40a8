import type { HowTo } from '../how-to';

export const HOW_TO: HowTo = {
  title: 'Log precision and recall',
  text: 'Labels are 0 or 1, predictions lie between 0 and 1.',
  lines: ['writer.add_pr_curve("val/defects", labels, predictions, step)'],
};
