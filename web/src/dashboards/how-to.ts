// How to log what each dashboard shows, by the dashboard's name. Apart from the list of dashboards, because the first view does
// not need it.

export interface HowTo {
  readonly title: string;
  /** What it is good for, one or two sentences. */
  readonly text: string;
  /** A complete Python snippet. */
  readonly code: string;
}

/** The lines every snippet starts with. */
function snippet(...lines: string[]): string {
  return ['from sightline import SummaryWriter', '', 'writer = SummaryWriter("runs/first")', ...lines].join(
    '\n',
  );
}

const SCALARS_HOW_TO: HowTo = {
  title: 'Log numbers',
  text: 'One chart per tag, one line per run. The part of a tag before the first “/” becomes its group.',
  code: snippet(
    'for step in range(1000):',
    '    loss = 1 / (1 + step)',
    '    writer.add_scalar("train/loss", loss, step)',
    'writer.close()',
  ),
};

const HOW_TO: Readonly<Record<string, HowTo>> = {
  timeseries: SCALARS_HOW_TO,
  scalars: SCALARS_HOW_TO,
  custom_scalars: {
    title: 'Lay out charts',
    text: 'Charts that show several tags together, or a value with its bounds.',
    code: snippet(
      'writer.add_custom_scalars({',
      '    "losses": {"train and validation": ["Multiline", ["train/loss", "val/loss"]]},',
      '})',
    ),
  },
  images: {
    title: 'Log images',
    text: 'Arrays, tensors or PIL images, floats from 0 to 1 or bytes from 0 to 255. Matplotlib figures too: add_figure.',
    code: snippet('writer.add_image("samples/first", image, step, dataformats="HWC")'),
  },
  audio: {
    title: 'Log sounds',
    text: 'Samples from −1 to 1.',
    code: snippet('writer.add_audio("speech/first", samples, step, sample_rate=16000)'),
  },
  graphs: {
    title: 'Log a model',
    text: 'The graph of a torch or Keras model. The example input is used to trace it.',
    code: snippet('writer.add_graph(model, example_input)'),
  },
  distributions: {
    title: 'Log distributions',
    text: 'How the values of weights, gradients or activations spread and move over the steps.',
    code: snippet('writer.add_histogram("weights/first", model.first.weight, step)'),
  },
  histograms: {
    title: 'Log histograms',
    text: 'All values of an array, counted in buckets, once per step.',
    code: snippet('writer.add_histogram("weights/first", model.first.weight, step)'),
  },
  text: {
    title: 'Log text',
    text: 'Markdown: samples of a language model, settings, notes.',
    code: snippet('writer.add_text("samples/first", "The **quick** brown fox", step)'),
  },
  pr_curves: {
    title: 'Log precision and recall',
    text: 'Labels are 0 or 1, predictions lie between 0 and 1.',
    code: snippet('writer.add_pr_curve("val/defects", labels, predictions, step)'),
  },
  profile: {
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
  },
  hparams: {
    title: 'Log hyper-parameters',
    text: 'What a run was started with, and the metrics to compare runs by.',
    code: snippet('writer.add_hparams({"lr": 0.01, "layers": 4}, {"val/accuracy": 0.93})'),
  },
  mesh: {
    title: 'Log point clouds and meshes',
    text: 'Vertices of shape (batch, points, 3), with colours and faces if there are any.',
    code: snippet('writer.add_mesh("scans/first", vertices, colors=colors, faces=faces, global_step=step)'),
  },
  projector: {
    title: 'Log embeddings',
    text: 'Vectors with labels, to be looked at in two or three dimensions.',
    code: snippet('writer.add_embedding(vectors, metadata=labels, global_step=step)'),
  },
  tables: {
    title: 'Log tables and figures',
    text: 'Data frames, confusion matrices, HTML and Plotly figures.',
    code: snippet(
      'writer.add_table("val/worst", data_frame, step)',
      'writer.add_confusion_matrix("val/confusion", matrix, step, labels=["cat", "dog"])',
    ),
  },
};

export function howToLog(dashboard: string): HowTo {
  return HOW_TO[dashboard] ?? SCALARS_HOW_TO;
}
