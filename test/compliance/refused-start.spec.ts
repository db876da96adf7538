import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../../tools/services/paths.js';
import { buildIfNeeded } from '../../tools/stack/processes.js';

const directory = mkdtempSync(join(tmpdir(), 'packs-'));

beforeAll(buildIfNeeded, 300_000);
afterAll(() => rmSync(directory, { recursive: true }));

/** How a process ends that is started with these variables, and with a Postgres that does not exist. */
function endOf(program: string, variables: Record<string, string>) {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: 'postgres://outdial@127.0.0.1:1/outdial',
    REDIS_URL: 'redis://127.0.0.1:1',
    CARRIER: 'simulator',
    OPERATOR_TOKEN: randomBytes(24).toString('base64url'),
    ...variables,
  };
  const file = join(repositoryRoot(), 'dist', 'src', `${program}.js`);
  const { status, stderr } = spawnSync(process.execPath, [file], { env, encoding: 'utf8' });
  return { status, stderr };
}

test.each(['main', 'worker'])(
  '%s refuses to start with a pack that is not valid, and says why',
  (program) => {
    writeFileSync(
      join(directory, 'zz.yaml'),
      'pack: zz\njurisdiction: ZZ\nname: Nowhere\nrules: [{ id: zz-one }]\n',
    );
    expect(endOf(program, { PACKS_DIR: directory })).toEqual({
      status: 1,
      stderr:
        'Invalid environment variables:\n  PACKS_DIR: zz.yaml: zz-one: kind must be one of callingHours, closedDates, ' +
        'frequencyCap, coolOff, consentRequired, prohibition, suspension, registerScrub, disclosure\n',
    });
  },
);

test.each(['main', 'worker'])('%s refuses to start with a raised rule that no pack has', (program) => {
  expect(endOf(program, { PACKS_RAISE: 'us-none' })).toEqual({
    status: 1,
    stderr: 'Invalid environment variables:\n  PACKS_RAISE: us-none is not the id of a rule\n',
  });
});
