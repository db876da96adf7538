import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * By default, neither Linux nor macOS nor Windows gives a port of this range to a socket that asks for any
 * port. So a free port stays free until its program listens, unless another process draws it, too.
 */
const FIRST = 15_000;
const END = 32_000;
const DRAWS = 100;

/** The ports that this process has drawn. It draws none twice, because their programs may not listen yet. */
const drawn = new Set<number>();

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** The preferred port if it is free, so that URLs survive a restart, else a random free one. */
export async function freePort(preferred?: number): Promise<number> {
  if (preferred && (await isFree(preferred))) return preferred;
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const port = randomInt(FIRST, END);
    if (drawn.has(port)) continue;
    drawn.add(port);
    if (await isFree(port)) return port;
  }
  throw new Error('No free port on 127.0.0.1.');
}
