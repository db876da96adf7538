import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../../tools/services/paths.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-tests-'));
  const config = {
    reporters: [join(repositoryRoot(), 'test/support/count-reporter.cjs')],
    projects: [{ displayName: 'small', rootDir: folder, testMatch: [`${folder}/*.test.cjs`], transform: {} }],
  };
  writeFileSync(join(folder, 'jest.config.json'), JSON.stringify(config));
  writeFileSync(join(folder, 'good.test.cjs'), `test('good', () => {}); test.skip('later', () => {});`);
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A file with a test that always passes and one that fails the first `times` times. */
function writeFailing(name: string, times: number): void {
  const text = `
    const { appendFileSync, readFileSync } = require('node:fs');
    const runs = ${JSON.stringify(join(folder, `${name}.runs`))};
    test('passes', () => {});
    test('fails at first', () => {
      appendFileSync(runs, '.');
      expect(readFileSync(runs, 'utf8').length).toBeGreaterThan(${times});
    });`;
  writeFileSync(join(folder, `${name}.test.cjs`), text);
}

function run(): { code: number | null; lines: string[] } {
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      join(repositoryRoot(), 'tools/run-tests.cjs'),
      '2',
      'small',
      '--config',
      join(folder, 'jest.config.json'),
    ],
    { cwd: folder, encoding: 'utf8' },
  );
  return { code: status, lines: stdout.trim().split('\n') };
}

test('a run without a failed file is one run', () => {
  const { code, lines } = run();
  expect([code, lines.at(-1)]).toEqual([0, '1 passed, 0 failed, 1 skipped']);
});

test('a file that failed runs again, and the end names it and counts it once', () => {
  writeFailing('seldom', 1);
  const { code, lines } = run();
  expect(code).toBe(0);
  expect(lines).toContain('Passed the second time, alone:');
  expect(lines).toContain('  seldom.test.cjs');
  expect(lines.at(-1)).toBe('3 passed, 0 failed, 1 skipped');
});

test('a file that fails twice fails the run', () => {
  writeFailing('always', 2);
  const { code, lines } = run();
  expect([code, lines.at(-1)]).toEqual([1, '2 passed, 1 failed, 1 skipped']);
});

test('many failed files do not run again', () => {
  for (let n = 1; n <= 11; n += 1) writeFailing(`broken-${n}`, 1);
  const { code, lines } = run();
  expect([code, lines.at(-1)]).toEqual([1, '12 passed, 11 failed, 1 skipped']);
});
