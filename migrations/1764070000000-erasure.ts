import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Erased contacts: the checks of `contacts` and `do_not_call` admit erased numbers, and the processes' role
 * gets the grants that an erasure needs. Each statement is a transaction of its own, so that no lock outlasts
 * it; all may run again after a failure.
 */
export class Erasure1764070000000 implements MigrationInterface {
  name = 'Erasure1764070000000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await withShortLocks(db, async () => {
      await db.query('ALTER TABLE contacts ADD COLUMN IF NOT EXISTS erased_at timestamptz');
      await db.query(
        'ALTER TABLE teams ADD COLUMN IF NOT EXISTS has_erased_numbers boolean NOT NULL DEFAULT false',
      );
      await db.query(ERASURE_KEY);
      for (const table of TABLES) await replaceCheck(db, table, 'e164', 'number', STORED_NUMBER);
      for (const grant of GRANTS) await db.query(`GRANT ${grant} TO outdial_app`);
    });
  }

  /** Fails after an erasure: the earlier checks do not admit erased numbers. */
  async down(db: QueryRunner): Promise<void> {
    await withShortLocks(db, async () => {
      for (const table of TABLES) await replaceCheck(db, table, 'number', 'e164', E164);
      for (const grant of GRANTS) await db.query(`REVOKE ${grant} FROM outdial_app`);
      await db.query('DROP TABLE IF EXISTS erasure_key');
      await db.query('ALTER TABLE teams DROP COLUMN IF EXISTS has_erased_numbers');
      await db.query('ALTER TABLE contacts DROP COLUMN IF EXISTS erased_at');
      // Repeatable, and of no migration of its own.
      await db.query('DROP FUNCTION IF EXISTS find_expired_behind');
    });
  }
}

const TABLES = ['contacts', 'do_not_call'];
const E164 = String.raw`phone_number ~ '^\+[1-9][0-9]{6,14}$'`;
const STORED_NUMBER = String.raw`phone_number ~ '^(\+[1-9][0-9]{6,14}|erased:[0-9a-f-]{36,64})$'`;

const ERASURE_KEY = `
  CREATE TABLE IF NOT EXISTS erasure_key (
    id boolean NOT NULL DEFAULT true CONSTRAINT pk_erasure_key PRIMARY KEY,
    check_value text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT ck_erasure_key_one_row CHECK (id))`;

const GRANTS = [
  'SELECT, INSERT ON erasure_key',
  'UPDATE (has_erased_numbers) ON teams',
  'UPDATE ON enrollments',
  'INSERT, DELETE ON do_not_call',
  'DELETE ON whitelist, idempotency_keys',
];

/** The rows are validated under a lock that blocks neither reads nor writes. */
async function replaceCheck(
  db: QueryRunner,
  table: string,
  before: string,
  after: string,
  check: string,
): Promise<void> {
  const name = `ck_${table}_${after}`;
  await db.query(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ${name}`);
  await db.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} CHECK (${check}) NOT VALID`);
  await db.query(`ALTER TABLE ${table} VALIDATE CONSTRAINT ${name}`);
  await db.query(`ALTER TABLE ${table} DROP CONSTRAINT IF EXISTS ck_${table}_${before}`);
}

const LOCK_NOT_AVAILABLE = '55P03';
const ATTEMPTS = 50;

/**
 * While a statement waits for its lock, all others on the table wait behind it. It therefore waits briefly
 * and starts again.
 */
async function withShortLocks(db: QueryRunner, work: () => Promise<void>): Promise<void> {
  const [{ before }] = (await db.query(`SELECT current_setting('lock_timeout') AS before`)) as [
    { before: string },
  ];
  await db.query(`SET lock_timeout = '200ms'`);
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        const { code } = (error as { driverError?: { code?: string } }).driverError ?? {};
        if (code !== LOCK_NOT_AVAILABLE || attempt === ATTEMPTS) throw error;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  } finally {
    await db.query(`SET lock_timeout = '${before}'`);
  }
}
