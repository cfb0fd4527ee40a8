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
