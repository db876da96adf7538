import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import { repositoryRoot } from '../../tools/services/paths.js';
import { dockerfileText, ignoring, type Stage, stagesOf, type Step } from './support/dockerfile.js';

// That its steps work, one after the other, is shown in image.slow.spec.ts.

const text = dockerfileText();
const stages = stagesOf(text);
const last = stages.at(-1)!;

const stepsOf = <Keyword extends Step['keyword']>({ steps }: Stage, keyword: Keyword) =>
  steps.filter((step): step is Extract<Step, { keyword: Keyword }> => step.keyword === keyword);

test('the linter finds nothing', () => {
  expect(validate(text)).toEqual([]);
  // And would.
  expect(validate(`${text}\nMAINTAINER nobody\n`)).toHaveLength(1);
});

test('every stage uses the same release of Node, an LTS release of 24 or later', () => {
  const bases = new Set(stages.map(({ base }) => base));
  expect([...bases]).toEqual([expect.stringMatching(/^node:\d+-[a-z]+-slim$/)]);
  const major = Number(/^node:(\d+)/.exec(last.base)?.[1]);
  expect(major).toBeGreaterThanOrEqual(24);
  expect(major % 2).toBe(0);
});

test('rarely changed layers come first, so that a changed source downloads nothing', () => {
  for (const stage of stages) {
    const install = stage.steps.findIndex((step) => step.keyword === 'RUN' && step.text.startsWith('npm ci'));
    if (install < 0) continue;
    const before = stage.steps
      .slice(0, install)
      .flatMap((step) => (step.keyword === 'COPY' ? step.sources : []));
    expect(before).toEqual(['package.json', 'package-lock.json']);
  }
});

test('only packages of the lockfile are installed, and no download is kept', () => {
  const runs = stages.flatMap((stage) => stepsOf(stage, 'RUN').map((run) => run.text));
  for (const run of runs) {
    expect(run).not.toMatch(/npm (i|install|update)\b|curl|wget|sudo|chmod 777/);
    if (run.includes('npm ci --omit=dev')) expect(run).toContain('npm cache clean --force');
    if (run.includes('apt-get')) {
      expect(run).toMatch(
        /^apt-get update && apt-get install -y --no-install-recommends .* && rm -rf \/var\/lib\/apt\/lists\/\*$/,
      );
    }
  }
});

test('every copied source is in the repository or an earlier stage, and is not ignored', () => {
  const ignored = ignoring(readFileSync(join(repositoryRoot(), '.dockerignore'), 'utf8'));
  for (const [index, stage] of stages.entries()) {
    for (const { from, sources } of stepsOf(stage, 'COPY')) {
      if (from !== null) expect(stages.slice(0, index).map(({ name }) => name)).toContain(from);
      else {
        for (const source of sources) {
          expect([source, existsSync(join(repositoryRoot(), source)), ignored(source)]).toEqual([
            source,
            true,
            false,
          ]);
        }
      }
    }
  }
});

test('no secret, large or unneeded file is sent to the engine', () => {
  const ignored = ignoring(readFileSync(join(repositoryRoot(), '.dockerignore'), 'utf8'));
  for (const path of [
    '.env',
    '.env.production',
    '.git/config',
    '.data/operator-token',
    'node_modules/pg',
    'dist/src',
    'test/x.ts',
  ]) {
    expect([path, ignored(path)]).toEqual([path, true]);
  }
  for (const path of ['src/main.ts', 'migrations/a.ts', 'package.json', 'tools/migrate.ts']) {
    expect([path, ignored(path)]).toEqual([path, false]);
  }
});

test('the last stage runs node under an init, as an unprivileged user with a numeric id', () => {
  expect(stepsOf(last, 'USER').map((user) => user.text)).toEqual(['1000:1000']);
  // After everything else, so that the user that runs it owns nothing.
  const user = last.steps.findIndex(({ keyword }) => keyword === 'USER');
  expect(last.steps.slice(user).some(({ keyword }) => keyword === 'RUN' || keyword === 'COPY')).toBe(false);
  expect(stepsOf(last, 'ENTRYPOINT').map(({ argv }) => argv)).toEqual([['/usr/bin/tini', '--']]);
  expect(stepsOf(last, 'CMD').map(({ argv }) => argv)).toEqual([
    ['node', '--no-memory-reducer', '--v8-pool-size=1', 'dist/src/main.js'],
  ]);
  expect(stepsOf(last, 'ENV').map(({ variables }) => variables)).toEqual([
    { NODE_ENV: 'production', TZ: 'UTC' },
  ]);
});
