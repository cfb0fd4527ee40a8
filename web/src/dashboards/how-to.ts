// How to log what each dashboard shows, for people who have none: `how-to.ts` in the dashboard's folder says it. Apart from the list
// of dashboards, because the first view does not need it.
import type { DashboardEntry } from './registry';

export interface HowTo {
  readonly title: string;
  /** What it is good for, one or two sentences. */
  readonly text: string;
  /** Lines of Python after those that make a `writer`. */
  readonly lines: readonly string[];
  /** The lines are a whole program, which needs no writer. */
  readonly isWhole?: true;
}

/** With a complete Python snippet. */
export interface HowToLog {
  readonly title: string;
  readonly text: string;
  readonly code: string;
}

const FOLDERS = import.meta.glob<HowTo>('./*/how-to.ts', { eager: true, import: 'HOW_TO' });
const WRITER_LINES = ['from sightline import SummaryWriter', '', 'writer = SummaryWriter("runs/first")'];

export function howToLog({ name }: Pick<DashboardEntry, 'name'>): HowToLog {
  const { title, text, lines, isWhole } = FOLDERS[`./${name}/how-to.ts`] ?? FOLDERS['./scalars/how-to.ts']!;
  return { title, text, code: [...(isWhole ? [] : WRITER_LINES), ...lines].join('\n') };
}
