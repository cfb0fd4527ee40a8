// Runs before the first paint, so that a dark page never flashes white. A file of its own, since the content security
// policy allows no script inside the page; what follows the first paint is src/app/theme.ts.
(() => {
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
})();
