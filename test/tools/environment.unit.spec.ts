import { createServer } from 'node:net';

interface Environment {
  openResources: () => Map<string, number>;
  leftOpen: (before: Map<string, number>, withinMs: number) => Promise<string[]>;
}

const { leftOpen, openResources } = jest.requireActual<Environment>('../support/environment.cjs');

test('a file that leaves a server or a timer open fails, and one that closes them passes', async () => {
  const before = openResources();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Ten, because a few timers of Jest may end between the two counts.
  const timers = Array.from({ length: 10 }, () => setTimeout(() => undefined, 60_000));
  expect(await leftOpen(before, 0)).toEqual(expect.arrayContaining(['TCPServerWrap', 'Timeout']));
  timers.forEach(clearTimeout);
  server.close();
  expect(await leftOpen(before, 10_000)).toEqual([]);
});

test('resources that close in time pass', async () => {
  const before = openResources();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  setTimeout(() => server.close(), 50);
  expect(await leftOpen(before, 10_000)).toEqual([]);
});
