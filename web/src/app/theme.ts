// From the user's choice and the system's wish to the theme that is drawn. The attribute on the root element is all that
// style sheets look at; public/early.js sets it before the first paint, this keeps it right from then on.
import type { Theme } from '../state/palettes';
import type { Settings, ThemeChoice } from '../state/types';
import type { MenuItem } from '../widgets/menu-item';

export function resolveTheme(choice: ThemeChoice, isSystemDark: boolean): Theme {
  if (choice === 'system') return isSystemDark ? 'dark' : 'light';
  return choice;
}

/** The choice that looks different from now, by way of the system's where that is enough. */
export function nextChoice(choice: ThemeChoice, isSystemDark: boolean): ThemeChoice {
  const opposite = resolveTheme(choice, isSystemDark) === 'dark' ? 'light' : 'dark';
  return opposite === resolveTheme('system', isSystemDark) ? 'system' : opposite;
}

export function applyTheme(theme: Theme): void {
  document.documentElement.dataset['theme'] = theme;
}

/** The menu: what the system wants, light, or dark. */
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
