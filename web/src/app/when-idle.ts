// Lets the first view go first.
import { isWaiting } from '../wire/client';

/** Longer than any browser should be busy with the first view; then it is fetched all the same. */
const LIMIT_MS = 3000;
/** Where the browser cannot tell when it is idle (Safari). */
const GUESS_MS = 500;
/** After this it is looked again whether the answers are here. */
const AGAIN_MS = 50;

/** Neither the page has something to do, nor the server for it: between question and answer it only looks idle. */
export async function whenIdle(): Promise<void> {
  const endMs = performance.now() + LIMIT_MS;
  for (;;) {
    await idle(endMs - performance.now());
    if (!isWaiting() || performance.now() >= endMs) return;
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }
}

function idle(limitMs: number): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) {
      window.requestIdleCallback(() => resolve(), { timeout: Math.max(1, limitMs) });
    } else setTimeout(resolve, GUESS_MS);
  });
}
