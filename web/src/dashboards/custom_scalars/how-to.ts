import type { HowTo } from '../how-to';

export const HOW_TO: HowTo = {
  title: 'Lay out charts',
  text: 'Charts that show several tags together, or a value with its bounds.',
  lines: [
    'writer.add_custom_scalars({',
    '    "losses": {',
    '        "train and validation": ["Multiline", ["train/loss", "val/loss"]],',
    '        "with its bounds": ["Margin", ["loss/mean", "loss/low", "loss/high"]],',
    '    },',
    '})',
  ],
};
