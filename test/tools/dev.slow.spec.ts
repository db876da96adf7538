import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../../tools/services/paths.js';
import { freePort } from '../../tools/services/ports.js';
import { waitForReady } from '../../tools/stack/processes.js';
import { eventually } from '../support/eventually.js';

const COPIED = [
  'src',
  'migrations',
  'packs',
  'tools',
  'nest-cli.json',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
];
const TITLE = 'This service places outbound voice-agent calls.';
const PAGE = 'src/http/home-page.tsx';

let directory: string;
let dev: ChildProcess;
let said = '';

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'outdial-dev-'));
  for (const entry of COPIED) {
    cpSync(join(repositoryRoot(), entry), join(directory, entry), { recursive: true });
  }
  symlinkSync(join(repositoryRoot(), 'node_modules'), join(directory, 'node_modules'));
});
afterAll(async () => {
  if (dev.exitCode === null && dev.kill('SIGTERM')) await once(dev, 'exit');
  rmSync(directory, { recursive: true, force: true });
});

const change = (from: string, to: string) => {
  const path = join(directory, PAGE);
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
};

test('a change of the sources is served, and sources that do not compile change nothing', async () => {
  const [port, workerPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: `${port}`,
    WORKER_PORT: `${workerPort}`,
  };
  dev = spawn(process.execPath, ['tools/bootstrap.cjs', 'tools/dev'], { cwd: directory, env });
  for (const stream of [dev.stdout, dev.stderr])
    stream?.on('data', (piece: Buffer) => (said += piece.toString()));
  const home = async () => {
    const answer = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => null);
    return (await answer?.text()) ?? '';
  };
  await waitForReady(`${url}/health/ready`, 180_000);
  expect(await home()).toContain(TITLE);

  change(TITLE, '{ broken');
  await eventually(
    () => Promise.resolve(said),
    (text) => text.includes('The build failed.'),
    120_000,
  );
  expect(await home()).toContain(TITLE);

  change('{ broken', 'These are the changed sources.');
  await eventually(home, (text) => text.includes('These are the changed sources.'), 180_000);
  await waitForReady(`http://127.0.0.1:${workerPort}/health/ready`, 60_000);

  dev.kill('SIGTERM');
  expect(await once(dev, 'exit')).toEqual([0, null]);
  // What the command itself stops is no unexpected end.
  expect(said).not.toContain('has ended');
}, 600_000);
