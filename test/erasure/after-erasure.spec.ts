import { type INestApplicationContext } from '@nestjs/common';
import { type Response } from 'supertest';
import { FireService } from '../../src/calls/fire/fire.service.js';
import { OutcomeService } from '../../src/dialing/outcome/outcome.service.js';
import { ErasureService } from '../../src/erasure/erasure.service.js';
import { section, OperationsClient, textOf } from '../operations/operations-client.js';
import { bearer, Calling, NEVER_MS } from '../support/calling.js';
import { buildCall, buildContact, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller, hoursOpeningIn } from '../support/call-builders.js';
import { moveClock } from '../support/clock.js';
import { buildStoredCall } from '../support/number-history.js';

const KEY = 'erasure-key-of-the-tests';

const calling = Calling.ofFile({ erasureKey: KEY });
let worker: INestApplicationContext;

beforeAll(async () => {
  worker = await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
});

const erase = ({ apiKey }: Pick<Caller, 'apiKey'>, contactId: string) =>
  calling.http().delete(`/api/contacts/${contactId}`).set(bearer(apiKey));

const contactOf = (answer: Response) => (answer.body as { contactId: string }).contactId;

describe('the rules for an erased number', () => {
  /** A call to a number that ended now, and the erasure of its contact. */
  async function erased(caller: Caller, phoneNumber: string): Promise<void> {
    const { id } = await buildContact(calling.db, caller.teamId, { phone_number: phoneNumber });
    const now = new Date();
    await buildCall(
      calling.db,
      { team_id: caller.teamId, agent_id: caller.agentId, contact_id: id, phone_number: phoneNumber },
      {
        status: 'completed',
        claimed_at: now,
        processed_at: now,
        ended_at: now,
        caller_id: caller.callerNumber,
      },
    );
    await erase(caller, id).expect(204);
  }
  afterEach(() => moveClock(calling.db, '0 seconds'));

  test('count the calls before the erasure for the 12 hours and the limits', async () => {
    const caller = await buildCaller(calling.db, { number_weekly_limit: 1 });
    const phoneNumber = nextNumber();
    await erased(caller, phoneNumber);
    const limited = await calling.trigger(caller, { phoneNumber });
    expect([limited.status, limited.body]).toEqual([
      429,
      expect.objectContaining({ reason: 'NUMBER_LIMIT_WEEKLY' }),
    ]);
    await calling.operated('patch', `/teams/${caller.teamId}`, { numberWeeklyLimit: null });
    expect((await calling.trigger(caller, { phoneNumber })).body).toMatchObject({
      reason: 'RECENTLY_CALLED',
    });
    await moveClock(calling.db, '13 hours');
    await calling.until(caller, await calling.accepted(caller, { phoneNumber }), 'completed');
  });

  test('hold however the ids of the erasure are written', async () => {
    const caller = await buildCaller(calling.db);
    const phoneNumber = nextNumber();
    const stored = await calling
      .http()
      .post('/api/contacts')
      .set({ ...bearer(caller.apiKey), 'Idempotency-Key': 'crm' })
      .send({ phoneNumber });
    await calling.operated('post', `/teams/${caller.teamId}/do-not-call`, { phoneNumbers: [phoneNumber] });
    const ids = [caller.teamId, contactOf(stored)].map((id) => id.toUpperCase()) as [string, string];
    await calling.api.get(ErasureService, { strict: false }).erase(...ids);
    expect((await calling.trigger(caller, { phoneNumber })).body).toMatchObject({ reason: 'DO_NOT_CALL' });
    const answers = await calling.db.query<object[]>(
      `SELECT FROM idempotency_keys WHERE team_id = $1 AND key = 'crm'`,
      [caller.teamId],
    );
    expect(answers).toHaveLength(0);
  });

  test('do not affect the number at another team', async () => {
    const [one, other] = [await buildCaller(calling.db), await buildCaller(calling.db)];
    const phoneNumber = nextNumber();
    await erased(one, phoneNumber);
    await calling.accepted(other, { phoneNumber });
    const rows = await calling.db.query<{ forms: number }[]>(
      'SELECT count(DISTINCT phone_number)::integer AS forms FROM call_requests WHERE phone_number = ANY($1)',
      [[phoneNumber]],
    );
    expect(rows).toEqual([{ forms: 1 }]);
  });

  test('apply when the call fires', async () => {
    const caller = await buildCaller(calling.db, {}, hoursOpeningIn(3));
    const phoneNumber = nextNumber();
    await erased(caller, phoneNumber);
    const id = await calling.accepted(caller, { phoneNumber });
    expect((await calling.row(id)).status).toBe('scheduled');
    await calling.db.query('UPDATE call_requests SET runs_at = outdial_now() WHERE id = $1', [id]);
    await calling.db.query('UPDATE voice_agents SET calling_hours = NULL WHERE id = $1', [caller.agentId]);
    expect(await worker.get(FireService).fire({ callRequestId: id, generation: 0 })).toEqual({
      kind: 'blocked',
    });
    expect(await calling.row(id)).toMatchObject({ status: 'blocked', reason: 'RECENTLY_CALLED' });
  });

  test('a canceled call releases its count of the plan', async () => {
    const caller = await buildCaller(calling.db, { monthly_call_limit: 5 });
    await calling.operated('post', `/teams/${caller.teamId}/pause`);
    const answer = await calling.trigger(caller, { phoneNumber: nextNumber() });
    expect(Object.values(await calling.usage(caller.teamId))).toEqual([1]);
    await erase(caller, contactOf(answer)).expect(204);
    expect(Object.values(await calling.usage(caller.teamId))).toEqual([0]);
  });
});

