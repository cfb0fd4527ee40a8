import type { HowTo } from '../how-to';

export const HOW_TO: HowTo = {
  title: 'Log embeddings',
  text: 'Vectors with labels, to be looked at in two or three dimensions.',
  lines: ['writer.add_embedding(vectors, metadata=labels, global_step=step)'],
};
