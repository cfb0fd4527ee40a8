import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { EventHub, type HubPort } from './event-hub';
import { EventStream, type EventSourceLike, type StreamMessage } from './event-stream';

/** An EventSource that says what the test tells it to. */
class ScriptedSource implements EventSourceLike {
  onerror: ((event: Event) => void) | null = null;
  isClosed = false;
  readonly #listeners = new Map<string, (event: MessageEvent<string>) => void>();

  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void {
    this.#listeners.set(type, listener);
  }

  close(): void {
    this.isClosed = true;
  }

  say(type: string, data: unknown): void {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    this.#listeners.get(type)?.(new MessageEvent(type, { data: text }));
  }

  fail(): void {
    this.onerror?.(new Event('error'));
  }
}

let sources: ScriptedSource[];
let heard: StreamMessage[];
const open = (): ScriptedSource => {
  const source = new ScriptedSource();
  sources.push(source);
  return source;
};
const last = (): ScriptedSource => sources.at(-1)!;
const states = (): string[] => heard.flatMap((message) => (message.type === 'state' ? [message.state] : []));

beforeEach(() => {
  vi.useFakeTimers();
  sources = [];
  heard = [];
});

afterEach(() => {
  vi.useRealTimers();
});

describe('EventStream', () => {
  const start = (): EventStream => {
    const stream = new EventStream('events', (message) => heard.push(message), open);
    stream.start();
    return stream;
  };

  test('is live from the hello on and relays what comes', () => {
    start();
    expect(states()).toEqual(['connecting']);
    last().say('hello', { server_id: 's', revision: 1 });
    last().say('change', { revision: 2 });
    last().say('workspace', { version: 7 });
    expect(states()).toEqual(['connecting', 'live']);
    expect(heard.map(({ type }) => type)).toEqual(['state', 'state', 'hello', 'change', 'workspace']);
    expect(heard.at(-1)).toEqual({ type: 'workspace', data: { version: 7 } });
  });

  test('reconnects with growing pauses of five seconds at most', () => {
    start();
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 7; attempt++) {
      const count = sources.length;
      last().fail();
      let pause = 0;
      while (sources.length === count) {
        vi.advanceTimersByTime(50);
        pause += 50;
      }
      pauses.push(pause);
    }
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
  });

  test('starts with short pauses again after it was live', () => {
    start();
    for (let attempt = 0; attempt < 4; attempt++) {
      last().fail();
      vi.advanceTimersByTime(5000);
    }
    last().say('hello', { server_id: 's', revision: 1 });
    last().fail();
    const count = sources.length;
    vi.advanceTimersByTime(250);
    expect(sources.length).toBe(count + 1);
  });

  test('closes the broken source and hears nothing from it any more', () => {
    start();
    const first = last();
    first.fail();
    vi.advanceTimersByTime(250);
    first.say('change', { revision: 9 });
    first.fail();
    expect(first.isClosed).toBe(true);
    expect(heard.some(({ type }) => type === 'change')).toBe(false);
    expect(sources.length).toBe(2);
  });

  test('an event that was cut off is left out', () => {
    start();
    last().say('change', '{"revision": 1');
    expect(heard.some(({ type }) => type === 'change')).toBe(false);
  });

  test('stops', () => {
    const stream = start();
    last().fail();
    stream.stop();
    vi.advanceTimersByTime(60_000);
    expect(sources.length).toBe(1);
  });
});

describe('EventHub', () => {
  class Tab implements HubPort {
    readonly heard: StreamMessage[] = [];
    postMessage(message: StreamMessage): void {
      this.heard.push(message);
    }
  }
  const makeHub = (): EventHub => new EventHub((url, onMessage) => new EventStream(url, onMessage, open));

  test('opens one stream for all tabs of a server', () => {
    const hub = makeHub();
    const [a, b] = [new Tab(), new Tab()];
    hub.handle(a, { type: 'open', url: 'x' });
    hub.handle(b, { type: 'open', url: 'x' });
    last().say('change', { revision: 2 });
    expect(sources.length).toBe(1);
    expect(a.heard.at(-1)).toEqual(b.heard.at(-1));
  });

  test('greets a tab that comes later with what it missed', () => {
    const hub = makeHub();
    hub.handle(new Tab(), { type: 'open', url: 'x' });
    last().say('hello', { server_id: 's', revision: 4 });
    const late = new Tab();
    hub.handle(late, { type: 'open', url: 'x' });
    expect(late.heard).toEqual([
      { type: 'state', state: 'live' },
      { type: 'hello', data: { server_id: 's', revision: 4 } },
    ]);
  });

  test('keeps servers apart', () => {
    const hub = makeHub();
    const [a, b] = [new Tab(), new Tab()];
    hub.handle(a, { type: 'open', url: 'x' });
    hub.handle(b, { type: 'open', url: 'y' });
    last().say('change', { revision: 2 });
    expect(a.heard.some(({ type }) => type === 'change')).toBe(false);
    expect(b.heard.some(({ type }) => type === 'change')).toBe(true);
  });

  test('closes the stream with the last tab', () => {
    const hub = makeHub();
    const [a, b] = [new Tab(), new Tab()];
    hub.handle(a, { type: 'open', url: 'x' });
    hub.handle(b, { type: 'open', url: 'x' });
    hub.handle(a, { type: 'close' });
    expect(last().isClosed).toBe(false);
    hub.handle(b, { type: 'close' });
    expect(last().isClosed).toBe(true);
  });

  test('opens the stream anew when a tab finds it dead', () => {
    const hub = makeHub();
    const tab = new Tab();
    hub.handle(tab, { type: 'open', url: 'x' });
    const first = last();
    hub.handle(tab, { type: 'reopen', url: 'x' });
    expect(first.isClosed).toBe(true);
    expect(sources.length).toBe(2);
  });
});
