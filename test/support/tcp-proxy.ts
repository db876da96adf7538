import { createServer, type Server, Socket } from 'node:net';

/**
 * Stands between a client and a server, so that a test can take the server away without harming it for
 * others.
 */
export interface TcpProxy {
  /** The target's URL, by way of the proxy. */
  url: string;
  /** Ends all connections and refuses new ones, as a server that is down. */
  cut(): Promise<void>;
  /** Keeps all connections and takes new ones, but nothing gets through, as with a server that hangs. */
  freeze(): void;
  /** As it was at the start; connections that were cut stay cut. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

export async function startTcpProxy(targetUrl: string): Promise<TcpProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let frozen = false;

  const server: Server = createServer((client) => {
    const upstream = new Socket();
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
      if (frozen) from.pause();
    }
    upstream.connect(Number(target.port), target.hostname);
  });

  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });

  await listen(0);
  const { port } = server.address() as { port: number };
  const url = new URL(targetUrl);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.toString(),
    cut,
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    async restore() {
      frozen = false;
      for (const socket of sockets) socket.resume();
      if (!server.listening) await listen(port);
    },
    close: cut,
  };
}
