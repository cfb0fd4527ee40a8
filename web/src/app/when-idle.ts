// Lets the first view go first.

/** Longer than any browser should be busy with the first view; then it is fetched all the same. */
const LIMIT_MS = 3000;
/** Where the browser cannot tell when it is idle (Safari). */
const GUESS_MS = 500;

export function whenIdle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => resolve(), { timeout: LIMIT_MS });
    else setTimeout(resolve, GUESS_MS);
  });
}
