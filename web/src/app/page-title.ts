// What the browser's tab says: what is shown, and of which logs. Tabs are narrow: what differs between them comes first.
import type { Environment } from '../wire/client';

/** `dashboard` is its name for people. */
export function pageTitle(
  environment: Pick<Environment, 'window_title' | 'log_directories'> | null,
  dashboard: string,
): string {
  const { window_title: given = '', log_directories: directories = [] } = environment ?? {};
  if (given !== '') return `${dashboard} · ${given}`;
  // Of several none stands for all.
  const name = directories.length === 1 ? /[^/\\]+(?=[/\\]*$)/.exec(directories[0]!.path)?.[0] : undefined;
  return `${dashboard}${name === undefined ? '' : ` · ${name}`} – Sightline`;
}
