// @vitest-environment happy-dom
import { flushSync } from 'svelte';
import { afterEach, expect, test } from 'vitest';
import { defaultView } from '../../state/settings/view';
import { liveView, type LiveView } from '../../state/live-view.svelte';
import type { Page } from '../../state/page.svelte';
import { parseView } from '../../state/settings/link';
import { closeFullView, hostFullView, openFullView, type FullView } from './full-view.svelte';
import { slotsSetting } from '../tiles/slots';

const SLOT = { run: 'a', tag: 't', sample: 0, step: 1 };
const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
  history.replaceState(null, '', '#');
});

/** The browser has come to an entry of its history with this link; the page hears of it. */
function comeTo(view: LiveView, link: string): void {
  history.replaceState(null, '', link);
  view.fullScreenCard = parseView(link).view.fullScreenCard;
}

/** A page with two of them, of which the second may lie over the first, and what of them is there. */
function makePage(kindWords: Record<string, string> = {}, place: string | null = null) {
  const there = new Set<string>();
  const make = (name: string, above: FullView[]): FullView => ({
    ...{ place: `full:${name}`, slots: slotsSetting(name, 4), words: [`${name}.at`], name, above },
    load: () =>
      Promise.resolve(() => {
        there.add(name);
        return () => void there.delete(name);
      }),
  });
  const upper = make('upper', []);
  const lower = make('lower', [upper]);
  const view = liveView({ ...defaultView(), kindWords, fullScreenCard: place });
  const told: string[] = [];
  const page = { view, announce: (text: string) => told.push(text) } as unknown as Page;
  for (const full of [lower, upper]) endings.push(hostFullView(page, full));
  const settled = async (): Promise<string[]> => {
    flushSync();
    for (let i = 0; i < 10; i++) await Promise.resolve();
    flushSync();
    return [...there];
  };
  return { page, view, upper, lower, told, settled };
}

test('it comes and goes with the view, and closing leaves only habits', async () => {
  const { page, view, lower, settled } = makePage({ gamma: '2' });
  expect(await settled()).toEqual([]);
  openFullView(page, lower, [SLOT]);
  view.kindWords = { ...view.kindWords, 'lower.at': '3' };
  expect([await settled(), view.fullScreenCard]).toEqual([['lower'], 'full:lower']);
  closeFullView(page, lower);
  expect([await settled(), view.fullScreenCard, view.kindWords]).toEqual([[], null, { gamma: '2' }]);
});

test('what cannot be loaded is said, and closed; unless nobody waits for it any more', async () => {
  const { page, view, lower, told, settled } = makePage();
  let fail: (why: Error) => void = () => undefined;
  const lost: FullView = { ...lower, load: () => new Promise((_, reject) => (fail = reject)) };
  endings.push(hostFullView(page, lost));
  openFullView(page, lost, [SLOT]);
  await settled();
  fail(new Error('no server'));
  await settled();
  expect([told.length, view.fullScreenCard]).toEqual([1, null]);

  openFullView(page, lost, [SLOT]);
  await settled();
  view.fullScreenCard = 'loss';
  await settled();
  fail(new Error('no server'));
  await settled();
  expect([told.length, view.fullScreenCard]).toEqual([1, 'loss']);
});

test('a link opens it; Back or closing it close it, and Forward brings the same back', async () => {
  const media = { lower: 'a;t;;1', 'lower.at': '3' };
  const { page, view, lower, settled } = makePage({ ...media, gamma: '2' }, 'full:lower');
  expect(await settled()).toEqual(['lower']);
  const closings = [() => comeTo(view, '#images'), () => closeFullView(page, lower)];
  for (const close of closings) {
    close();
    expect([await settled(), view.kindWords]).toEqual([[], { gamma: '2' }]);
    // Only what belongs to the look: the rest of the entry may be older than what was set since.
    comeTo(view, '#images&full=full:lower&media=gamma:7,lower:a;t;;1,lower.at:3');
    expect([await settled(), view.kindWords]).toEqual([['lower'], { ...media, gamma: '2' }]);
  }
});

test('a place without anything to show is left, and so are words without a place', async () => {
  const { view, settled } = makePage({ lower: ';;;x', upper: 'a;t;;1' }, 'full:lower');
  expect([await settled(), view.fullScreenCard, view.kindWords]).toEqual([[], null, {}]);
});

test('one lies over the other, which stays, and is gone back to', async () => {
  const { page, view, upper, lower, settled } = makePage({ lower: 'a;t;;1', upper: 'b;t;;1' }, 'full:upper');
  expect(await settled()).toEqual(['lower', 'upper']);
  comeTo(view, '#images&full=full:lower&media=lower:a;t;;1');
  expect(await settled()).toEqual(['lower']);
  comeTo(view, '#images&full=full:upper&media=lower:a;t;;1,upper:b;t;;1');
  expect(await settled()).toEqual(['lower', 'upper']);
  closeFullView(page, upper);
  expect([await settled(), view.fullScreenCard]).toEqual([['lower'], 'full:lower']);
  closeFullView(page, lower);
  expect([await settled(), view.fullScreenCard, view.kindWords]).toEqual([[], null, {}]);
});

test('closed, it leads back to the card in full screen that it was opened from', async () => {
  const { page, view, upper, settled } = makePage({}, 'card');
  openFullView(page, upper, [SLOT]);
  await settled();
  closeFullView(page, upper);
  expect([await settled(), view.fullScreenCard]).toEqual([[], 'card']);
  // The same after Forward, when nobody has opened it here.
  const other = makePage({}, 'card');
  await other.settled();
  comeTo(other.view, '#images&full=full:upper&media=upper:b;t;;1');
  expect(await other.settled()).toEqual(['upper']);
  closeFullView(other.page, other.upper);
  expect([await other.settled(), other.view.fullScreenCard]).toEqual([[], 'card']);
});

test('what cannot be loaded is told, and the page is as before', async () => {
  const { page, view, told, settled } = makePage();
  const broken: FullView = {
    ...{ place: 'full:broken', slots: slotsSetting('broken', 1), words: [], name: 'The thing' },
    load: () => Promise.reject(new Error('no server')),
  };
  endings.push(hostFullView(page, broken));
  openFullView(page, broken, [SLOT]);
  await settled();
  expect([told, view.fullScreenCard]).toEqual([['The thing could not be loaded: Error: no server'], null]);
});
