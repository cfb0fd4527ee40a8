// @vitest-environment happy-dom
import fc from 'fast-check';
import { flushSync } from 'svelte';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { defaultView } from './settings/view';
import { liveView, type LiveView } from './live-view.svelte';
import { ScriptedWindow } from './scripted-window.fixture';
import { emptyStorage } from './testing.fixture';
import { initialView, UrlSync, type OpenView } from './url-sync.svelte';
import { anyView } from './settings/test-views';
import { formatView, namedWords, parseView } from './settings/link';

const HOST = 'http://host:6006/prefix/';
let browser: ScriptedWindow;
let view: LiveView;
let sync: UrlSync;
let saved = emptyStorage();
const announce = vi.fn();

function open(url: string): void {
  openIn(new ScriptedWindow(url));
}

function openIn(window: ScriptedWindow): void {
  browser = window;
  const isLookedAt = (word: string): boolean => word === 'step';
  const options = { window: browser, storage: saved.storage, announce, isLookedAt };
  view = liveView(initialView(options).view);
  sync = new UrlSync(view, options);
  settle();
}

function settle(): void {
  flushSync();
  vi.advanceTimersByTime(1000);
}

beforeEach(() => {
  vi.useFakeTimers();
  saved = emptyStorage();
  announce.mockReset();
});

afterEach(() => {
  sync.destroy();
  vi.useRealTimers();
});

