import type { HowTo } from '../how-to';

export const HOW_TO: HowTo = {
  title: 'Log point clouds and meshes',
  text: 'Vertices of shape (batch, points, 3), with colours and faces if there are any.',
  lines: ['writer.add_mesh("scans/first", vertices, colors=colors, faces=faces, global_step=step)'],
};
