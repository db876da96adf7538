import './typescript-imports.cjs';
import { type Services, ensureServices } from '../../tools/services/ensure.js';
import { testDataDir } from './data-dir.js';
import { prepareTemplate } from './template.js';

declare global {
  var outdialTestServices: Services | undefined;
}

const POSTGRES_SETTINGS = {
  // Nothing of a run has to survive a power cut. What is committed survives the end of the server all the
  // same.
  fsync: 'off',
  full_page_writes: 'off',
  max_wal_size: '256MB',
  // It reads and locks tables beside the tests, and changes plans in the middle of one.
  autovacuum: 'off',
};

/** Real services and a migrated template database, for the whole run. */
export default async function globalSetup(): Promise<void> {
  const services = await ensureServices({
    // Not the developer's own servers, whose data are kept.
    dataDir: await testDataDir(),
    temporary: true,
    postgresSettings: POSTGRES_SETTINGS,
    log: (line) => process.stderr.write(`${line}\n`),
  });
  globalThis.outdialTestServices = services;
  try {
    const template = await prepareTemplate(services.databaseUrl);
    // Not DATABASE_URL: no test may reach the developer's own data by forgetting to ask for a database.
    process.env.TEST_DATABASE_SERVER = services.databaseUrl;
    process.env.TEST_DATABASE_TEMPLATE = template;
    process.env.TEST_REDIS_URL = services.redisUrl;
    process.env.TEST_RUN = `${Math.floor(Date.now() / 1_000).toString(36)}_${process.pid}`;
  } catch (error) {
    await services.stop();
    throw error;
  } finally {
    // TypeORM keeps what entities declare on the global object. With one worker, Jest runs the files in this
    // process and hands them its globals. The list would be all files' own, and none of them could ever be
    // forgotten.
    delete (globalThis as { typeormMetadataArgsStorage?: unknown }).typeormMetadataArgsStorage;
  }
}
