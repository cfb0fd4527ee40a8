// @vitest-environment happy-dom
// The box for a formula: completes, and shows the server's answer only beside the text that it is about.
import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakePage, fakeRun, fakeTag } from '../fake-page.svelte';
import FormulaFieldHost from './FormulaFieldHost.svelte';

const MISSING = 'There is no tag `val/los` in these runs; did you mean `val/loss`?';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function show(value: string) {
  const parts = fakePage([fakeTag('train/loss', [0]), fakeTag('val/loss', [0])], [fakeRun(0)]);
  const answers: ((texts: readonly string[]) => Promise<void>)[] = [];
  const asked: string[] = [];
  const scalars = (request: { queries: { formula: string }[] }) =>
    new Promise((resolve) => {
      asked.push(request.queries[0]!.formula);
      answers.push(async (texts) => {
        resolve({ notes: texts.map((text) => ({ query: 0, run: null, is_error: true, text })) });
        await vi.advanceTimersByTimeAsync(0);
      });
    });
  Object.assign(parts.page.client, { scalars });
  render(FormulaFieldHost, { page: parts.page, value });
  flushSync();
  const box = screen.getByRole<HTMLInputElement>('combobox', { name: 'Formula' });
  const type = async (text: string) => {
    await fireEvent.input(box, { target: { value: text } });
  };
  return { box, type, answers, asked, rest: () => vi.advanceTimersByTimeAsync(400) };
}

test('the server is asked once when typing rests, and its answer is shown beside its text', async () => {
  const { box, type, answers, asked, rest } = show('');
  await type('val/lo');
  await type('val/los');
  await rest();
  expect(asked).toEqual(['val/los']);
  await answers[0]!([MISSING]);
  expect(box.getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByText(MISSING)).toBeTruthy();
  await type('val/loss');
  // What was said was about another text.
  expect(screen.queryByText(MISSING)).toBeNull();
});

test('an answer that comes too late is not shown', async () => {
  const { type, answers, rest } = show('val/los');
  await rest();
  await type('val/loss');
  await answers[0]!([MISSING]);
  expect(screen.queryByText(MISSING)).toBeNull();
});

test('keys choose from the list, and Esc only closes it', async () => {
  const { box, type } = show('');
  await type('vlo');
  expect(screen.getByRole('option').textContent).toContain('val/loss');
  await fireEvent.keyDown(box, { key: 'Escape' });
  expect(screen.queryByRole('option')).toBeNull();
  await type('vlos');
  await fireEvent.keyDown(box, { key: 'Enter' });
  expect(box.value).toBe('val/loss');
});

test('what is typed right after a choice stands behind it', async () => {
  const { box, type } = show('');
  await type('vlo + 1');
  box.setSelectionRange(3, 3);
  await fireEvent.keyUp(box);
  box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
  // At once: before any frame, or the next letter finds the caret elsewhere.
  expect(box.value).toBe('val/loss + 1');
  expect(box.selectionStart).toBe(8);
});
