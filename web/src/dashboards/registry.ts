// The list of dashboards, in TensorBoard's order of tabs. The shell makes its tabs from it: those whose kinds of data are
// in the log come first, the others explain how to log such data. A dashboard is a folder beside this file, of its own name; it is
// loaded when its tab is opened, so that the first view stays small (the first one comes with the page: vite.config.ts). An
// entry without `load` has no view yet: its data is read and kept, and the shell says so.
import type { Component } from 'svelte';
import { KINDS } from '../kinds/all-kinds';

export interface DashboardEntry {
  /** As it stands in URLs: TensorBoard's name of the plugin where there is one. */
  readonly name: string;
  readonly label: string;
  /** The kinds of data it shows (words of model/kinds.py). Empty: it reads files of its own. */
  readonly kinds: readonly string[];
  readonly load?: () => Promise<{ default: Component }>;
}

const ALL = KINDS.map(({ name }) => name);
const TABLES = ['table', 'confusion_matrix', 'html', 'plotly'];

// One line each.
// prettier-ignore
export const DASHBOARDS: readonly DashboardEntry[] = [
  { name: 'timeseries', label: 'Time series', kinds: ALL, load: () => import('./timeseries/TimeSeries.svelte') },
  { name: 'scalars', label: 'Scalars', kinds: ['scalar'], load: () => import('./scalars/Scalars.svelte') },
  { name: 'custom_scalars', label: 'Custom scalars', kinds: ['custom_scalars'], load: () => import('./custom_scalars/CustomScalars.svelte') },
  { name: 'images', label: 'Images', kinds: ['image'], load: () => import('./images/Images.svelte') },
  { name: 'audio', label: 'Audio', kinds: ['audio'], load: () => import('./audio/Audio.svelte') },
  { name: 'graphs', label: 'Graphs', kinds: ['graph'] },
  { name: 'distributions', label: 'Distributions', kinds: ['histogram'], load: () => import('./distributions/Distributions.svelte') },
  { name: 'histograms', label: 'Histograms', kinds: ['histogram'], load: () => import('./histograms/Histograms.svelte') },
  { name: 'text', label: 'Text', kinds: ['text'], load: () => import('./text/Text.svelte') },
  { name: 'pr_curves', label: 'PR curves', kinds: ['pr_curve'], load: () => import('./pr_curves/PrCurves.svelte') },
  { name: 'profile', label: 'Profile', kinds: [] },
  { name: 'hparams', label: 'HParams', kinds: ['hparams'] },
  { name: 'mesh', label: 'Mesh', kinds: ['mesh'], load: () => import('./mesh/Mesh.svelte') },
  { name: 'projector', label: 'Projector', kinds: [] },
  { name: 'tables', label: 'Tables', kinds: TABLES, load: () => import('./tables/Tables.svelte') },
];

/** The entry that a URL names; the first one for names we do not know. */
export function dashboardOf(name: string): DashboardEntry {
  const first = DASHBOARDS[0];
  if (first === undefined) throw new Error('The list of dashboards is empty');
  return DASHBOARDS.find((entry) => entry.name === name) ?? first;
}
