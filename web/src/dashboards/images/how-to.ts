import type { HowTo } from '../how-to';

export const HOW_TO: HowTo = {
  title: 'Log images',
  text: 'Arrays, tensors or PIL images, floats from 0 to 1 or bytes from 0 to 255. Matplotlib figures too: add_figure.',
  lines: ['writer.add_image("samples/first", image, step, dataformats="HWC")'],
};
