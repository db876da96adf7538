/*
 * The statements of an import, in the order in which one transaction runs them, and those of lists. They run on the
 * connection of the owner.
 */

/** No limits of the server or of the role hold for the transaction: a national list takes minutes. */
export const WITHOUT_LIMITS = `
  SELECT set_config('statement_timeout', '0', true), set_config('idle_in_transaction_session_timeout', '0', true),
    set_config('lock_timeout', '10s', true)`;

/** The owner of the tables, if it is another role than the user of the connection. */
export const OTHER_OWNER = `
  SELECT quote_ident(tableowner) AS role FROM pg_tables
  WHERE schemaname = 'public' AND tablename = 'register_numbers' AND tableowner <> current_user`;

/** Whether this transaction is the only one that imports the register $1. */
export const LOCK_REGISTER = `SELECT pg_try_advisory_xact_lock(hashtextextended('register ' || $1, 0)) AS locked`;

export const NEW_VERSION = `
  SELECT nextval(pg_get_serial_sequence('register_versions', 'id'))::integer AS id, outdial_now() AS now`;

/** The table of a version: a partition of `register_numbers` once it is attached. */
export const tableOf = (version: number): string => `register_numbers_${version}`;

/** The constraint spares the scan when the table is attached. */
export const createTable = (version: number): string => `
  CREATE TABLE ${tableOf(version)} (
    number bigint NOT NULL,
    version integer NOT NULL DEFAULT ${version} CHECK (version = ${version})
  )`;

/**
 * Text, a number a line. The rows are frozen, so that the visibility map is complete after the first vacuum, and no
 * vacuum rewrites them.
 */
export const copyInto = (version: number): string => `COPY ${tableOf(version)} (number) FROM STDIN (FREEZE)`;

export const addKey = (version: number): string =>
  `ALTER TABLE ${tableOf(version)} ADD CONSTRAINT pk_${tableOf(version)} PRIMARY KEY (number, version)`;

/** Of each number, all rows but one. */
export const removeRepeated = (version: number): string => `
  DELETE FROM ${tableOf(version)} WHERE ctid IN (
    SELECT ctid FROM (
      SELECT ctid, number = lag(number) OVER (ORDER BY number) AS repeated FROM ${tableOf(version)}) rows
    WHERE repeated)`;

/** No statement reads registers while a version is replaced. Each waits for this lock before it takes its snapshot. */
export const LOCK_NUMBERS = 'LOCK TABLE register_numbers IN ACCESS EXCLUSIVE MODE';

/** Ends the version in force of the register $1 as $2 `replaced` or `removed`; returns its id. */
export const END_VERSION = `
  UPDATE register_versions SET status = $2, ended_at = outdial_now()
  WHERE register = $1 AND status = 'in_force' RETURNING id`;

export const ADD_VERSION = `
  INSERT INTO register_versions (id, register, format, as_of, imported_at, numbers, areas)
  VALUES ($1, $2, $3, $4, outdial_now(), $5, $6)`;

export const attachTable = (version: number): string =>
  `ALTER TABLE register_numbers ATTACH PARTITION ${tableOf(version)} FOR VALUES IN (${version})`;

export const dropTable = (version: number): string => `DROP TABLE IF EXISTS ${tableOf(version)}`;

/** The version in force of the register $1. */
export const VERSION_IN_FORCE = `
  SELECT as_of AS "asOf", numbers::float8 AS numbers FROM register_versions WHERE register = $1 AND status = 'in_force'`;

export interface VersionInForceRow {
  asOf: Date;
  numbers: number;
}

/** Versions by register, the newest first; $1 whether those that are not in force are among them. */
export const VERSIONS = `
  SELECT register, id AS version, status, format, as_of AS "asOf", imported_at AS "importedAt", ended_at AS "endedAt",
    numbers::float8 AS numbers, cardinality(areas) AS areas,
    extract(epoch FROM outdial_now() - as_of)::float8 AS "ageSeconds"
  FROM register_versions WHERE $1 OR status = 'in_force'
  ORDER BY register, id DESC`;
