// How to log what each dashboard shows. What has a view says it itself (kinds/<kind>/kind.ts); the others are here. Apart from the
// list of dashboards, because the first view does not need it.
import type { HowTo } from '../board/kind';
import { KINDS } from '../kinds/all-kinds';
import type { DashboardEntry } from './registry';

/** With a complete Python snippet. */
export interface HowToLog {
  readonly title: string;
  readonly text: string;
  readonly code: string;
}

/** The lines every snippet starts with. */
function snippet(lines: readonly string[]): string {
  return ['from sightline import SummaryWriter', '', 'writer = SummaryWriter("runs/first")', ...lines].join(
    '\n',
  );
}

/** By the dashboard's name. */
const WITHOUT_VIEW: Readonly<Record<string, HowTo>> = {
  custom_scalars: {
    title: 'Lay out charts',
    text: 'Charts that show several tags together, or a value with its bounds.',
    lines: [
      'writer.add_custom_scalars({',
      '    "losses": {"train and validation": ["Multiline", ["train/loss", "val/loss"]]},',
      '})',
    ],
  },
  graphs: {
    title: 'Log a model',
    text: 'The graph of a torch or Keras model. The example input is used to trace it.',
    lines: ['writer.add_graph(model, example_input)'],
  },
  distributions: {
    title: 'Log distributions',
    text: 'How the values of weights, gradients or activations spread and move over the steps.',
    lines: ['writer.add_histogram("weights/first", model.first.weight, step)'],
  },
  histograms: {
    title: 'Log histograms',
    text: 'All values of an array, counted in buckets, once per step.',
    lines: ['writer.add_histogram("weights/first", model.first.weight, step)'],
  },
  pr_curves: {
    title: 'Log precision and recall',
    text: 'Labels are 0 or 1, predictions lie between 0 and 1.',
    lines: ['writer.add_pr_curve("val/defects", labels, predictions, step)'],
  },
  hparams: {
    title: 'Log hyper-parameters',
    text: 'What a run was started with, and the metrics to compare runs by.',
    lines: ['writer.add_hparams({"lr": 0.01, "layers": 4}, {"val/accuracy": 0.93})'],
  },
  mesh: {
    title: 'Log point clouds and meshes',
    text: 'Vertices of shape (batch, points, 3), with colours and faces if there are any.',
    lines: ['writer.add_mesh("scans/first", vertices, colors=colors, faces=faces, global_step=step)'],
  },
  projector: {
    title: 'Log embeddings',
    text: 'Vectors with labels, to be looked at in two or three dimensions.',
    lines: ['writer.add_embedding(vectors, metadata=labels, global_step=step)'],
  },
};

/** Written by PyTorch itself. */
const PROFILE: HowToLog = {
  title: 'Record a profile',
  text: 'Where the time of a training step goes. Traces lie beside the event files of their run.',
  code: [
    'import torch.profiler as profiler',
    '',
    'trace = profiler.tensorboard_trace_handler("runs/first")',
    'with profiler.profile(on_trace_ready=trace) as recorder:',
    '    for batch in batches:',
    '        train_on(batch)',
    '        recorder.step()',
  ].join('\n'),
};

export function howToLog({ name, kinds }: DashboardEntry): HowToLog {
  if (name === 'profile') return PROFILE;
  const ofKind = KINDS.find((kind) => kinds.includes(kind.name))?.howTo;
  const { title, text, lines } = ofKind ?? WITHOUT_VIEW[name] ?? KINDS[0]!.howTo;
  return { title, text, code: snippet(lines) };
}
