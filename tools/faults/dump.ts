import { join } from 'node:path';
import { Client, type Pool } from 'pg';
import { migrate } from '../../src/database/migrate.js';

/** Tables of the product, partitioned ones as a whole. */
const TABLES = `
  SELECT quote_ident(relname) AS name FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`;

/** Partitions of calls are made as there is need of them. */
const MONTHS = `
  SELECT make_call_month(outdial_now() + n * interval '1 month') FROM generate_series(-1, 2) AS n`;

/** New rows go on behind those of the dump. */
const CONTINUE_IDENTITIES = `
  DO $$ DECLARE c record; BEGIN
    FOR c IN SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' AND is_identity = 'YES' LOOP
      EXECUTE format('SELECT setval(pg_get_serial_sequence(%L, %L), (SELECT coalesce(max(%I), 0) + 1 FROM %I), false)',
        c.table_name, c.column_name, c.column_name, c.table_name);
    END LOOP;
  END $$`;

/** The rows of all tables at one instant, as files in the directory of the server. */
export interface Dump {
  files: Map<string, string>;
}

/**
 * What `pg_dump` does, which not every machine has: one snapshot of all tables, beside whatever writes. `db`
 * is a superuser's.
 */
export async function dump(db: Pool): Promise<Dump> {
  const client = await db.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { rows: settings } = await client.query<{ directory: string }>(
      `SELECT current_setting('data_directory') AS directory`,
    );
    const { rows: tables } = await client.query<{ name: string }>(TABLES);
    const files = new Map<string, string>();
    for (const { name } of tables) {
      const file = join(settings[0]?.directory ?? '', `dump-${name}`);
      await client.query(`COPY (SELECT * FROM ${name}) TO '${file}'`);
      files.set(name, file);
    }
    await client.query('COMMIT');
    return { files };
  } finally {
    client.release();
  }
}

/**
 * A new database of the same name with the rows of the dump; the earlier one is lost. Nothing that runs is
 * connected to it.
 *
 * @param databaseUrl of a superuser.
 */
export async function restore(databaseUrl: string, { files }: Dump): Promise<void> {
  const url = new URL(databaseUrl);
  const name = url.pathname.slice(1);
  const administration = new URL(databaseUrl);
  administration.pathname = '/postgres';
  await withClient(administration.href, async (client) => {
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name}`);
  });
  await migrate(databaseUrl);
  await withClient(databaseUrl, async (client) => {
    // Foreign keys are not checked row by row.
    await client.query('SET session_replication_role = replica');
    await client.query(`TRUNCATE ${[...files.keys()].join(', ')}`);
    await client.query(MONTHS);
    for (const [table, file] of files) await client.query(`COPY ${table} FROM '${file}'`);
    await client.query(CONTINUE_IDENTITIES);
  });
}

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
