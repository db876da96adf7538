import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { createDataSource } from '../src/database/data-source.js';
import { migrate } from '../src/database/migrate.js';
import { dumpSchema } from './schema/dump-schema.js';
import { ensureServices } from './services/ensure.js';
import { repositoryRoot } from './services/paths.js';

/**
 * `npm run schema`: migrates an empty database, writes its schema to `migrations/schema.sql`, and drops it.
 */
async function main(): Promise<void> {
  const services = await ensureServices({ log: (line) => console.error(line) });
  const name = `outdial_schema_${randomBytes(4).toString('hex')}`;
  const server = new Client({ connectionString: services.databaseUrl });
  try {
    await server.connect();
    await server.query(`CREATE DATABASE ${name} TEMPLATE template0`);
    const url = new URL(services.databaseUrl);
    url.pathname = `/${name}`;
    await migrate(url.toString());
    const db = await createDataSource(url.toString()).initialize();
    writeFileSync(join(repositoryRoot(), 'migrations', 'schema.sql'), await dumpSchema(db));
    await db.destroy();
    await server.query(`DROP DATABASE ${name}`);
  } finally {
    await server.end();
    await services.stop();
  }
}

void main();
