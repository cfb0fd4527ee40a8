import type { HowTo } from '../how-to';

export const HOW_TO: HowTo = {
  title: 'Log distributions',
  text: 'How the values of weights, gradients or activations spread and move over the steps.',
  lines: ['writer.add_histogram("weights/first", model.first.weight, step)'],
};
