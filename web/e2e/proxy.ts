// A reverse proxy as people put one in front of the server: it lives below a path of its own, which it takes away from
// what it passes on, and the server behind it knows nothing of that. Streams are passed on as they come.
import { createServer, request, type Server as HttpServer } from 'node:http';

export class Proxy {
  private constructor(
    private readonly server: HttpServer,
    readonly url: string,
  ) {}

  /** `prefix` like "/lab/user/proxy/6006". */
  static async start(targetPort: number, prefix: string): Promise<Proxy> {
    const server = createServer((incoming, outgoing) => {
      const path = incoming.url ?? '/';
      if (!path.startsWith(`${prefix}/`)) {
        outgoing.writeHead(404).end();
        return;
      }
      const { method, headers } = incoming;
      const options = {
        host: '127.0.0.1',
        port: targetPort,
        method,
        headers,
        path: path.slice(prefix.length),
      };
      const passed = request(options, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      passed.on('error', () => outgoing.destroy());
      outgoing.on('close', () => passed.destroy());
      incoming.pipe(passed);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    return new Proxy(server, `http://127.0.0.1:${address.port}${prefix}/`);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