describe('the URL', () => {
  test('follows the view, in place', () => {
    open(HOST);
    view.smoothing = { kind: 'ema', amount: 0.3 };
    view.pins = ['loss'];
    settle();
    expect(browser.entries.map(({ url }) => url)).toEqual([`${HOST}#timeseries&smoothing=0.3&pins=loss`]);
  });

  test('has the last change when the page is left at once', () => {
    open(HOST);
    view.smoothing = { kind: 'ema', amount: 0.3 };
    flushSync();
    browser.leave();
    expect(browser.location.hash).toBe('#timeseries&smoothing=0.3');
    expect(saved.texts.get('sightline.view.1')).toContain('0.3');
  });

  test('is written at once, and rarely while a slider is dragged', () => {
    open(HOST);
    const replace = vi.spyOn(browser.history, 'replaceState');
    for (let i = 1; i <= 1800; i++) {
      view.smoothing = { kind: 'ema', amount: i / 2000 };
      flushSync();
      vi.advanceTimersByTime(0);
      if (i <= 15) expect(browser.location.hash).toBe(`#timeseries&smoothing=${i / 2000}`);
      vi.advanceTimersByTime(1000 / 60);
    }
    // Safari refuses the 101st in 30 seconds.
    expect(replace.mock.calls.length).toBeLessThanOrEqual(97);
    settle();
    expect(browser.location.hash).toBe('#timeseries&smoothing=0.9');
  });

  test('of TensorBoard becomes our own; other words of the query stay', () => {
    open(`${HOST}?smoothing=0.9&run=x&tagFilter=acc#timeseries`);
    expect(browser.location.href).toBe(`${HOST}?run=x#timeseries&tagFilter=acc&smoothing=0.9`);
  });

  test('gets a new entry for another dashboard and for full screen', () => {
    open(HOST);
    view.dashboard = 'scalars';
    settle();
    view.fullScreenCard = 'loss';
    settle();
    expect(browser.entries.map(({ url }) => url.slice(HOST.length))).toEqual([
      '#timeseries',
      '#scalars',
      '#scalars&full=loss',
    ]);
  });

  test('gets none for leaving full screen: it goes back to where that was opened, with what was set there', () => {
    open(HOST);
    view.fullScreenCard = 'loss';
    settle();
    view.smoothing = { kind: 'ema', amount: 0.3 };
    settle();
    view.fullScreenCard = null;
    settle();
    expect(browser.location.hash).toBe('#timeseries&smoothing=0.3');
    browser.forward();
    settle();
    expect([view.fullScreenCard, browser.entries.length]).toEqual(['loss', 2]);
  });

  test.each([false, true])(
    'Back leads to what was before a card and the viewer over it (reload: %s)',
    (isReloaded) => {
      open(HOST);
      view.dashboard = 'scalars';
      settle();
      view.dashboard = 'timeseries';
      settle();
      for (const place of ['loss', 'viewer:pictures']) {
        view.fullScreenCard = place;
        settle();
      }
      if (isReloaded) {
        sync.destroy();
        openIn(browser.reloaded());
      }
      view.fullScreenCard = 'loss';
      settle();
      expect(browser.location.hash).toBe('#timeseries&full=loss');
      view.fullScreenCard = null;
      settle();
      expect(browser.location.hash).toBe('#timeseries');
      browser.back();
      settle();
      expect([view.dashboard, view.fullScreenCard]).toEqual(['scalars', null]);
      browser.forward();
      browser.forward();
      settle();
      expect([view.dashboard, view.fullScreenCard]).toEqual(['timeseries', 'loss']);
    },
  );

  test('all that lies over each other is left at once; what was opened from another dashboard in place', () => {
    open(HOST);
    for (const place of ['loss', 'viewer:pictures', null]) {
      view.fullScreenCard = place;
      settle();
    }
    expect(browser.location.hash).toBe('#timeseries');
    view.dashboard = 'images';
    settle();
    view.dashboard = 'timeseries';
    view.fullScreenCard = 'loss';
    settle();
    view.fullScreenCard = null;
    settle();
    browser.back();
    settle();
    expect(view.dashboard).toBe('images');
  });

  test('two things closed in one moment lead back to what they lay over, and no further', () => {
    open(`${HOST}#text`);
    view.dashboard = 'timeseries';
    settle();
    for (const place of ['loss', 'viewer:pictures']) {
      view.fullScreenCard = place;
      settle();
    }
    view.fullScreenCard = 'loss';
    flushSync();
    view.fullScreenCard = null;
    flushSync();
    settle();
    settle();
    expect([view.dashboard, view.fullScreenCard]).toEqual(['timeseries', null]);
    expect(browser.location.hash).toBe('#timeseries');
  });

  test('of a link to full screen stays where it is when that is left', () => {
    open(`${HOST}#timeseries&full=loss`);
    view.fullScreenCard = null;
    settle();
    expect(browser.entries.map(({ url }) => url.slice(HOST.length))).toEqual(['#timeseries']);
  });

  test('is written in place where the browser does not go back', () => {
    open(HOST);
    view.fullScreenCard = 'loss';
    settle();
    browser.history.go = () => undefined;
    view.fullScreenCard = null;
    settle();
    settle();
    expect(browser.location.hash).toBe('#timeseries');
    expect(browser.entries.length).toBe(2);
  });

  test('what was left a moment ago is in no entry that Back leads to', () => {
    open(HOST);
    view.fullScreenCard = 'loss';
    settle();
    view.fullScreenCard = null;
    flushSync();
    view.fullScreenCard = 'accuracy';
    settle();
    expect(browser.entries.map(({ url }) => url.slice(HOST.length))).toEqual([
      '#timeseries',
      '#timeseries&full=accuracy',
    ]);
  });

  test('gives a link at any moment', () => {
    open(HOST);
    view.tagFilter = 'loss';
    expect(sync.link).toContain(`${HOST}#timeseries&tagFilter=loss`);
  });
});

describe('navigation', () => {
  test('Back leaves full screen and keeps what was set there', () => {
    open(HOST);
    settle();
    view.fullScreenCard = 'loss';
    settle();
    view.smoothing = { kind: 'ema', amount: 0.1 };
    settle();
    browser.back();
    settle();
    expect(view.fullScreenCard).toBeNull();
    expect(view.smoothing.amount).toBe(0.1);
    expect(browser.location.hash).toBe('#timeseries&smoothing=0.1');
    expect(browser.entries.length).toBe(2);
  });

  test('Forward leaves what the entry says for a moment: what was opened there reads it', () => {
    open(HOST);
    view.fullScreenCard = 'loss';
    settle();
    const said = browser.location.hash;
    browser.back();
    settle();
    view.smoothing = { kind: 'ema', amount: 0.1 };
    settle();
    browser.forward();
    vi.advanceTimersByTime(200);
    expect(browser.location.hash).toBe(said);
    settle();
    expect(browser.location.hash).toBe('#timeseries&smoothing=0.1&full=loss');
  });

  test('a URL that is typed is taken as a whole', () => {
    open(`${HOST}#timeseries&smoothing=0.1&tagFilter=acc`);
    browser.type(`${HOST}#scalars&regexInput=baseline`);
    settle();
    expect(view).toMatchObject({
      dashboard: 'scalars',
      runFilter: 'baseline',
      tagFilter: '',
      smoothing: { amount: 0.6 },
    });
    expect(browser.location.hash).toBe('#scalars&runFilter=baseline');
  });
});

