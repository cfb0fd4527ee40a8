// What tests with a document get: see vitest.document.ts. The others need nothing.
if (typeof document !== 'undefined') await import('./vitest.document');

export {};
