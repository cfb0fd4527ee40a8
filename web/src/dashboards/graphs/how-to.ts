import type { HowTo } from '../how-to';

export const HOW_TO: HowTo = {
  title: 'Log a model',
  text: 'The graph of a torch or Keras model. The example input is used to trace it.',
  lines: ['writer.add_graph(model, example_input)'],
};
