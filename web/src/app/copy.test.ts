// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { copy } from './copy';
import { FakePage } from './fake-page.svelte';
import { Shell } from './shell.svelte';
import { shellCommands } from './shell-commands';

// A page that came over plain HTTP from another machine: browsers hide the clipboard from it.
const copied: string[] = [];
let isAllowed: boolean;
let fake: FakePage;

beforeEach(() => {
  copied.length = 0;
  isAllowed = true;
  fake = new FakePage();
  vi.stubGlobal('navigator', {});
  Object.assign(document, {
    execCommand: () => {
      if (isAllowed) copied.push(document.querySelector('textarea')?.value ?? '');
      return isAllowed;
    },
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(document, 'execCommand');
});

const said = (): string | undefined => fake.announcements.at(-1)?.text;

test('text is copied without the browser’s clipboard', async () => {
  await copy(fake.page, 'runs/a', 'the path');
  expect(copied).toEqual(['runs/a']);
  expect(said()).toBe('Copied the path');
});

test('a browser that refuses is not passed over in silence', async () => {
  isAllowed = false;
  await copy(fake.page, 'runs/a', 'the path');
  expect(said()).toContain('does not let the page copy');
});

test('the link to the view is copied in the same way', async () => {
  const command = shellCommands(fake.page, new Shell()).find(({ id }) => id === 'shell.copy-link');
  command!.run();
  await vi.waitFor(() => expect(said()).toBe('Link copied'));
  expect(copied).toEqual([fake.link()]);
});
