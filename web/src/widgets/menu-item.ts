// What a menu is made of. Kept apart from Menu.svelte so that lists of commands can be built and tested as plain data.
import type { IconName } from './icon-paths';

export interface MenuAction {
  readonly kind?: 'action';
  readonly label: string;
  readonly icon?: IconName;
  /** Shortcut or other short text at the right. */
  readonly hint?: string;
  /** true or false makes it a check item, which leaves the menu open. */
  readonly isChecked?: boolean;
  readonly isDisabled?: boolean;
  run(): void;
}

export type MenuItem =
  MenuAction | { readonly kind: 'separator' } | { readonly kind: 'heading'; readonly label: string };

export function isAction(item: MenuItem): item is MenuAction {
  return item.kind === undefined || item.kind === 'action';
}
