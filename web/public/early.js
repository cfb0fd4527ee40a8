// Runs before everything else, while the page's own code is still on its way. A file of its own, since the content
// security policy allows no script inside the page.
(() => {
  // The theme, so that a dark page never flashes white; what follows the first paint is src/app/theme.ts.
  let choice = 'system';
  try {
    const settings = localStorage.getItem('sightline.settings.1') ?? '';
    choice = /"theme":"(\w+)"/.exec(settings)?.[1] ?? choice;
  } catch {
    // Storage is forbidden here: the system decides.
  }
  const isDark =
    choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';

  // Keys that are pressed before anybody listens: src/app/waiting-keys.ts takes them over. Plain signs and Ctrl+K; all others
  // mean something to browsers.
  const TAKES_LETTERS = 'input, select, textarea, dialog, [role="menu"], [role="listbox"]';
  /** @type {KeyboardEvent[]} */
  const events = [];
  /** @param {KeyboardEvent} event */
  const hear = (event) => {
    const isPlain = !event.ctrlKey && !event.metaKey;
    const isKept = isPlain ? event.key.length === 1 && event.key !== ' ' : event.key.toLowerCase() === 'k';
    const isTyped = event.target instanceof Element && event.target.closest(TAKES_LETTERS);
    if (!isKept || isTyped || event.altKey || event.repeat || event.isComposing) return;
    if (event.defaultPrevented || events.length === 8) return;
    event.preventDefault();
    events.push(event);
  };
  addEventListener('keydown', hear);
  window.earlyPresses = { events, end: () => removeEventListener('keydown', hear) };

  // The code of the dashboard that the address names, beside that of the frame instead of after it. Which files these are
  // the build writes into the page (vite.config.ts), as only it knows their names.
  const lists = (document.currentScript.dataset.late ?? '').split('; ').map((list) => list.split(' '));
  const dashboard = /^#(\w+)/.exec(location.hash)?.[1];
  const [, ...files] = lists.find(([name]) => name === dashboard) ?? [];
  for (const file of files) {
    const link = document.createElement('link');
    const isStyle = file.endsWith('.css');
    link.rel = isStyle ? 'preload' : 'modulepreload';
    if (isStyle) link.as = 'style';
    link.crossOrigin = '';
    link.href = file;
    document.head.append(link);
  }
})();
