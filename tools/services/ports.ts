import { createServer } from 'node:net';

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? address?.port : undefined));
    });
  });
}

/** The preferred port if it is free, so that URLs survive a restart, else any free one. */
export async function freePort(preferred?: number): Promise<number> {
  const port = (preferred && (await tryPort(preferred))) || (await tryPort(0));
  if (!port) throw new Error('No free port on 127.0.0.1.');
  return port;
}
