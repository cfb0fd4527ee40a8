// Files with every point of some series, made by the server: what a chart shows is reduced to its pixels, what is
// downloaded never is.
import { messageOf } from '../../base/format';
import type { Page } from '../../state/page.svelte';
import { safeStem, saveBlob } from '../../widgets/save-file';
import { tagsOf, type ChartCard } from './card-spec';

export type ExportFormat = 'csv' | 'json';

export interface Download {
  readonly tags: readonly string[];
  /** Run numbers; null: all runs. */
  readonly runs: readonly number[] | null;
  readonly format: ExportFormat;
  readonly superseded: boolean;
}

/** A name that every file system takes and that says what is inside. */
export function fileNameOf({ tags, format }: Pick<Download, 'tags' | 'format'>): string {
  const [only] = tags;
  const stem = tags.length === 1 && only !== undefined ? only : `scalars-${tags.length}-tags`;
  return `${safeStem(stem, 'scalars')}.${format}`;
}

/** Rejects with a message for people. */
export async function download(page: Page, what: Download, signal?: AbortSignal): Promise<void> {
  const blob = await page.client.exportScalars(
    {
      tags: [...what.tags],
      runs: what.runs === null ? null : [...what.runs],
      format: what.format,
      superseded: what.superseded,
    },
    signal,
  );
  saveBlob(blob, fileNameOf(what));
}

/** What one chart shows, whole. Trouble is told to the user here. */
export async function saveChart(page: Page, spec: ChartCard, format: ExportFormat): Promise<void> {
  const names = tagsOf(spec);
  const tags = names.flatMap((name) => page.tags.find('scalar', name) ?? []);
  const runs = page.runs.visibleIds.filter((run) => tags.some((tag) => tag.hasRun(run)));
  try {
    await download(page, { tags: names, runs, format, superseded: page.view.showSuperseded });
  } catch (error) {
    page.announce(`${spec.title} could not be downloaded: ${messageOf(error)}`);
  }
}
