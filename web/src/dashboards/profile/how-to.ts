import type { HowTo } from '../how-to';

/** Written by PyTorch itself. */
export const HOW_TO: HowTo = {
  title: 'Record a profile',
  text: 'Where the time of a training step goes. Traces lie beside the event files of their run.',
  isWhole: true,
  lines: [
    'import torch.profiler as profiler',
    '',
    'trace = profiler.tensorboard_trace_handler("runs/first")',
    'with profiler.profile(on_trace_ready=trace) as recorder:',
    '    for batch in batches:',
    '        train_on(batch)',
    '        recorder.step()',
  ],
};
