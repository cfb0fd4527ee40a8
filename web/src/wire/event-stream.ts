// The live events of the server: which runs grew, how far reading is, that somebody edited something. Reconnects by
// itself, at first quickly, then every five seconds: a restarted server is back on screen at once, a dead one is not
// hammered. The browser's own reconnection is not used, because it gives up for good after some errors (a proxy's 502) and
// waits as long as it likes.
//
// A lost connection needs no replay: whoever listens asks the server what changed since the revision it knows.
import type { ChangeEvent, Hello, ReadProgress, WorkspaceEvent } from './generated';

export type StreamState = 'connecting' | 'live' | 'lost';

export type StreamMessage =
  | { readonly type: 'state'; readonly state: StreamState }
  | { readonly type: 'hello'; readonly data: Hello }
  | { readonly type: 'change'; readonly data: ChangeEvent }
  | { readonly type: 'progress'; readonly data: ReadProgress }
  | { readonly type: 'workspace'; readonly data: WorkspaceEvent };

/** The part of the browser's EventSource that is needed. */
export interface EventSourceLike {
  onerror: ((event: Event) => void) | null;
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void;
  close(): void;
}

const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 5000;

const openEventSource = (url: string): EventSourceLike => new EventSource(url);

export class EventStream {
  readonly #url: string;
  readonly #onMessage: (message: StreamMessage) => void;
  readonly #open: (url: string) => EventSourceLike;
  #source: EventSourceLike | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #delayMs = FIRST_DELAY_MS;

  constructor(url: string, onMessage: (message: StreamMessage) => void, open = openEventSource) {
    this.#url = url;
    this.#onMessage = onMessage;
    this.#open = open;
  }

  /** Begins, or begins anew: at once, whatever the delay was. */
  start(): void {
    this.stop();
    this.#delayMs = FIRST_DELAY_MS;
    this.#onMessage({ type: 'state', state: 'connecting' });
    this.#connect();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = null;
  }

  #connect(): void {
    const source = this.#open(this.#url);
    this.#source = source;
    source.addEventListener('hello', (event) => {
      if (this.#source !== source) return;
      this.#delayMs = FIRST_DELAY_MS;
      this.#onMessage({ type: 'state', state: 'live' });
      this.#relay('hello', event);
    });
    for (const type of ['change', 'progress', 'workspace'] as const) {
      source.addEventListener(type, (event) => {
        if (this.#source === source) this.#relay(type, event);
      });
    }
    source.onerror = () => {
      if (this.#source !== source) return;
      source.close();
      this.#source = null;
      this.#onMessage({ type: 'state', state: 'lost' });
      this.#timer = setTimeout(() => {
        this.#connect();
      }, this.#delayMs);
      this.#delayMs = Math.min(this.#delayMs * 2, LONGEST_DELAY_MS);
    };
  }

  #relay(type: Exclude<StreamMessage['type'], 'state'>, event: MessageEvent<string>): void {
    let data: unknown;
    try {
      data = JSON.parse(event.data);
    } catch {
      // Cut off in the middle by a proxy; the next poll will find what it said.
      return;
    }
    this.#onMessage({ type, data } as StreamMessage);
  }
}
