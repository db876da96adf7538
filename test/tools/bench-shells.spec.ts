import { type INestApplication } from '@nestjs/common';
import request from 'supertest';
import { DataSource } from 'typeorm';
import { createNaive } from '../../tools/bench/shells/naive.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller } from '../support/call-builders.js';
import { bearer } from '../support/calling.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { clearRedisPrefix, testRedisUrl } from '../support/redis.js';

let database: TestDatabase;
let app: INestApplication;

beforeAll(async () => {
  process.env.REDIS_URL = testRedisUrl();
  database = await createTestDatabase();
  app = await createNaive(database.url);
  await app.init();
});
afterAll(async () => {
  await app.close();
  await clearRedisPrefix('{naive}');
  await database.drop();
});

test('the naive trigger, with which the trigger is compared, accepts calls to new and to known contacts', async () => {
  const db = app.get(DataSource);
  const { agentId, apiKey, teamId } = await buildCaller(db);
  const phoneNumber = nextNumber();
  for (const name of ['Ada', 'Grace']) {
    await request(app.getHttpServer() as never)
      .post(`/api/voice-agents/${agentId}/calls`)
      .set(bearer(apiKey))
      .send({ phoneNumber, name })
      .expect(200);
  }
  const calls = await db.query<{ phase: number }[]>('SELECT phase FROM call_requests WHERE team_id = $1', [
    teamId,
  ]);
  expect(calls).toEqual([{ phase: 0 }, { phase: 0 }]);
});