describe('what Back and Forward restore', () => {
  const tagFilterAfter = (move: () => void): string => {
    move();
    settle();
    return view.tagFilter;
  };

  test('of another address on the same dashboard: all of it', () => {
    open(`${HOST}#text&tagFilter=notes&smoothing=0.1`);
    browser.type(`${HOST}#text&tagFilter=german`);
    settle();
    expect(tagFilterAfter(() => browser.back())).toBe('notes');
    expect(view.smoothing.amount).toBe(0.1);
    expect(browser.location.hash).toBe('#text&tagFilter=notes&smoothing=0.1');
    expect(tagFilterAfter(() => browser.forward())).toBe('german');
    expect(view.smoothing.amount).toBe(0.6);
    expect(browser.entries.length).toBe(2);
  });

  test('of another address after a reload, with what was set there', () => {
    open(`${HOST}#text&tagFilter=notes`);
    view.tagFilter = 'notes/a';
    settle();
    browser.type(`${HOST}#text&tagFilter=german`);
    settle();
    sync.destroy();
    openIn(browser.reloaded());
    expect(tagFilterAfter(() => browser.back())).toBe('notes/a');
  });

  test('of a full screen in another address: where it was, too', () => {
    open(`${HOST}#timeseries&tagFilter=loss`);
    view.fullScreenCard = 'loss';
    settle();
    browser.type(`${HOST}#timeseries&tagFilter=acc`);
    settle();
    expect(tagFilterAfter(() => browser.back())).toBe('loss');
    expect(view.fullScreenCard).toBe('loss');
    expect(tagFilterAfter(() => browser.back())).toBe('loss');
    expect(view.fullScreenCard).toBeNull();
  });

  test('of another dashboard: what it showed; what was set or made since stays', () => {
    open(`${HOST}#timeseries`);
    view.dashboard = 'images';
    settle();
    view.tagFilter = 'samples';
    view.kindWords = { step: '30' };
    view.selection = { rule: 'none', except: ['a'] };
    view.smoothing = { kind: 'ema', amount: 0.2 };
    view.sections = [{ name: 'Mine', cards: ['loss'], spans: {} }] as unknown as typeof view.sections;
    view.pins = ['loss'];
    settle();
    browser.back();
    settle();
    expect(view).toMatchObject({
      dashboard: 'timeseries',
      tagFilter: '',
      kindWords: {},
      selection: defaultView().selection,
      smoothing: { amount: 0.2 },
      pins: ['loss'],
    });
    expect(view.sections.map(({ name }) => name)).toEqual(['Mine']);
    browser.forward();
    settle();
    expect(view).toMatchObject({ dashboard: 'images', tagFilter: 'samples', kindWords: { step: '30' } });
  });

  test('of another dashboard: how sounds are played and pictures drawn is not what it showed', () => {
    open(`${HOST}#images&media=step:3,tile:300`);
    view.dashboard = 'audio';
    settle();
    view.kindWords = { step: '9', tile: '300', volume: '50', normalise: 'peak' };
    settle();
    browser.back();
    settle();
    expect(view.kindWords).toEqual({ step: '3', tile: '300', volume: '50', normalise: 'peak' });
  });

  test.each([
    ['step', { from: 10, to: 20 }],
    ['wall', null],
  ] as const)('of another dashboard: a stretch of x only where x is what it was (%s)', (xAxis, xRange) => {
    open(`${HOST}#timeseries&xrange=10..20`);
    const range = view.xRange;
    view.dashboard = 'scalars';
    settle();
    view.xRange = null;
    view.xAxis = xAxis;
    settle();
    browser.back();
    settle();
    expect(view.xRange).toEqual(xRange === null ? null : range);
  });

  test('of a saved view: what it says, not only what the address adds to it', () => {
    const named = { name: 'mine', revision: '1', view: { ...defaultView(), tagFilter: 'loss' } };
    open(HOST);
    sync.open(named);
    settle();
    view.dashboard = 'images';
    settle();
    view.tagFilter = 'samples';
    settle();
    expect(tagFilterAfter(() => browser.back())).toBe('loss');
    expect(sync.named?.name).toBe('mine');
    expect(sync.wanted).toBeNull();
  });
});

