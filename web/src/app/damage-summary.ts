// How much trouble there is in the files, for the badge, and its list by run, for the panel.
import { grouped } from '../base/grouped';
import type { DamageEntry, DamageReport, Workspace } from '../wire/client';

/** The report may be older than the run table, so the greater number is the truer one. */
export function troubleCount(
  report: DamageReport | null,
  damageInRuns: number,
  workspace: Workspace | null,
): number {
  const damageCount = Math.max(report?.damage_count ?? 0, damageInRuns);
  return damageCount + (report?.warnings.length ?? 0) + (workspace?.problems.length ?? 0);
}

export interface DamagedRun {
  readonly run: string;
  readonly entries: readonly DamageEntry[];
}

export function byRun(entries: readonly DamageEntry[]): readonly DamagedRun[] {
  return [...grouped(entries, ({ run }) => run)].map(([run, list]) => ({ run, entries: list }));
}
