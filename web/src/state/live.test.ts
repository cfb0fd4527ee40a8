// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { HubRequest } from '../wire/event-hub';
import { EventStream, type StreamMessage } from '../wire/event-stream';
import { LiveEvents, type LiveWorker } from './live';

class ScriptedWorker implements LiveWorker {
  onerror: ((event: ErrorEvent) => void) | null = null;
  readonly requests: HubRequest[] = [];
  readonly port: LiveWorker['port'] = {
    onmessage: null,
    postMessage: (request) => void this.requests.push(request),
    close: () => undefined,
  };

  say(message: StreamMessage): void {
    this.port.onmessage?.(new MessageEvent('message', { data: message }));
  }
}

let worker: ScriptedWorker | null;
let ownStreams: EventStream[];
const onMessage = vi.fn<(message: StreamMessage) => void>();
const live: StreamMessage = { type: 'state', state: 'live' };

function makeLive(): LiveEvents {
  return new LiveEvents({
    url: 'events',
    onMessage,
    startWorker: () => worker,
    makeStream: (url, listener) => {
      const stream = new EventStream(url, listener, () => ({
        onerror: null,
        addEventListener: () => undefined,
        close: () => undefined,
      }));
      vi.spyOn(stream, 'start');
      vi.spyOn(stream, 'stop');
      ownStreams.push(stream);
      return stream;
    },
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  onMessage.mockReset();
  worker = new ScriptedWorker();
  ownStreams = [];
});

afterEach(() => {
  vi.useRealTimers();
});

describe('LiveEvents', () => {
  test('shares the worker’s stream', () => {
    makeLive();
    expect(worker!.requests).toEqual([{ type: 'open', url: 'events' }]);
    worker!.say(live);
    expect(onMessage).toHaveBeenCalledWith(live);
    vi.advanceTimersByTime(60_000);
    expect(ownStreams).toEqual([]);
  });

  test('opens its own stream where there are no shared workers', () => {
    worker = null;
    makeLive();
    expect(ownStreams.length).toBe(1);
    expect(ownStreams[0]!.start).toHaveBeenCalledOnce();
  });

  test('opens its own stream when the worker fails or stays silent', () => {
    makeLive();
    worker!.onerror?.(new ErrorEvent('error'));
    expect(ownStreams.length).toBe(1);
    worker = new ScriptedWorker();
    makeLive();
    vi.advanceTimersByTime(10_000);
    expect(ownStreams.length).toBe(2);
    expect(worker.requests.at(-1)).toEqual({ type: 'close' });
  });

  test('opens its own stream when the worker ends while it connects', () => {
    makeLive();
    worker!.say({ type: 'state', state: 'connecting' });
    vi.advanceTimersByTime(10_000);
    expect(ownStreams.length).toBe(1);
  });

  test('a hidden tab gives up its own stream until it is seen', () => {
    worker = null;
    const events = makeLive();
    events.pause();
    expect(ownStreams[0]!.stop).toHaveBeenCalled();
    events.resume();
    expect(ownStreams[0]!.start).toHaveBeenCalledTimes(2);
  });

  test('a page that goes away leaves the worker, and comes back from the page cache', () => {
    const events = makeLive();
    events.leave();
    events.resume();
    events.reopen();
    expect(worker!.requests.map(({ type }) => type)).toEqual(['open', 'close', 'open', 'reopen']);
  });
});