describe('what was used last', () => {
  function useAndLeave(): void {
    open(HOST);
    view.smoothing = { kind: 'gaussian', amount: 5 };
    view.pins = ['loss'];
    view.tagFilter = 'only now';
    view.table = { ...view.table, columns: ['status', 'metric:loss'] };
    settle();
    sync.destroy();
  }

  test('is where a URL that says nothing starts', () => {
    useAndLeave();
    open(`${HOST}#scalars`);
    expect(view).toMatchObject({
      dashboard: 'scalars',
      smoothing: { kind: 'gaussian', amount: 5 },
      pins: ['loss'],
      tagFilter: '',
      table: { columns: ['status', 'metric:loss'] },
    });
  });

  test('does not change what a link says, beyond pins and columns', () => {
    useAndLeave();
    open(`${HOST}#scalars&tagFilter=acc`);
    expect(view).toMatchObject({
      smoothing: { kind: 'ema', amount: 0.6 },
      pins: ['loss'],
      table: { columns: ['status', 'metric:loss'] },
    });
  });
});

test('a copied link looks the same in a browser with other habits', () => {
  open(HOST);
  const mine = view.plain;
  const { link } = sync;
  sync.destroy();
  open(HOST);
  view.pins = ['loss'];
  view.table = { ...view.table, columns: ['points'] };
  view.table = { ...view.table, widths: { points: 200 } };
  view.smoothing = { kind: 'ema', amount: 0.1 };
  settle();
  sync.destroy();
  open(link);
  expect(view.plain).toEqual(mine);
});

describe('a choice of runs that is too long', () => {
  const except = Array.from({ length: 1000 }, (_, i) => `experiment/run_${i}`);
  const savedCount = (): number => (saved.storage.read('selections.1') as unknown[]).length;

  test('is kept once per tab while it is changed, and for good where a link names it', () => {
    open(HOST);
    for (let i = 0; i < 3; i++) {
      view.selection = { rule: 'none', except: except.slice(i) };
      settle();
    }
    expect(savedCount()).toBe(1);
    const { link } = sync;
    view.selection = { rule: 'none', except: except.slice(9) };
    settle();
    expect(savedCount()).toBe(2);
    sync.destroy();
    open(link);
    expect(view.selection).toEqual({ rule: 'none', except: except.slice(2) });
  });

  test('pushes out the oldest before the storage is full', () => {
    const long = Array.from({ length: 4000 }, (_, i) => `${'experiment/'.repeat(9)}run_${i}`);
    for (let i = 0; i < 4; i++) {
      open(HOST);
      view.selection = { rule: 'none', except: long.slice(i) };
      settle();
      sync.destroy();
    }
    expect(savedCount()).toBe(2);
    expect(saved.texts.get('sightline.selections.1')!.length).toBeLessThan(1_200_000);
    open(browser.location.href);
    expect(view.selection).toEqual({ rule: 'none', except: long.slice(3) });
  });

  test('stays in this browser, and is announced once', () => {
    open(HOST);
    view.selection = { rule: 'none', except };
    settle();
    view.tagFilter = 'x';
    settle();
    const url = browser.location.href;
    expect(url.length).toBeLessThan(200);
    expect(announce).toHaveBeenCalledOnce();
    sync.destroy();
    open(url);
    expect(view.selection).toEqual({ rule: 'none', except });
  });

  test('that this browser does not know leaves the rule, and says so', () => {
    open(`${HOST}#timeseries&runs=none&saved=abc`);
    expect(view.selection).toEqual({ rule: 'none', except: [] });
    expect(announce).toHaveBeenCalledOnce();
  });
});

