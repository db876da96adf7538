import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '../../tools/services/ports.js';

/** Linux gives ports from here on to sockets that ask for any port, unless it is configured otherwise. */
const FIRST_OF_ANY = 32_768;

test('free ports differ, and a socket that asks for any port gets none of them', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
  expect(new Set(ports).size).toBe(20);
  expect(Math.max(...ports)).toBeLessThan(FIRST_OF_ANY);
});

test('a preferred port is returned if it is free, another port if it is not', async () => {
  const preferred = await freePort();
  expect(await freePort(preferred)).toBe(preferred);
  const server = createServer().listen(preferred, '127.0.0.1');
  await once(server, 'listening');
  const other = await freePort(preferred);
  server.close();
  expect(other).not.toBe(preferred);
});
