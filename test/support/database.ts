import { randomBytes } from 'node:crypto';
import { urlOf, withServer } from './template.js';

/** A database of one's own, with all migrations run. */
export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

const BUSY = '55006';
const ATTEMPTS = 50;

function setting(name: string): string {
  const value = process.env[name];
  if (!value)
    throw new Error(
      `${name} is not set: this test needs Jest's global setup (project "services" or "slow").`,
    );
  return value;
}

/** The server's URL, for tests that administer it. */
export function testDatabaseServer(): string {
  return setting('TEST_DATABASE_SERVER');
}

/** An empty database without migrations, for tests of the migrations themselves. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  return create('template0');
}

/** A copy of the migrated template: call it once per test file and drop it at the end. */
export async function createTestDatabase(): Promise<TestDatabase> {
  return create(setting('TEST_DATABASE_TEMPLATE'));
}

/** A copy of a database that nothing is connected to. */
export async function copyDatabase({ url }: TestDatabase): Promise<TestDatabase> {
  return create(new URL(url).pathname.slice(1));
}

async function create(template: string): Promise<TestDatabase> {
  const server = testDatabaseServer();
  const name = `outdial_test_${setting('TEST_RUN')}_${randomBytes(4).toString('hex')}`;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await withServer(server, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE ${template}`));
      break;
    } catch (error) {
      // Another process, such as autovacuum, is connected to the template for a moment.
      if ((error as { code?: string }).code !== BUSY || attempt === ATTEMPTS) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  return {
    url: urlOf(server, name),
    drop: async () => {
      await withServer(server, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));
    },
  };
}
