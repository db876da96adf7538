import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATION_NAMES } from '../../src/database/migrations.js';
import { repeatableScripts } from '../../src/database/repeatable.js';

const FOLDER = join(__dirname, '../../migrations');

/** It makes the role of the processes, which is the whole cluster's, in anonymous blocks. */
const MAKES_THE_ROLE = '1764400000000-baseline.ts';

const TEXTS = readdirSync(FOLDER).filter((file) => /^\d/.test(file) && file !== MAKES_THE_ROLE);

/** Comments may name what statements may not hold. */
const statementsOf = (file: string) =>
  readFileSync(join(FOLDER, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^ *(\/\/|--).*$/gm, '');

describe('migrations', () => {
  test.each(TEXTS)('%s contains no function, no policy and no change of a function’s text', (file) => {
    const found = statementsOf(file).match(
      /\bAS\s+\$\w*\$|\bLANGUAGE\s+(plpgsql|sql)\b|\b(CREATE|REPLACE|ALTER)\s+(FUNCTION|PROCEDURE|POLICY)\b|\bDO\s+(\$\w*\$|')|\bpg_get_functiondef\b/gim,
    );
    expect(found).toBeNull();
  });

  test('the first is the baseline of 1.0', () => {
    expect(MIGRATION_NAMES[0]).toBe('Baseline1764400000000');
  });

  test('every function of the schema has a file', () => {
    const schema = readFileSync(join(FOLDER, 'schema.sql'), 'utf8');
    const functions = [...schema.matchAll(/^CREATE OR REPLACE FUNCTION public\.(\w+)/gm)].map(
      ([, name]) => name,
    );
    const files = repeatableScripts().filter(({ kind }) => kind === 'function');
    expect(functions.sort()).toEqual(files.map(({ name }) => name).sort());
  });
});
