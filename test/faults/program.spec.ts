import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program } from '../../tools/faults/program.js';
import { freePort } from '../../tools/services/ports.js';
import { eventually } from '../support/eventually.js';

const ENTRY = `
  const { createServer } = require('node:http');
  process.on('SIGTERM', () => process.exit(1));
  const ends = { '/exit': () => process.exit(1), '/signal': () => process.kill(process.pid, 'SIGHUP') };
  createServer(({ url }, response) => response.end('', () => ends[url]?.()))
    .listen(Number(process.env.PORT), '127.0.0.1');`;

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'outdial-program-'));
  writeFileSync(join(directory, 'entry.js'), ENTRY);
});
afterAll(() => rmSync(directory, { recursive: true }));

test('a program that ends by itself has crashed; one that is killed or told to end has not', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = new Program({
    dist: directory,
    entry: 'entry',
    env: { PORT: String(port) },
    logFile: join(directory, 'log'),
    readyUrl: url,
  });
  await program.start();
  await program.kill();
  await program.start();
  await program.terminate();
  expect(program.crashes).toEqual([]);
  for (const [path, crashes] of [
    ['/exit', [1]],
    ['/signal', [1, 'SIGHUP']],
  ] as const) {
    await program.start();
    await fetch(`${url}${path}`).catch(() => undefined);
    await eventually(
      () => Promise.resolve(program.running),
      (running) => !running,
    );
    expect(program.crashes).toEqual(crashes);
  }
});
