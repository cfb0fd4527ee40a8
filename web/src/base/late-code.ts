// Code that comes after the first view without a press that asks for it. A server that is away for a moment must not leave the
// page without it: it is asked for until it comes. What a press asks for (a menu, a dialog) is asked for again by the next one.

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/** Never rejects. `onLost` is told each time that it is lost on its way. */
export async function untilHere<T>(
  load: () => Promise<T>,
  onLost: (error: unknown) => void = () => undefined,
): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await load();
    } catch (error) {
      onLost(error);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/** For effects: `use` gets the code when it is here, and answers how to end it. */
export function useLate<T>(load: () => Promise<T>, use: (code: T) => () => void): () => void {
  let isGone = false;
  let end = (): void => undefined;
  void untilHere(load).then((code) => {
    if (!isGone) end = use(code);
  });
  return () => {
    isGone = true;
    end();
  };
}
