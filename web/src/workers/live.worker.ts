// A SharedWorker: one for all tabs of the page in this browser, and in it one stream of live events for all of them.
import { EventHub, type HubRequest } from '../wire/event-hub';

const hub = new EventHub();

/** TypeScript's DOM library does not know the inside of a SharedWorker. */
interface SharedWorkerScope {
  onconnect: ((event: MessageEvent) => void) | null;
}

(self as unknown as SharedWorkerScope).onconnect = (event) => {
  const port = event.ports[0];
  if (port === undefined) return;
  port.onmessage = (message: MessageEvent<HubRequest>) => {
    hub.handle(port, message.data);
  };
};
