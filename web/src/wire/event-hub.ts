// Shares one event stream among all tabs of a browser. Browsers allow six connections per server, over all tabs: with a
// stream each, the seventh tab would hang. Lives in workers/live.worker.ts; kept apart from it so that it can be tested.
import { EventStream, type StreamMessage } from './event-stream';

/** What a tab tells the hub. open: with the address of its server's events; reopen: the stream seems to be dead. */
export type HubRequest =
  { readonly type: 'open' | 'reopen'; readonly url: string } | { readonly type: 'close' };

/** The part of a MessagePort that is needed. */
export interface HubPort {
  postMessage(message: StreamMessage): void;
}

interface Channel {
  readonly stream: EventStream;
  readonly ports: Set<HubPort>;
  /** The last of each, for tabs that come later. */
  state: StreamMessage;
  hello: StreamMessage | null;
}

export class EventHub {
  readonly #makeStream: (url: string, onMessage: (message: StreamMessage) => void) => EventStream;
  readonly #channels = new Map<string, Channel>();

  constructor(
    makeStream = (url: string, onMessage: (message: StreamMessage) => void) =>
      new EventStream(url, onMessage),
  ) {
    this.#makeStream = makeStream;
  }

  handle(port: HubPort, request: HubRequest): void {
    if (request.type === 'close') {
      this.#leave(port);
      return;
    }
    const known = this.#channels.get(request.url);
    if (known === undefined) {
      this.#start(request.url, port);
    } else if (request.type === 'reopen') {
      known.ports.add(port);
      known.stream.start();
    } else {
      known.ports.add(port);
      port.postMessage(known.state);
      if (known.hello) port.postMessage(known.hello);
    }
  }

  #start(url: string, port: HubPort): void {
    const stream = this.#makeStream(url, (message) => {
      if (message.type === 'state') channel.state = message;
      if (message.type === 'hello') channel.hello = message;
      for (const each of channel.ports) each.postMessage(message);
    });
    const channel: Channel = {
      stream,
      ports: new Set([port]),
      state: { type: 'state', state: 'connecting' },
      hello: null,
    };
    this.#channels.set(url, channel);
    stream.start();
  }

  #leave(port: HubPort): void {
    for (const [url, channel] of this.#channels) {
      channel.ports.delete(port);
      if (channel.ports.size > 0) continue;
      channel.stream.stop();
      this.#channels.delete(url);
    }
  }
}
