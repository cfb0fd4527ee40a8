import type { HowTo } from '../how-to';

export const HOW_TO: HowTo = {
  title: 'Log numbers',
  text: 'One chart per tag, one line per run. The part of a tag before the first “/” becomes its group.',
  lines: [
    'for step in range(1000):',
    '    loss = 1 / (1 + step)',
    '    writer.add_scalar("train/loss", loss, step)',
    'writer.close()',
  ],
};