describe('an active call', () => {
  async function underWay(caller: Caller, status: string) {
    const { id, phone_number } = await buildContact(calling.db, caller.teamId);
    const now = new Date();
    const call = await buildCall(
      calling.db,
      { team_id: caller.teamId, agent_id: caller.agentId, contact_id: id, phone_number },
      {
        status,
        claimed_at: now,
        processed_at: now,
        caller_id: caller.callerNumber,
        carrier: 'simulator',
        prompt: 'Say it',
        first_message: 'Hello',
        variables: { order: 7 },
        timezone: 'UTC',
      },
    );
    return { contactId: id, callId: call.id };
  }

  test('keeps its prompts until its end, then only its outcome', async () => {
    const caller = await buildCaller(calling.db);
    const { contactId, callId } = await underWay(caller, 'in_progress');
    await erase(caller, contactId).expect(204);
    expect(await calling.row(callId)).toMatchObject({
      status: 'in_progress',
      prompt: 'Say it',
      variables: { order: 7 },
      timezone: null,
      phone_number: expect.stringMatching(/^erased:/) as string,
    });
    const said = { callRequestId: callId, carrierCallId: 'sim-1', at: new Date(), durationSeconds: 31 };
    const outcomes = worker.get(OutcomeService);
    expect(await outcomes.recordEvent('simulator', { ...said, status: 'completed' })).toBe(true);
    expect(await calling.row(callId)).toMatchObject({
      status: 'completed',
      duration_seconds: 31,
      prompt: null,
      first_message: null,
      variables: {},
    });
  });

  test('is not repeated when its carrier could not accept it', async () => {
    const caller = await buildCaller(calling.db, { monthly_call_limit: 5 });
    const { contactId, callId } = await underWay(caller, 'dialing');
    await erase(caller, contactId).expect(204);
    expect(await worker.get(OutcomeService).requeue(callId, 0, 'carrier_throttled', 0)).toBeNull();
    expect(await calling.row(callId)).toMatchObject({
      status: 'failed',
      reason: 'CONTACT_ERASED',
      processed_at: null,
      prompt: null,
      variables: {},
    });
  });

  test('without a report loses its content', async () => {
    const caller = await buildCaller(calling.db);
    const { contactId, callId } = await underWay(caller, 'dialing');
    await erase(caller, contactId).expect(204);
    await calling.db.query('SELECT mark_unknown(-1000, -1000, 500)');
    expect(await calling.row(callId)).toMatchObject({ status: 'dial_unknown', prompt: null, variables: {} });
  });
});

test('404 for another team’s contact and for an unknown one', async () => {
  const [one, other] = [await buildCaller(calling.db), await buildCaller(calling.db)];
  const { id } = await buildContact(calling.db, one.teamId);
  await erase(other, id).expect(404, { error: 'Contact not found' });
  await erase(one, 'none').expect(404);
  await calling.operator('delete', `/teams/${other.teamId}/contacts/${id}`).expect(404);
  await calling.operator('delete', `/teams/none/contacts/${id}`).expect(404);
  await calling.operator('delete', `/teams/${one.teamId}/contacts/${id}`).expect(204);
});

describe('the operations pages', () => {
  let pages: OperationsClient;
  let caller: Caller;

  beforeAll(async () => {
    pages = await OperationsClient.signedIn(calling.api);
    caller = await buildCaller(calling.db, { name: 'Clinics' });
  });

  test('a person is erased from the number’s page after a confirmation', async () => {
    const { id, phone_number } = await buildContact(calling.db, caller.teamId, { name: 'Ada Lovelace' });
    const number = `/t/${caller.teamId}/numbers?phoneNumber=${encodeURIComponent(phone_number)}`;
    const page = await pages.page(number);
    expect(section(page, 'about')).toContain('Ada Lovelace Erase…');
    const [, link = ''] = /href="([^"]*\/erase[^"]*)"/.exec(page) ?? [];
    expect(link).toContain(`/t/${caller.teamId}/contacts/${id}/erase?back=`);
    const question = await pages.page(link.replaceAll('&amp;', '&'));
    expect(section(question, 'erase')).toContain('Ada Lovelace is permanently removed from every table');
    expect(question).toContain('No, back');

    const answer = await pages.submit(
      link.replaceAll('&amp;', '&'),
      `/t/${caller.teamId}/contacts/${id}/erase`,
    );
    expect([answer.status, answer.headers.location]).toEqual([303, `/t/${caller.teamId}/contacts`]);
    expect(await pages.page(answer.headers.location ?? '')).toContain('The person is erased.');
    expect(section(await pages.page(number), 'about')).toContain('No name known');
    await pages.get(`/t/${caller.teamId}/contacts/${id}/erase`).expect(404);
  });

  test('a call of an erased person is shown without a number', async () => {
    const erased = `erased:${'0f'.repeat(32)}`;
    const call = await buildStoredCall(calling.db, caller, '+14155550177', {
      status: 'canceled',
      history: [
        { at: '2026-11-20T15:00:00.000Z', from: null, to: 'queued', cause: 'triggered' },
        { at: '2026-11-20T15:01:00.000Z', from: 'queued', to: 'canceled', cause: 'contact_erased' },
      ],
    });
    await calling.db.query('UPDATE call_requests SET phone_number = $1 WHERE id = $2', [erased, call.id]);
    const page = await pages.page(`/t/${caller.teamId}/calls/${call.id}`);
    expect(page).not.toContain('erased:');
    const text = textOf(page);
    expect(text).toContain('Call to an erased number');
    expect(text).toContain('Not called: the contact was erased while the call waited.');
  });
});
