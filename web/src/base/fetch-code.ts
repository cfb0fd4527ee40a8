// How the built page fetches code that comes late: called for each `import()`, in the place of what Vite would bring along for
// that (vite.config.ts), with the style sheets that the code needs.
//
// Some browsers remember that a module could not be fetched and never ask for it again (seen with Chromium 150). A page
// that stays open while its server is started anew would be without that code until it is reloaded, so what was lost is asked
// for under another name. Only the file that `import()` names is: what it imports in turn was not asked for without it.

/** Where code was found that had been lost, by its own name: all who want it get the same. */
const found = new Map<string, string>();
const sheets = new Map<string, Promise<void>>();
let tries = 0;

/** What Chromium and Firefox say of code that they could not fetch; of code that failed while it ran they say something else. */
const LOST = /dynamically imported module: (\S+)$/;

export async function fetchCode<T>(
  load: () => Promise<T>,
  styles: readonly string[] = [],
  importer = document.baseURI,
  importFrom: (url: string) => Promise<unknown> = (url) => import(/* @vite-ignore */ url),
): Promise<T> {
  const [code] = await Promise.all([
    load().catch((error: unknown) => fetchAgain(error, importFrom)),
    ...styles.map((path) => fetchStyle(new URL(path, importer).href)),
  ]);
  return code as T;
}

async function fetchAgain(error: unknown, importFrom: (url: string) => Promise<unknown>): Promise<unknown> {
  const url = error instanceof Error ? LOST.exec(error.message)?.[1] : undefined;
  if (url === undefined) throw error;
  const name = found.get(url) ?? `${url}?again=${++tries}`;
  const code = await importFrom(name);
  found.set(url, name);
  return code;
}

function fetchStyle(href: string): Promise<void> {
  let sheet = sheets.get(href);
  if (sheet === undefined) {
    sheet = addStyle(href);
    sheets.set(href, sheet);
    // The next one who wants it tries again.
    sheet.catch(() => sheets.delete(href));
  }
  return sheet;
}

function addStyle(href: string): Promise<void> {
  // Those of the first view stand in the page.
  if (
    [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].some((one) => one.href === href)
  )
    return Promise.resolve();
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.crossOrigin = '';
    link.href = href;
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error(`Could not fetch ${href}`));
    };
    document.head.append(link);
  });
}
