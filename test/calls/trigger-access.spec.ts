import { randomUUID } from 'node:crypto';
import { type Response } from 'supertest';
import { type CallReason, refusal, refusalBody } from '../support/call-answers.js';
import { bearer, Calling, reasonOf } from '../support/calling.js';
import { insertRow, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller, hoursOpeningIn } from '../support/call-builders.js';
import { postRaw, type RawAnswer } from '../support/raw-http.js';

// No worker runs here.
const calling = Calling.ofFile();
let caller: Caller;

beforeAll(async () => {
  caller = await buildCaller(calling.db);
});

const denied = (reason: CallReason) => [500, refusalBody(500, reason)];

function post(agentId: string, headers: Record<string, string>, body: string): Promise<RawAnswer> {
  return postRaw(calling.api, `/api/voice-agents/${agentId}/calls`, body, headers);
}

describe('the agent', () => {
  test.each([
    ['unknown', randomUUID()],
    ['malformed', 'sales'],
    ['of the wrong length', '00000000-0000-4000-8000-00000000000'],
    ['with SQL in it', "00000000-0000-4000-8000-000000000000'%3B--"],
    ['with a NUL', '%00'],
    ['of characters beyond ASCII', '%F0%9F%93%9E'],
  ])('%s', async (_what, agentId) => {
    const answer = await calling.trigger({ agentId, apiKey: caller.apiKey }, { phoneNumber: nextNumber() });
    expect(refusal(answer)).toEqual(denied('AGENT_NOT_FOUND'));
  });

  test('ids are accepted in capitals', async () => {
    const { apiKey } = caller;
    await calling.accepted({ agentId: caller.agentId.toUpperCase(), apiKey }, { phoneNumber: nextNumber() });
  });
});

describe('the key', () => {
  const trigger = (headers: Record<string, string>) =>
    post(caller.agentId, headers, JSON.stringify({ phoneNumber: nextNumber() }));

  test.each<[string, () => Record<string, string>]>([
    ['missing', () => ({})],
    ['empty', () => ({ Authorization: 'Bearer ' })],
    ['of another scheme', () => ({ Authorization: `Basic ${caller.apiKey}` })],
    ['without a scheme', () => ({ Authorization: caller.apiKey })],
    ['unknown', () => bearer('od_live_nobody')],
    ['cut short', () => bearer(caller.apiKey.slice(0, -1))],
    ['very long', () => bearer('x'.repeat(8_000))],
    ['with something behind it', () => bearer(`${caller.apiKey} x`)],
  ])('%s', async (_what, headers) => {
    const answer = await trigger(headers());
    expect([answer.status, answer.body]).toEqual(denied('INVALID_API_KEY'));
  });

  test('the operator’s token is not an API key', async () => {
    const answer = await trigger(bearer(calling.world.config.operatorToken));
    expect([answer.status, answer.body]).toEqual(denied('INVALID_API_KEY'));
  });

  test('a key of another team than the agent’s is refused, and stores nothing in either team', async () => {
    const other = await buildCaller(calling.db);
    const agent = await buildCaller(calling.db);
    const { agentId } = agent;
    const answer = await calling.trigger({ agentId, apiKey: other.apiKey }, { phoneNumber: nextNumber() });
    expect(refusal(answer)).toEqual(denied('INVALID_API_KEY'));
    for (const { teamId } of [other, agent]) {
      expect(await calling.rows(teamId)).toEqual([]);
      expect(await calling.db.query('SELECT id FROM contacts WHERE team_id = $1', [teamId])).toEqual([]);
    }
  });

  test('the scheme is case-insensitive', async () => {
    expect((await trigger({ authorization: `bearer ${caller.apiKey}` })).status).toBe(200);
  });

  test('a revoked key is refused at once; other keys of the team stay valid', async () => {
    const { teamId, agentId, apiKey } = await buildCaller(calling.db);
    const made = await calling.operator('post', `/teams/${teamId}/api-keys`, { name: 'CRM' });
    const { id, key } = made.body as { id: string; key: string };
    await calling.accepted({ agentId, apiKey: key }, { phoneNumber: nextNumber() });
    await calling.operator('delete', `/teams/${teamId}/api-keys/${id}`).expect(204);
    const answer = await calling.trigger({ agentId, apiKey: key }, { phoneNumber: nextNumber() });
    expect(refusal(answer)).toEqual(denied('INVALID_API_KEY'));
    expect((await calling.get({ apiKey: key }, randomUUID())).status).toBe(401);
    await calling.accepted({ agentId, apiKey }, { phoneNumber: nextNumber() });
  });
});

