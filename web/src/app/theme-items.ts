// The theme menu: what the system wants, light, or dark.
import type { Settings } from '../state/types';
import type { MenuItem } from '../widgets/menu-item';

export function themeItems(settings: Settings): MenuItem[] {
  const choices = [
    ['system', 'As the system'],
    ['light', 'Light'],
    ['dark', 'Dark'],
  ] as const;
  return choices.map(([theme, label]) => ({
    label,
    isChecked: settings.theme === theme,
    run: () => (settings.theme = theme),
  }));
}
