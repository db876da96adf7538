import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
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
  /** What is run: the file's text in its frame. */
  text: string;
}

/** The directory of all rooms, also after the build. */
const ROOMS = join(__dirname, '..');

/** In each room, the folders of the scripts of its own functions and tables. */
const FOLDERS: Record<RepeatableKind, string> = {
  function: join('sql', 'functions'),
  policy: join('sql', 'policies'),
};

/** A function with the owner's rights resolves names in the owner's schema alone. */
const DEFINER = /^ *(?:\w+ )*SECURITY DEFINER$/m;
const SEARCH_PATH = '  SET search_path = public, pg_temp';
const TRIGGER = /^ *RETURNS trigger$/m;
/** The first line of a function that only other functions call. */
const PRIVATE = /^-- private$/m;

/** The condition in a policy's file for the teams that the transaction names. */
const OWN_TEAMS = ':own_teams';

const FRAMES: Record<RepeatableKind, (name: string, text: string) => string> = {
  function: framedFunction,
  policy: framedPolicy,
};

/** Only the processes may call functions, and neither triggers nor private ones. */
function framedFunction(name: string, text: string): string {
  const code = text.replace(/--.*$/gm, '');
  if (
    /security\s+definer/i.test(code) !== DEFINER.test(text) ||
    /returns\s+trigger/i.test(code) !== TRIGGER.test(text)
  )
    throw new Error(
      `${name}.sql must have SECURITY DEFINER at the end of a line, and RETURNS trigger on its own`,
    );
  const grant =
    TRIGGER.test(text) || PRIVATE.test(text) ? '' : `GRANT EXECUTE ON FUNCTION ${name} TO outdial_app;\n`;
  const created = text.replace(DEFINER, (line) => `${line}\n${SEARCH_PATH}`);
  return `${created}\nREVOKE EXECUTE ON FUNCTION ${name} FROM PUBLIC;\n${grant}`;
}

/**
 * The processes see the rows that the file's condition selects. The owner migrates and serves the operator, so it
 * sees all rows.
 */
function framedPolicy(table: string, condition: string): string {
  const ownTeams = `(SELECT string_to_array(current_setting('outdial.team_id', true), ',')::uuid[])::uuid[]`;
  return `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS own_team ON ${table};
CREATE POLICY own_team ON ${table} TO outdial_app USING (
${condition.replaceAll(OWN_TEAMS, ownTeams)});
DROP POLICY IF EXISTS every_team ON ${table};
CREATE POLICY every_team ON ${table} TO CURRENT_USER USING (true);
`;
}

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
  return filesOf(kind)
    .map((path) => {
      const name = basename(path, '.sql');
      return { kind, name, text: FRAMES[kind](name, readFileSync(path, 'utf8')) };
    })
    .sort((one, other) => {
      if (one.name === other.name) throw new Error(`two rooms have a script named ${one.name}.sql`);
      return one.name < other.name ? -1 : 1;
    });
}

function filesOf(kind: RepeatableKind): string[] {
  return readdirSync(ROOMS).flatMap((room) => {
    const folder = join(ROOMS, room, FOLDERS[kind]);
    if (!existsSync(folder)) return [];
    const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
    return files.map((file) => join(folder, file));
  });
}

/**
 * Creates the functions of triggers, for a migration that makes triggers. All other functions are created by
 * `applyRepeatable`, after all migrations. A function may name columns that only a later migration adds, so
 * Postgres does not check it here.
 *
 * @param called the names of other functions, which triggers that fire during later migrations call.
 */
export async function createTriggerFunctions(db: QueryRunner, called: readonly string[] = []): Promise<void> {
  await db.query('SET check_function_bodies = off');
  for (const { name, text } of scriptsOf('function')) {
    if (TRIGGER.test(text) || called.includes(name)) await db.query(text);
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
  await dataSource.transaction((db) =>
    applyFunctions(
      db,
      changed.filter(({ kind }) => kind === 'function'),
    ),
  );
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

/** A function may call one that comes later. So all of them are created before Postgres checks them. */
async function applyFunctions(db: EntityManager, scripts: RepeatableScript[]): Promise<void> {
  for (const checked of ['off', 'on']) {
    await db.query(`SET LOCAL check_function_bodies = ${checked}`);
    for (const { text } of scripts) await db.query(text);
  }
  for (const script of scripts) await note(db, script);
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

function keyOf({ kind, name }: RepeatableScript): string {
  return `${kind} ${name}`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
