import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repeatableScripts } from '../../src/database/repeatable.js';

const FOLDER = join(__dirname, '../../migrations');

/** The newest migration that is older than the repeatable scripts. */
const LAST_WITH_FUNCTIONS = 1763850000000;

/** Functions that the oldest migrations need in their own statements, and that never changed. */
const OF_THE_FIRST_MIGRATIONS = ['idempotency_lock_key', 'number_lock_key', 'outdial_now', 'team_lock_key'];

const MIGRATIONS = readdirSync(FOLDER).filter(
  (file) => file.endsWith('.ts') && Number.parseInt(file, 10) > LAST_WITH_FUNCTIONS,
);

/** Comments may name what statements may not hold. */
const statementsOf = (file: string) =>
  readFileSync(join(FOLDER, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^ *\/\/.*$/gm, '');

describe('migrations', () => {
  test.each(MIGRATIONS)('%s contains no function, no policy and no change of a function’s text', (file) => {
    const found = statementsOf(file).match(
      /\bAS\s+\$\w*\$|\bLANGUAGE\s+(plpgsql|sql)\b|\b(CREATE|REPLACE|ALTER)\s+(FUNCTION|PROCEDURE|POLICY)\b|\bDO\s+(\$\w*\$|')|\bpg_get_functiondef\b/gim,
    );
    expect(found).toBeNull();
  });

  test('every function of the schema has a file, except four of the first migrations', () => {
    const schema = readFileSync(join(FOLDER, 'schema.sql'), 'utf8');
    const functions = [...schema.matchAll(/^CREATE OR REPLACE FUNCTION public\.(\w+)/gm)].map(
      ([, name]) => name,
    );
    const files = repeatableScripts().filter(({ kind }) => kind === 'function');
    expect(functions.sort()).toEqual([...files.map(({ name }) => name), ...OF_THE_FIRST_MIGRATIONS].sort());
  });
});
