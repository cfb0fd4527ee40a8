import type { HowTo } from '../how-to';

export const HOW_TO: HowTo = {
  title: 'Log hyper-parameters',
  text: 'What a run was started with, and the metrics to compare runs by.',
  lines: ['writer.add_hparams({"lr": 0.01, "layers": 4}, {"val/accuracy": 0.93})'],
};
