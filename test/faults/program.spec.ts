import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Program } from '../../tools/faults/program.js';
import { freePort } from '../../tools/services/ports.js';
import { eventually } from '../support/eventually.js';

const ENTRY = `
  const { createServer } = require('node:http');
  process.on('SIGTERM', () => process.exit(1));
  createServer(({ url }, response) => response.end('', () => url === '/crash' && process.exit(1)))
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
    ...{ dist: directory, entry: 'entry', env: { PORT: String(port) } },
    ...{ logFile: join(directory, 'log'), readyUrl: url },
  });
  await program.start();
  await program.kill();
  await program.start();
  await program.terminate();
  expect(program.crashes).toEqual([]);
  await program.start();
  await fetch(`${url}/crash`).catch(() => undefined);
  const crashes = () => Promise.resolve(program.crashes.length);
  await eventually(crashes, (count) => count > 0);
  expect(program.crashes).toEqual([1]);
});
