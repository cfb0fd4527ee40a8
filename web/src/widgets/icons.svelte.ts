// The path of an icon: at once for those of the first view, a moment later for the others.
import { ICON_PATHS, type IconName } from './icon-paths';

const first: Partial<Record<IconName, string>> = ICON_PATHS;
let late = $state.raw<Partial<Record<IconName, string>>>({});

export type { IconName };

export async function loadLateIcons(): Promise<void> {
  late = (await import('./late-icon-paths')).LATE_ICON_PATHS;
}

/** undefined: it is being fetched; who has asked hears of it. */
export function pathOf(name: IconName): string | undefined {
  const path = first[name] ?? late[name];
  // Without a server the next one tries again.
  if (path === undefined) loadLateIcons().catch(() => {});
  return path;
}
