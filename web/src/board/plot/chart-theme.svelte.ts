// The chart engine draws on canvases, which know no CSS variables: the page's colours are read once per theme and handed
// over as values. The attribute on the root element decides, not the state behind it, because that is what the
// computed style follows.
import type { ChartTheme } from '../../chart/types';
import { onePerPage } from '../../state/one-per-page.svelte';

export function readChartTheme(root: Element = document.documentElement): ChartTheme {
  const style = getComputedStyle(root);
  const token = (name: string, fallback: string) => style.getPropertyValue(name).trim() || fallback;
  return {
    text: token('--text', '#1b2027'),
    mutedText: token('--text-faint', '#5f6873'),
    grid: token('--line', '#e2e5ea'),
    axis: token('--line-strong', '#aab2bc'),
    background: token('--bg', '#ffffff'),
    cursor: token('--text-muted', '#4d5661'),
    brush: token('--accent', '#0b5fc0'),
    fontFamily: token('--font', 'system-ui, sans-serif'),
    fontSizePx: Number.parseFloat(token('--size-xs', '11px')) || 11,
  };
}

export class ThemeWatch {
  current = $state.raw(readChartTheme());
  readonly #observer = new MutationObserver(() => {
    this.current = readChartTheme();
  });

  constructor() {
    this.#observer.observe(document.documentElement, { attributeFilter: ['data-theme', 'class'] });
  }

  destroy(): void {
    this.#observer.disconnect();
  }
}

/** Of all charts of a page. */
export const themeOf = onePerPage(() => new ThemeWatch());
