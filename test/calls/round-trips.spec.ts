import { type NestExpressApplication } from '@nestjs/platform-express';
import supertest from 'supertest';
import { CommitUnknownError } from '../../src/database/database-errors.js';
import { SequencerService } from '../../src/events/outbox/sequencer.service.js';
import { RestoreWatch } from '../../src/restore/restore-watch.service.js';
import { createWorld, type World } from '../support/app.js';
import { insertRow, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { type PostgresProxy, startPostgresProxy } from '../support/postgres-proxy.js';
import { type IdleWorker } from '../support/idle-worker.js';
import { moveClock } from '../support/clock.js';

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

describe('with one connection through a proxy', () => {
  // API and worker reach Postgres through a proxy, each with one connection; the tests themselves do not.
  let calling: Calling;
  let proxy: PostgresProxy;
  let worker: IdleWorker;

  beforeAll(async () => {
    calling = await Calling.start({ databasePoolSize: 1 }, async ({ config }) => {
      proxy = await startPostgresProxy(config.databaseUrl);
      config.databaseUrl = proxy.url;
    });
    worker = await calling.startIdleWorker();
    // Its looks for new events and for a restored database are round trips, too.
    await worker.app.get(SequencerService, { strict: false }).beforeApplicationShutdown();
    await worker.app.get(RestoreWatch, { strict: false }).beforeApplicationShutdown();
  });
  afterAll(async () => {
    await calling.close();
    await proxy.close();
  });
  beforeEach(() => moveClock(calling.db, '0'));
  afterEach(() => calling.setRules());

  const UNAVAILABLE = {
    success: false,
    message: 'The service is temporarily unavailable; try again shortly',
    reason: 'SERVICE_UNAVAILABLE',
    retryable: true,
  };

  describe('round trips to Postgres', () => {
    /** Prepares the statements on their connections by a first call. */
    async function warm(): Promise<Caller> {
      const caller = await buildCaller(calling.db, { monthly_call_limit: 10, default_country: 'US' });
      const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
      await worker.fire(id);
      await calling.until(caller, id, 'completed');
      proxy.takeRoundTrips();
      return caller;
    }

    test('a trigger takes two, accepted or refused; a national number takes one before', async () => {
      const caller = await warm();
      const phoneNumber = nextNumber();
      const roundTrips = async (body: object, apiKey = caller.apiKey) => {
        await calling.trigger({ agentId: caller.agentId, apiKey }, body);
        return proxy.takeRoundTrips();
      };
      expect(await roundTrips({ phoneNumber, name: 'Ada', topic: 'x' })).toBe(2);
      expect(await roundTrips({ phoneNumber })).toBe(2);
      expect(await roundTrips({ phoneNumber: nextNumber(), fromPhoneNumber: '+14155550100' })).toBe(2);
      expect(await roundTrips({ phoneNumber: nextNumber() }, 'unknown')).toBe(2);
      expect(await roundTrips({ phoneNumber: nextNumber().slice(2) })).toBe(3);
      expect(await roundTrips({})).toBe(1);
    });

    test('a firing takes two until the carrier is requested, and one to record the answer', async () => {
      const caller = await warm();
      const [one, other] = [nextNumber(), nextNumber()];
      const id = await calling.accepted(caller, { phoneNumber: one });
      const blocked = await calling.accepted(caller, { phoneNumber: other });
      await insertRow(calling.db, 'do_not_call', { team_id: caller.teamId, phone_number: other });
      proxy.takeRoundTrips();
      expect(await worker.fire(blocked)).toEqual({ kind: 'blocked' });
      expect(proxy.takeRoundTrips()).toBe(2);
      expect(await worker.fire(blocked)).toEqual({ kind: 'ignored', why: 'not_pending' });
      expect(proxy.takeRoundTrips()).toBe(2);
      calling.setRules({ match: one, outcome: 'silent' });
      expect(await worker.fire(id)).toEqual({ kind: 'claimed' });
      expect(proxy.takeRoundTrips()).toBe(3);
      expect(calling.dials(one)).toHaveLength(1);
    });
  });

  describe('a trigger whose COMMIT', () => {
    test('is lost: SERVICE_UNAVAILABLE and Retry-After, and nothing is stored', async () => {
      const caller = await buildCaller(calling.db);
      const phoneNumber = nextNumber();
      const happened = proxy.nextCommit('lost');
      const answer = await calling.trigger(caller, { phoneNumber });
      await happened;
      expect([answer.status, answer.body]).toEqual([500, UNAVAILABLE]);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
      expect(await calling.rows(caller.teamId)).toEqual([]);
      await calling.accepted(caller, { phoneNumber });
    });

    test('gets no answer: no 200, and the stored call continues', async () => {
      const caller = await buildCaller(calling.db);
      const phoneNumber = nextNumber();
      const happened = proxy.nextCommit('answer lost');
      const answer = await calling.trigger(caller, { phoneNumber });
      await happened;
      expect([answer.status, answer.body]).toEqual([500, UNAVAILABLE]);
      const [row] = await calling.rows(caller.teamId);
      expect(row).toMatchObject({ status: 'queued', generation: 0 });
      expect(await calling.queue.getJob(`call-${row?.id}-0`)).toBeUndefined();
      await moveClock(calling.db, '1 minute');
      expect((await worker.sweep()).woken).toBeGreaterThanOrEqual(1);
      expect(await worker.fire(row?.id ?? '', 1)).toEqual({ kind: 'claimed' });
    });
  });

  describe('a claim whose COMMIT', () => {
    async function claim(fate: 'lost' | 'answer lost') {
      const caller = await buildCaller(calling.db, { monthly_call_limit: 1 });
      const phoneNumber = nextNumber();
      const id = await calling.accepted(caller, { phoneNumber });
      const happened = proxy.nextCommit(fate);
      await expect(worker.fire(id)).rejects.toBeInstanceOf(CommitUnknownError);
      await happened;
      expect(calling.dials(phoneNumber)).toEqual([]);
      return { caller, phoneNumber, id };
    }

    test('is lost: no dial; the call is pending, and the next wake-up dials it', async () => {
      const { caller, phoneNumber, id } = await claim('lost');
      expect(await calling.row(id)).toMatchObject({ status: 'queued', claimed_at: null });
      expect(await worker.fire(id)).toEqual({ kind: 'claimed' });
      await calling.until(caller, id, 'completed');
      expect(calling.dials(phoneNumber)).toHaveLength(1);
    });

    test('gets no answer: no dial; the call ends as unknown, and counts', async () => {
      const { caller, phoneNumber, id } = await claim('answer lost');
      expect(await calling.row(id)).toMatchObject({ status: 'dialing' });
      expect(await worker.fire(id)).toEqual({ kind: 'ignored', why: 'not_pending' });
      await moveClock(calling.db, '1 minute');
      expect((await worker.sweep()).unknown).toBeGreaterThanOrEqual(1);
      expect(await calling.row(id)).toMatchObject({ status: 'dial_unknown' });
      expect(calling.dials(phoneNumber)).toEqual([]);
      expect(Object.values(await calling.usage(caller.teamId))).toEqual([1]);
    });
  });

  test('a cancellation whose COMMIT is lost is 503, and the call is unchanged', async () => {
    const caller = await buildCaller(calling.db);
    const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
    const happened = proxy.nextCommit('lost');
    const answer = await calling.cancel(caller, id);
    await happened;
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual({ error: expect.any(String) as string });
    expect(await calling.row(id)).toMatchObject({ status: 'queued' });
    await calling.cancel(caller, id).expect(200);
  });
});
