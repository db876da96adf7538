import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { isLockTimeout } from './database-errors.js';

/**
 * `function`: creates or replaces one function with its grants. `policy`: the row-level security of one
 * table.
 */
export type RepeatableKind = 'function' | 'policy';

/** A script that may run any number of times. */
export interface RepeatableScript {
  kind: RepeatableKind;
  /** Its file name without the ending, which is the name of the function or of the table. */
  name: string;
  text: string;
}

/** The folders of the scripts. They are beside this file, also after the build. */
const FOLDERS: Record<RepeatableKind, string> = {
  function: join(__dirname, 'functions'),
  policy: join(__dirname, 'policies'),
};

/**
 * A policy's script locks its table exclusively. While it waits for that lock, every other statement on the
 * table waits behind it. Therefore it waits briefly, and tries again.
 */
const TABLE_LOCK_MS = 200;
const TABLE_LOCK_ATTEMPTS = 50;

/** All scripts: functions before policies, each in the order of their names. */
export function repeatableScripts(): RepeatableScript[] {
  return [...scriptsOf('function'), ...scriptsOf('policy')];
}

function scriptsOf(kind: RepeatableKind): RepeatableScript[] {
  const folder = FOLDERS[kind];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({
      kind,
      name: file.slice(0, -'.sql'.length),
      text: readFileSync(join(folder, file), 'utf8'),
    }));
}

/**
 * Creates functions by their scripts, for a migration whose own statements need them, such as a trigger's
 * function. Functions that no statement of a migration needs are created by `applyRepeatable`, after all
 * migrations. A script may name columns that only a later migration adds, so Postgres does not check it here.
 *
 * @throws Error if one of the names has no script; the database's error otherwise.
 */
export async function createFunctions(db: QueryRunner, names: string[]): Promise<void> {
  const scripts = new Map(scriptsOf('function').map(({ name, text }) => [name, text]));
  await db.query('SET check_function_bodies = off');
  for (const name of names) {
    const text = scripts.get(name);
    if (text === undefined) throw new Error(`src/database/functions has no ${name}.sql`);
    await db.query(text);
  }
  await db.query('RESET check_function_bodies');
}

const KEEP_HASHES = `
  CREATE TABLE IF NOT EXISTS repeatable_scripts (name text CONSTRAINT pk_repeatable_scripts PRIMARY KEY, sha256 text NOT NULL)`;

/**
 * Applies the scripts whose text has changed, after the migrations. The functions share one transaction. The
 * policies of each table have a transaction of their own. Therefore no table is ever without policies, and no
 * two tables are locked at once.
 *
 * @returns the names of the scripts that ran.
 * @throws the database's error. Transactions that were committed before the error stay committed.
 */
export async function applyRepeatable(
  dataSource: DataSource,
  scripts: RepeatableScript[] = repeatableScripts(),
): Promise<string[]> {
  await dataSource.query(KEEP_HASHES);
  const rows = await dataSource.query<{ name: string; sha256: string }[]>(
    'SELECT name, sha256 FROM repeatable_scripts',
  );
  const applied = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
  const changed = scripts.filter((script) => applied.get(keyOf(script)) !== hashOf(script.text));
  await dataSource.transaction(async (db) => {
    for (const script of changed) if (script.kind === 'function') await apply(db, script);
  });
  for (const script of changed) if (script.kind === 'policy') await applyPolicy(dataSource, script);
  return changed.map(({ name }) => name);
}

async function applyPolicy(dataSource: DataSource, script: RepeatableScript): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await dataSource.transaction(async (db) => {
        await db.query(`SET LOCAL lock_timeout = ${TABLE_LOCK_MS}`);
        await actAsOwner(db, script.name);
        await db.query(script.text);
        await db.query('RESET ROLE');
        await note(db, script);
      });
    } catch (error) {
      if (!isLockTimeout(error) || attempt === TABLE_LOCK_ATTEMPTS) throw error;
      await pause(TABLE_LOCK_MS);
    }
  }
}

/**
 * Switches to the table's owner if another role runs the migration. The policy `every_team` must name the
 * owner.
 */
async function actAsOwner(db: EntityManager, table: string): Promise<void> {
  const [row] = await db.query<{ role: string }[]>(
    `SELECT quote_ident(tableowner) AS role FROM pg_tables
     WHERE schemaname = 'public' AND tablename = $1 AND tableowner <> current_user`,
    [table],
  );
  if (row !== undefined) await db.query(`SET LOCAL ROLE ${row.role}`);
}

async function apply(db: EntityManager, script: RepeatableScript): Promise<void> {
  await db.query(script.text);
  await note(db, script);
}

async function note(db: EntityManager, script: RepeatableScript): Promise<void> {
  await db.query(
    `INSERT INTO repeatable_scripts (name, sha256) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET sha256 = excluded.sha256`,
    [keyOf(script), hashOf(script.text)],
  );
}

/**
 * A reverted migration may have restored the older text of a function, so the next run must apply every
 * script.
 */
export async function forgetRepeatable(dataSource: DataSource): Promise<void> {
  await dataSource.query('DROP TABLE IF EXISTS repeatable_scripts');
}

/** Drops the functions of the scripts. No migration drops a function that only a script creates. */
export async function dropFunctions(dataSource: DataSource): Promise<void> {
  const names = scriptsOf('function').map(({ name }) => name);
  await dataSource.query(`DROP FUNCTION IF EXISTS ${names.join(', ')}`);
}

/** The key of a function is its name alone, as earlier versions stored it. */
function keyOf({ kind, name }: RepeatableScript): string {
  return kind === 'policy' ? `policy ${name}` : name;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
