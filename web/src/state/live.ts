// Brings the server's live events to this page: through a SharedWorker where the browser has one, so that all tabs share
// a stream, else through a stream of its own. A tab that is hidden gives up a stream of its own; becoming visible opens
// it again, and its hello lets sync.ts find out what was missed.
import type { HubRequest } from '../wire/event-hub';
import { EventStream, type StreamMessage } from '../wire/event-stream';

/** A worker that has neither reached the server nor failed to for this long does not work here. */
const WORKER_PATIENCE_MS = 4000;

/** The part of a SharedWorker that is needed. */
export interface LiveWorker {
  readonly port: {
    onmessage: ((event: MessageEvent<StreamMessage>) => void) | null;
    postMessage(request: HubRequest): void;
    close(): void;
  };
  onerror: ((event: ErrorEvent) => void) | null;
}

function startWorker(): LiveWorker | null {
  if (typeof SharedWorker === 'undefined') return null;
  try {
    return new SharedWorker(new URL('../workers/live.worker.ts', import.meta.url), { type: 'module' });
  } catch {
    return null;
  }
}

export interface LiveOptions {
  readonly url: string;
  readonly onMessage: (message: StreamMessage) => void;
  /** Replaced by tests. */
  readonly startWorker?: () => LiveWorker | null;
  readonly makeStream?: (url: string, onMessage: (message: StreamMessage) => void) => EventStream;
}

export class LiveEvents {
  readonly #options: LiveOptions;
  #worker: LiveWorker | null = null;
  #stream: EventStream | null = null;
  #patience: ReturnType<typeof setTimeout> | undefined;

  constructor(options: LiveOptions) {
    this.#options = options;
    const worker = (options.startWorker ?? startWorker)();
    if (worker === null) {
      this.#openOwn();
      return;
    }
    this.#worker = worker;
    worker.port.onmessage = ({ data }) => {
      // A page that is loaded again may reach the worker of the last one, which says that it connects and is ended then.
      if (data.type !== 'state' || data.state !== 'connecting') clearTimeout(this.#patience);
      options.onMessage(data);
    };
    worker.onerror = () => {
      this.#openOwn();
    };
    this.#patience = setTimeout(() => {
      this.#openOwn();
    }, WORKER_PATIENCE_MS);
    worker.port.postMessage({ type: 'open', url: options.url });
  }

  /** The stream seems to be dead, or should look again at once. */
  reopen(): void {
    if (this.#worker) this.#worker.port.postMessage({ type: 'reopen', url: this.#options.url });
    else this.#stream?.start();
  }

  /** The page is out of sight. */
  pause(): void {
    this.#stream?.stop();
  }

  /** The page is seen again, or came back from the browser's page cache. */
  resume(): void {
    if (this.#worker) this.#worker.port.postMessage({ type: 'open', url: this.#options.url });
    else this.#stream?.start();
  }

  /** The page goes away, maybe into the browser's page cache: see resume. */
  leave(): void {
    this.#worker?.port.postMessage({ type: 'close' });
    this.#stream?.stop();
  }

  destroy(): void {
    clearTimeout(this.#patience);
    this.leave();
    this.#worker?.port.close();
    this.#worker = null;
    this.#stream = null;
  }

  #openOwn(): void {
    clearTimeout(this.#patience);
    if (this.#worker) {
      this.#worker.port.postMessage({ type: 'close' });
      this.#worker.port.onmessage = null;
      this.#worker = null;
    }
    const { url, onMessage } = this.#options;
    this.#stream ??= this.#options.makeStream?.(url, onMessage) ?? new EventStream(url, onMessage);
    this.#stream.start();
  }
}
