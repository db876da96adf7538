import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest from 'supertest';
import { createWorld, type World } from '../support/app.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer } from '../support/calling.js';
import { type PostgresProxy, startPostgresProxy } from '../support/postgres-proxy.js';

// With a pooler each transaction also sets its role and its limits: in the message that begins it.
describe.each([false, true])('with databaseTransactionPooling: %s', (databaseTransactionPooling) => {
  let world: World;
  let proxy: PostgresProxy;
  let api: NestExpressApplication;
  let caller: Caller;

  beforeAll(async () => {
    world = await createWorld({ databaseTransactionPooling });
    caller = await buildCaller(world.db);
    proxy = await startPostgresProxy(world.config.databaseUrl);
    world.config.databaseUrl = proxy.url;
    // One connection, which is there after the first statement: what it takes to open it does not count.
    world.config.databasePoolSize = 1;
    api = await world.startApi();
  });
  afterAll(async () => {
    await world.close();
    await proxy.close();
  });

  const ask = (method: 'get' | 'post', path: string, body?: object) =>
    supertest(api.getHttpServer())[method](path).set(bearer(caller.apiKey)).send(body);

  /** What asking twice gives, and what the second time took. */
  async function tripsOf(act: () => Promise<{ status: number }>): Promise<[status: number, trips: number]> {
    await act();
    proxy.takeRoundTrips();
    const { status } = await act();
    return [status, proxy.takeRoundTrips()];
  }

  const trigger = () =>
    ask('post', `/api/voice-agents/${caller.agentId}/calls`, { phoneNumber: nextNumber() });
  const store = () => ask('post', '/api/contacts', { phoneNumber: nextNumber() });

  test('a trigger takes two round trips to Postgres, including the team’s setting', async () => {
    expect(await tripsOf(trigger)).toEqual([200, 2]);
  });

  test('a contact is stored in one, with or without an enrollment', async () => {
    expect(await tripsOf(store)).toEqual([201, 1]);
    const upsert = () => ask('post', '/api/campaigns/contact-enrollments', { phoneNumber: nextNumber() });
    expect(await tripsOf(upsert)).toEqual([200, 1]);
  });

  test('a read takes one, after the check of the key', async () => {
    const { callRequestId } = (await trigger()).body as { callRequestId: string };
    const { contactId } = (await store()).body as { contactId: string };
    expect(await tripsOf(() => ask('get', `/api/calls/${callRequestId}`))).toEqual([200, 2]);
    expect(await tripsOf(() => ask('get', `/api/contacts/${contactId}`))).toEqual([200, 2]);
  });
});
