import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repositoryRoot } from '../../tools/services/paths.js';

let root: string;

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};

/** A repository whose compiler counts its builds, and removes the files of the build before. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'outdial-bootstrap-'));
  cpSync(
    join(repositoryRoot(), 'tools/bootstrap.cjs'),
    (mkdirSync(join(root, 'tools')), join(root, 'tools/bootstrap.cjs')),
  );
  write('src/main.ts', 'one');
  write('builds', '');
  write(
    'node_modules/@nestjs/cli/bin/nest.js',
    `const fs = require('node:fs');
     fs.appendFileSync('builds', process.argv.slice(2).join(' ') + '\\n');
     fs.rmSync('dist', { recursive: true, force: true });
     fs.mkdirSync('dist/src', { recursive: true });
     fs.writeFileSync('dist/src/main.js', 'console.log("started")');`,
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function bootstrap(
  args: string[],
  env: Record<string, string> = {},
): { code: number | null; out: string; told: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/bootstrap.cjs', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  });
  return { code: status, out: stdout, told: stderr };
}

const builds = () => readFileSync(join(root, 'builds'), 'utf8').trim().split('\n');

function changeSources(): void {
  write('src/main.ts', 'another');
  const later = new Date(Date.now() + 5_000);
  utimesSync(join(root, 'src/main.ts'), later, later);
}

test('npm run build stamps the build, so that a start does not build again', () => {
  expect(JSON.parse(readFileSync(join(repositoryRoot(), 'package.json'), 'utf8'))).toMatchObject({
    scripts: { build: 'exec node tools/bootstrap.cjs build' },
  });
  expect(bootstrap(['build', '--path', 'x.json']).code).toBe(0);
  expect(bootstrap(['src/main'])).toEqual({ code: 0, out: 'started\n', told: '' });
  expect(builds()).toEqual(['build --path x.json']);
  changeSources();
  expect(bootstrap(['src/main']).out).toBe('started\n');
  expect(builds()).toHaveLength(2);
});

test('in production a start never builds', () => {
  const production = { NODE_ENV: 'production' };
  expect(bootstrap(['src/main'], production)).toEqual({
    code: 1,
    out: '',
    told: expect.stringContaining('run `npm run build`') as string,
  });
  expect(bootstrap(['build']).code).toBe(0);
  expect(bootstrap(['src/main'], production)).toEqual({ code: 0, out: 'started\n', told: '' });
  changeSources();
  expect(bootstrap(['src/main'], production)).toEqual({
    code: 0,
    out: 'started\n',
    told: expect.stringContaining('sources have changed') as string,
  });
  // Also where the variable is in the file of variables.
  write('.env', 'NODE_ENV=production\n');
  expect(bootstrap(['src/main']).out).toBe('started\n');
  expect(builds()).toHaveLength(1);
});
