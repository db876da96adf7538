import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { migrate } from '../../src/database/migrate.js';
import { repeatableScripts } from '../../src/database/repeatable.js';
import { repositoryRoot } from '../../tools/services/paths.js';

/** All template databases begin with this; the rest is a hash of their migrations. */
export const TEMPLATE_PREFIX = 'outdial_template_';

// Any number will do, as long as every run takes the same.
const TEMPLATE_LOCK = 7_203_114;

/** Connects to a server for administration, with the reason in words when the role may not. */
export async function withServer<T>(serverUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: serverUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error;
    throw new Error('The role in DATABASE_URL may not create databases: tests need CREATEDB.', {
      cause: error,
    });
  } finally {
    await client.end();
  }
}

/** The URL of another database on the same server. */
export function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.toString();
}

async function migrationsHash(): Promise<string> {
  const hash = createHash('sha256');
  const directory = join(repositoryRoot(), 'migrations');
  for (const name of (await readdir(directory)).sort()) {
    hash.update(name).update(await readFile(join(directory, name)));
  }
  for (const { name, text } of repeatableScripts()) hash.update(name).update(text);
  return hash.digest('hex').slice(0, 12);
}

/**
 * Makes the migrated database that tests copy, unless these migrations have theirs already; gives its name.
 */
export async function prepareTemplate(serverUrl: string): Promise<string> {
  const template = TEMPLATE_PREFIX + (await migrationsHash());
  await withServer(serverUrl, async (client) => {
    // Held by the connection, so that a run that dies releases it.
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template]);
    if (rowCount) return;
    const draft = `${template}_draft`;
    await client.query(`DROP DATABASE IF EXISTS ${draft} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${draft} TEMPLATE template0`);
    await migrate(urlOf(serverUrl, draft));
    await client.query(`COMMENT ON DATABASE ${draft} IS '${new Date().toISOString()}'`);
    // Under its own name only when it is whole.
    await client.query(`ALTER DATABASE ${draft} RENAME TO ${template}`);
  });
  return template;
}