describe('a saved view in the URL', () => {
  const losses = (): OpenView => {
    const any = defaultView();
    any.dashboard = 'scalars';
    any.smoothing = { kind: 'ema', amount: 0.9 };
    any.tagFilter = 'loss';
    any.sections = [{ name: 'S', cards: ['a', 'b'] }];
    return { name: 'my view', view: any, revision: '1' };
  };

  test('is wanted, and nothing is written before it is there', () => {
    open(`${HOST}#view=my%20view&tagFilter=acc`);
    expect(sync.wanted).toEqual({ name: 'my view', isDefault: false });
    view.tooltipRows = 9;
    settle();
    expect(browser.location.hash).toBe('#view=my%20view&tagFilter=acc');
    sync.openWanted(losses());
    settle();
    expect(view.plain).toMatchObject({ dashboard: 'scalars', tagFilter: 'acc', smoothing: { amount: 0.9 } });
    expect(browser.location.hash).toBe('#scalars&view=my%20view&tagFilter=acc');
  });

  test('says what differs, also where that is the page’s default', () => {
    open(HOST);
    sync.open(losses());
    settle();
    expect(browser.location.hash).toBe('#scalars&view=my%20view');
    view.smoothing = { kind: 'ema', amount: 0.6 };
    view.sections = [{ name: 'S', cards: ['b'] }];
    view.tagFilter = '';
    settle();
    expect(browser.location.hash).toBe('#scalars&view=my%20view&reset=tagFilter,smoothing&section=S,b');
    const { href } = browser.location;
    const shown = view.plain;
    sync.destroy();
    open(href);
    sync.openWanted(losses());
    settle();
    expect(view.plain).toEqual(shown);
  });

  test('any view comes back by the name of any other and what differs', () => {
    fc.assert(
      fc.property(anyView, anyView, (base, any) => {
        const named = { name: 'x', view: { ...base, fullScreenCard: null } };
        const { hash } = formatView(any, { named, nameOfSaved: () => null });
        const back = parseView(hash, '', namedWords(named.view)).view;
        expect(JSON.parse(JSON.stringify(back))).toEqual(JSON.parse(JSON.stringify(any)));
      }),
      { numRuns: 200 },
    );
  });

  test('that is not there is given up with a word, the default one without', () => {
    open(`${HOST}#view=gone&tagFilter=acc`);
    sync.giveUp('There is none');
    settle();
    expect(announce).toHaveBeenCalledExactlyOnceWith('There is none');
    expect(browser.location.hash).toBe('#timeseries&tagFilter=acc');
    sync.destroy();
    sync.rememberDefault('first');
    open(HOST);
    expect(sync.wanted).toEqual({ name: 'first', isDefault: true });
    sync.giveUp('There is none');
    expect(announce).toHaveBeenCalledOnce();
  });

  test('by default comes late only to who has done nothing', () => {
    open(HOST);
    expect(sync.isUntouched).toBe(true);
    view.tagFilter = 'mine';
    expect(sync.isUntouched).toBe(false);
    sync.destroy();
    open(`${HOST}#timeseries&tagFilter=x`);
    expect(sync.isUntouched).toBe(false);
  });

  test('can be left although it is the default, for good', () => {
    open(HOST);
    sync.rememberDefault('my view');
    sync.open(losses());
    sync.leave();
    settle();
    expect(browser.location.hash).toContain('#scalars&view=&');
    const { href } = browser.location;
    sync.destroy();
    open(href);
    expect(sync.wanted).toBeNull();
    settle();
    expect(browser.location.href).toBe(href);
  });

  test('what is too long for a link is said once', () => {
    open(HOST);
    view.sections = [{ name: 'S', cards: Array.from({ length: 900 }, (_, i) => `some/long/tag/${i}`) }];
    settle();
    view.tagFilter = 'x';
    settle();
    expect(announce).toHaveBeenCalledOnce();
    expect(announce.mock.calls[0]![0]).toContain('Save the view');
  });
});
