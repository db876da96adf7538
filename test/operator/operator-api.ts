import 'reflect-metadata';
import '../support/error-answers.js';
import { type LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest, { type Test } from 'supertest';
import { type DataSource } from 'typeorm';
import { AdminApiModule } from '../../src/admin-api.module.js';
import { AuditModule } from '../../src/audit/audit.module.js';
import { ComplianceModule } from '../../src/compliance/compliance.module.js';
import { ConfigModule } from '../../src/config/config.module.js';
import { loadConfig } from '../../src/configuration.js';
import { createDataSource } from '../../src/database/data-source.js';
import { DatabaseModule } from '../../src/database/database.module.js';
import { TransactionsModule } from '../../src/database/transactions.module.js';
import { ENTITIES } from '../../src/entities.js';
import { PersonalDataModule } from '../../src/erasure/personal-data.module.js';
import { openBodies } from '../../src/http/body-reader.js';
import { FailedAuthenticationsModule } from '../../src/http/failed-authentications.module.js';
import { ErrorFilter } from '../../src/http/error.filter.js';
import { PERSONAL_TABLES } from '../../src/personal-data.js';
import { SecretsModule } from '../../src/secrets/secrets.module.js';
import { TelemetryModule } from '../../src/telemetry/telemetry.module.js';
import { createTestDatabase } from '../support/database.js';
import { testRedisPrefix, testRedisUrl } from '../support/redis.js';

export const OPERATOR_TOKEN = 'operator-token-of-the-tests';

/** The operator's surface alone, on a database of its own. */
export interface OperatorWorld {
  app: NestExpressApplication;
  api: OperatorApi;
  db: DataSource;
  close(): Promise<void>;
}

/** @param options `proxy` gives the URL by which the API, and only the API, reaches the database. */
export async function createOperatorWorld(
  options: { logger?: LoggerService; proxy?: (databaseUrl: string) => Promise<string> } = {},
): Promise<OperatorWorld> {
  const database = await createTestDatabase();
  const config = loadConfig({
    NODE_ENV: 'test',
    DATABASE_URL: (await options.proxy?.(database.url)) ?? database.url,
    REDIS_URL: testRedisUrl(),
    REDIS_PREFIX: testRedisPrefix(),
    OPERATOR_TOKEN,
    CARRIER: 'simulator',
  });
  const root = {
    module: AdminApiModule,
    imports: [
      ConfigModule.forRoot(config),
      DatabaseModule.forRoot(ENTITIES),
      TransactionsModule,
      PersonalDataModule.forRoot(PERSONAL_TABLES),
      AuditModule,
      SecretsModule,
      ComplianceModule,
      TelemetryModule,
      FailedAuthenticationsModule,
    ],
  };
  const app = await NestFactory.create<NestExpressApplication>(root, {
    logger: options.logger ?? false,
    bodyParser: false,
    abortOnError: false,
  });
  app.use(openBodies(() => config.bodyMemoryMb * 1024 * 1024));
  app.useGlobalFilters(new ErrorFilter());
  await app.listen(0, '127.0.0.1');
  const db = await createDataSource(database.url).initialize();
  return {
    app,
    api: new OperatorApi({ app }),
    db,
    async close() {
      await app.close();
      await db.destroy();
      await database.drop();
    },
  };
}

/** The same for all tests of a file: it starts before them and closes after them. */
export function operatorOfFile(): Pick<OperatorWorld, 'api'> & { world: OperatorWorld } {
  const world = {} as OperatorWorld;
  beforeAll(async () => {
    Object.assign(world, await createOperatorWorld());
  });
  afterAll(() => world.close());
  return { world, api: new OperatorApi(world) };
}

/** The operator's surface over real HTTP; paths are below `/api/admin`. */
export class OperatorApi {
  constructor(private readonly world: Pick<OperatorWorld, 'app'>) {}

  get(path: string): Test {
    return this.authorized(supertest(this.world.app.getHttpServer()).get(`/api/admin${path}`));
  }

  post(path: string, body?: object): Test {
    return this.authorized(supertest(this.world.app.getHttpServer()).post(`/api/admin${path}`)).send(body);
  }

  patch(path: string, body: object): Test {
    return this.authorized(supertest(this.world.app.getHttpServer()).patch(`/api/admin${path}`)).send(body);
  }

  delete(path: string): Test {
    return this.authorized(supertest(this.world.app.getHttpServer()).delete(`/api/admin${path}`));
  }

  /** Creates, and gives the body of the answer, which must be 201. */
  async created<T extends object = { id: string }>(path: string, body: object): Promise<T> {
    const response = await this.post(path, body);
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${response.text}`);
    return response.body as T;
  }

  private authorized(test: Test): Test {
    return test.set('Authorization', `Bearer ${OPERATOR_TOKEN}`);
  }
}

/** An id that nothing has. */
export const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';
export const ISO_INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
