import { afterEach, expect, test, vi } from 'vitest';
import { newEditId } from './edit-id';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('ids differ and fit what the server takes, also where the page is not secure', () => {
  const { getRandomValues } = crypto;
  const secure = [newEditId(), newEditId()];
  vi.stubGlobal('crypto', { getRandomValues: getRandomValues.bind(crypto) });
  const ids = [...secure, newEditId(), newEditId()];
  expect(new Set(ids).size).toBe(4);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{32,64}$/);
});
