import type { HowTo } from '../how-to';

export const HOW_TO: HowTo = {
  title: 'Log tables and figures',
  text: 'Data frames, confusion matrices, HTML and Plotly figures.',
  lines: [
    'writer.add_table("val/worst", data_frame, step)',
    'writer.add_confusion_matrix("val/confusion", matrix, step, labels=["cat", "dog"])',
  ],
};
