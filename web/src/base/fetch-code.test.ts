// @vitest-environment happy-dom
import { beforeEach, expect, test, vi } from 'vitest';
import { fetchCode } from './fetch-code';

const lost = (url: string) => new TypeError(`Failed to fetch dynamically imported module: ${url}`);
/** Put into the page, as far as the code can tell: the page of these tests would really fetch them. */
let links: HTMLLinkElement[];

beforeEach(() => {
  links = [];
  vi.spyOn(document.head, 'append').mockImplementation((link) => void links.push(link as HTMLLinkElement));
});

test('code that comes is that code', async () => {
  const importFrom = vi.fn<(url: string) => Promise<unknown>>();
  await expect(fetchCode(() => Promise.resolve('code'), [], undefined, importFrom)).resolves.toBe('code');
  expect(importFrom).not.toHaveBeenCalled();
});

test('code of which the browser remembers that it was lost comes under another name, the same for all', async () => {
  const url = 'http://host/assets/a.js';
  let isThere = false;
  const importFrom = vi.fn((name: string) => (isThere ? Promise.resolve(name) : Promise.reject(lost(name))));
  const fetchIt = () => fetchCode(() => Promise.reject(lost(url)), [], undefined, importFrom);
  await expect(fetchIt()).rejects.toThrow('dynamically imported');
  isThere = true;
  const name = await fetchIt();
  expect(name).toMatch(/^http:\/\/host\/assets\/a\.js\?again=\d+$/);
  await expect(fetchIt()).resolves.toBe(name);
  // A name that was tried in vain is remembered by the browser, too.
  expect(new Set(importFrom.mock.calls.map(([tried]) => tried)).size).toBe(2);
});

test('code that failed while it ran is not run a second time', async () => {
  const importFrom = vi.fn<(url: string) => Promise<unknown>>();
  const load = () => Promise.reject(new TypeError('undefined is not a function'));
  await expect(fetchCode(load, [], undefined, importFrom)).rejects.toThrow('not a function');
  expect(importFrom).not.toHaveBeenCalled();
});

test('code waits for its style sheets, which are fetched once', async () => {
  const here: string[] = [];
  const fetchOne = (name: string) =>
    fetchCode(() => Promise.resolve(name), ['../b.css'], 'http://host/assets/b.js').then((code) =>
      here.push(code),
    );
  const both = [fetchOne('first'), fetchOne('second')];
  expect(links.map(({ rel, href }) => [rel, href])).toEqual([['stylesheet', 'http://host/b.css']]);
  await Promise.resolve();
  expect(here).toEqual([]);
  links[0]!.dispatchEvent(new Event('load'));
  await Promise.all(both);
  expect(here).toEqual(['first', 'second']);
});

test('a style sheet that is lost is asked for again by the next one who wants it', async () => {
  const fetchIt = () => fetchCode(() => Promise.resolve('code'), ['c.css'], 'http://host/c.js');
  const first = fetchIt();
  links[0]!.dispatchEvent(new Event('error'));
  await expect(first).rejects.toThrow('c.css');
  const second = fetchIt();
  expect(links.length).toBe(2);
  links[1]!.dispatchEvent(new Event('load'));
  await expect(second).resolves.toBe('code');
});

test('a style sheet of the page itself is there', async () => {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = 'http://host/d.css';
  vi.spyOn(document, 'querySelectorAll').mockReturnValue([link] as unknown as NodeListOf<Element>);
  await expect(fetchCode(() => Promise.resolve('code'), ['d.css'], 'http://host/d.js')).resolves.toBe('code');
  expect(links).toEqual([]);
});
