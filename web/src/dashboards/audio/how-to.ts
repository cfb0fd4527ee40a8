import type { HowTo } from '../how-to';

export const HOW_TO: HowTo = {
  title: 'Log sounds',
  text: 'Samples from −1 to 1.',
  lines: ['writer.add_audio("speech/first", samples, step, sample_rate=16000)'],
};
