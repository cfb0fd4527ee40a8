// The log that most tests look at: two days of a small project, with names as people give them and curves as training
// makes them. Known to the last digit, so that tests can say what has to be on screen. Tests that change their log write
// one of their own.
import { curve, type LogDirectory } from './logs';

/** 2026-02-10 08:00 UTC. */
const FIRST_DAY_S = 1_770_710_400;
const DAY_S = 86_400;

/** Points of the dense run: far more than a chart has pixels. */
export const DENSE_COUNT = 30_000;
export const USUAL_COUNT = 400;

export interface TrainingRun {
  readonly name: string;
  readonly startedS: number;
  readonly tags: Readonly<Record<string, readonly number[]>>;
}

export const TAGS = ['learning_rate', 'train/accuracy', 'train/loss', 'val/accuracy', 'val/loss'] as const;

function usual(phase: number): Record<string, readonly number[]> {
  return {
    'train/loss': curve(USUAL_COUNT, { from: 2.3, to: 0.2 + phase / 50, noise: 0.1, phase }),
    'train/accuracy': curve(USUAL_COUNT, { from: 0.1, to: 0.9 - phase / 50, noise: 0.02, phase }),
    'val/loss': curve(USUAL_COUNT, { from: 2.3, to: 0.4 + phase / 50, noise: 0.04, phase }),
    'val/accuracy': curve(USUAL_COUNT, { from: 0.1, to: 0.8 - phase / 50, noise: 0.01, phase }),
    learning_rate: curve(USUAL_COUNT, { from: 0.1, to: 0.001, noise: 0 }),
  };
}

/** In the order in which they were started. */
export const RUNS: readonly TrainingRun[] = [
  { name: '2026-02-10/baseline-seed0', startedS: FIRST_DAY_S, tags: usual(0) },
  { name: '2026-02-10/baseline-seed1', startedS: FIRST_DAY_S + 7200, tags: usual(1) },
  {
    name: '2026-02-11/dense',
    startedS: FIRST_DAY_S + DAY_S,
    tags: { 'train/loss': curve(DENSE_COUNT, { from: 2.5, to: 0.3, noise: 0.3, phase: 5 }) },
  },
  { name: '2026-02-11/wide-seed0', startedS: FIRST_DAY_S + DAY_S + 3600, tags: usual(2) },
  { name: '2026-02-11/wide-test', startedS: FIRST_DAY_S + DAY_S + 7200, tags: usual(3) },
];

export const RUN_NAMES = RUNS.map(({ name }) => name);

export function pointsOf(run: string, tag: string): readonly number[] {
  const values = RUNS.find(({ name }) => name === run)?.tags[tag];
  if (values === undefined) throw new Error(`${run} has no ${tag}`);
  return values;
}

export async function writeTrainingLog(logs: LogDirectory): Promise<void> {
  for (const { name, startedS, tags } of RUNS) await logs.write(name, tags, { startedS });
}
