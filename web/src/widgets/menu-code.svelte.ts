// What menus open is fetched when the first button is there, not when it is pressed: it must come at once.
import type MenuPanel from './MenuPanel.svelte';

class MenuCode {
  Panel = $state.raw<typeof MenuPanel | null>(null);
}

export const menuCode = new MenuCode();

export async function loadMenus(): Promise<void> {
  menuCode.Panel ??= (await import('./MenuPanel.svelte')).default;
}
