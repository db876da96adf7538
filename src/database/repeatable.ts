import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DataSource } from 'typeorm';

/** Where the functions stand, beside this file also after the build. */
const FOLDER = join(__dirname, 'functions');

/** A script that may run any number of times: it creates or replaces one function with its grants. */
export interface RepeatableScript {
  /** Its file name without the ending, which is the function's name. */
  name: string;
  text: string;
}

/** All scripts, in the order of their names. */
export function repeatableScripts(): RepeatableScript[] {
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({ name: file.slice(0, -'.sql'.length), text: readFileSync(join(FOLDER, file), 'utf8') }));
}

const KEEP_HASHES = `
  CREATE TABLE IF NOT EXISTS repeatable_scripts (name text CONSTRAINT pk_repeatable_scripts PRIMARY KEY, sha256 text NOT NULL)`;

/**
 * Applies the scripts whose text differs from the one applied last, in one transaction, after the migrations.
 *
 * @returns the names of those that ran.
 */
export async function applyRepeatable(
  dataSource: DataSource,
  scripts: RepeatableScript[] = repeatableScripts(),
): Promise<string[]> {
  return dataSource.transaction(async (db) => {
    await db.query(KEEP_HASHES);
    const rows = await db.query<{ name: string; sha256: string }[]>(
      'SELECT name, sha256 FROM repeatable_scripts',
    );
    const applied = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
    const changed = scripts.filter(({ name, text }) => applied.get(name) !== hashOf(text));
    for (const { name, text } of changed) {
      await db.query(text);
      await db.query(
        `INSERT INTO repeatable_scripts (name, sha256) VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET sha256 = excluded.sha256`,
        [name, hashOf(text)],
      );
    }
    return changed.map(({ name }) => name);
  });
}

/** A reverted migration may have restored an older text: the next run applies every script again. */
export async function forgetRepeatable(dataSource: DataSource): Promise<void> {
  await dataSource.query('DROP TABLE IF EXISTS repeatable_scripts');
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