describe('the order of the checks', () => {
  const huge = JSON.stringify({ phoneNumber: 'x', padding: 'x'.repeat(300 * 1024) });

  /**
   * From the last check to the first: each fault is added to those before it, and each time the newest is
   * answered.
   */
  test('agent, key, size, body, country, caller ID, hours, guardrails', async () => {
    const strict = await buildCaller(calling.db, { monthly_call_limit: 0, allowed_countries: ['US'] });
    const { teamId, agentId, apiKey } = strict;
    const phoneNumber = nextNumber();
    await insertRow(calling.db, 'do_not_call', { team_id: teamId, phone_number: phoneNumber });
    const answered = (answer: Response) => `${answer.status} ${reasonOf(answer)}`;
    const trigger = async (body: object) => answered(await calling.trigger(strict, body));

    expect(await trigger({ phoneNumber })).toBe('429 PLAN_LIMIT');

    const { calling_hours } = hoursOpeningIn(2);
    const setAgent = (column: string, value: unknown) =>
      calling.db.query(`UPDATE voice_agents SET ${column} = $1 WHERE id = $2`, [value, agentId]);
    await setAgent('calling_hours', calling_hours);
    const scheduled = await calling.trigger(strict, { phoneNumber });
    expect(scheduled.body).toMatchObject({ success: true, rescheduled: true });

    await setAgent('outbound_phone_number', null);
    expect(await trigger({ phoneNumber })).toBe('400 NO_CALLER_ID');

    const german = '+49 30 901820';
    expect(await trigger({ phoneNumber: german })).toBe('400 COUNTRY_NOT_ALLOWED');
    expect(await trigger({ phoneNumber: german, numberPoolId: randomUUID() })).toBe(
      '400 COUNTRY_NOT_ALLOWED',
    );

    const malformed = { phoneNumber: german, email: 'ada' };
    expect(await trigger(malformed)).toBe('400 INVALID_REQUEST');
    expect(await trigger({ ...malformed, teamId: randomUUID() })).toBe('400 INVALID_REQUEST');
    expect(await trigger({ phoneNumber: german, teamId: randomUUID() })).toBe('400 INVALID_REQUEST');

    const raw = (agent: string, key: string, body: string) => post(agent, bearer(key), body);
    const tooLarge = await raw(agentId, apiKey, huge);
    expect([tooLarge.status, tooLarge.body]).toEqual([
      413,
      { message: 'The body must be at most 256 KB', reason: 'PAYLOAD_TOO_LARGE', retryable: false },
    ]);
    for (const body of [huge, 'no JSON', '{}', JSON.stringify(malformed)]) {
      const wrongKey = await raw(agentId, 'od_live_nobody', body);
      expect([wrongKey.status, wrongKey.body]).toEqual(denied('INVALID_API_KEY'));
      for (const agent of [randomUUID(), 'sales']) {
        const noAgent = await raw(agent, 'od_live_nobody', body);
        expect([noAgent.status, noAgent.body]).toEqual(denied('AGENT_NOT_FOUND'));
      }
    }
  });

  test('the caller ID is checked also outside calling hours; a malformed one is refused before the country', async () => {
    const closed = await buildCaller(calling.db, { allowed_countries: ['DE'] }, hoursOpeningIn(2));
    const trigger = async (body: object) => reasonOf(await calling.trigger(closed, body));
    expect(await trigger({ phoneNumber: nextNumber(), fromPhoneNumber: '+14155550100' })).toBe(
      'COUNTRY_NOT_ALLOWED',
    );
    expect(await trigger({ phoneNumber: '+4930901820', fromPhoneNumber: '+14155550100' })).toBe(
      'FROM_NUMBER_INVALID',
    );
    expect(await trigger({ phoneNumber: nextNumber(), fromPhoneNumber: 'x' })).toBe('FROM_NUMBER_INVALID');
  });
});
