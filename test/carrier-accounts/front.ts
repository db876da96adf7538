import { createServer, request as send, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';

/** Stands in front of the API, as a proxy at its public address, so that this is known before the API starts. */
export class Front {
  /** The API's URL. */
  target = '';
  /** Changes the path of a request, as a proxy that leads elsewhere. */
  path: (path: string) => string = (path) => path;
  /** Ends each connection, as a host that is not there. */
  isDown = false;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Front> {
    const server = createServer((incoming, outgoing) => {
      if (front.isDown) return incoming.socket.destroy();
      const { method, headers, url = '/' } = incoming;
      const passed = send(new URL(front.path(url), front.target), { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      passed.on('error', () => outgoing.destroy());
      incoming.pipe(passed);
    });
    const front = new Front(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return front;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }
}
