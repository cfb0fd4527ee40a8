// Patience for tests of components: Testing Library gives up after a second, which a loaded machine may need to import one. They
// are removed after each test. And what charts fetch later is there from the start: tests are about what it does, not when.
import '@testing-library/svelte/vitest';
import { configure } from '@testing-library/dom';

// happy-dom has none, and the page's guess for such browsers is half a second.
if (!('requestIdleCallback' in window)) {
  Object.assign(window, {
    requestIdleCallback: (callback: IdleRequestCallback) =>
      setTimeout(() => callback({ didTimeout: false, timeRemaining: () => 50 })),
  });
}

configure({ asyncUtilTimeout: 20_000 });
