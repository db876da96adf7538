import { CarrierAccountOpener } from '../../../src/carrier-accounts/carrier-account-opener.service.js';
import { Metrics } from '../../../src/telemetry/metrics.js';
import { secretOf } from '../../../src/carriers/vapi/vapi-secret.js';
import { answerVapi, postVapiReport, refuseByVapi } from '../../../tools/fake-carriers/fake-vapi.js';
import { bearer } from '../../support/calling.js';
import { type Placed, PUBLIC_URL, VapiWorld } from './vapi-world.js';

// From a trigger over the real API and a worker to Vapi, and back by reports with the secret of the call, with a
// team's own account.

const KEY = 'private-key-of-the-first-team';
const OTHER_KEY = 'private-key-of-the-other-team';
const STARTED = { type: 'status-update', status: 'in-progress' };
const endedBy = (endedReason: string, more: object = {}) => ({
  type: 'end-of-call-report',
  endedReason,
  analysis: {},
  artifact: {},
  ...more,
});
const spoken = (seconds: number) => {
  const endedAt = Date.now();
  return {
    startedAt: new Date(endedAt - seconds * 1_000).toISOString(),
    endedAt: new Date(endedAt).toISOString(),
  };
};

let world: VapiWorld;
let own: Awaited<ReturnType<VapiWorld['caller']>>;
let other: Awaited<ReturnType<VapiWorld['caller']>>;
beforeAll(async () => {
  world = await VapiWorld.start();
  await world.calling.startWorker();
  own = await world.caller(KEY, {
    optOutPath: 'structuredData.do_not_call',
    dispositionPath: 'structuredData.outcome',
  });
  other = await world.caller(OTHER_KEY);
});
afterAll(() => world.close());
beforeEach(() => {
  world.vapi.onDial = null;
});

test('Vapi gets the call with the team’s key, the assistant, the id of the number, and the address of reports', async () => {
  const { phoneNumber, id } = await world.place(own.caller, { fullName: 'Ada', order: 7 });
  const [dial] = world.vapi.dialsTo(phoneNumber);
  expect(dial?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(dial?.body).toMatchObject({
    name: `${id.replaceAll('-', '')}-0`,
    phoneNumberId: `number-${own.caller.callerNumber.slice(1)}`,
    assistantOverrides: {
      variableValues: { order: '7', call_request_id: id },
      server: { url: `${PUBLIC_URL}/api/carriers/vapi/accounts/${own.account.id}` },
    },
  });
});

test('a call is followed to its end, and its result comes home before the report is answered', async () => {
  const placed = await world.place(own.caller);
  await world.until(placed, 'in_progress');
  expect(await world.report(placed, STARTED, { status: 'in-progress' })).toBe(200);
  const report = endedBy('customer-ended-call', {
    ...spoken(12),
    analysis: {
      summary: 'They do not want calls.',
      structuredData: { do_not_call: true, outcome: 'refused' },
    },
    artifact: {
      transcript: 'AI: Hello\nUser: Stop calling me',
      recordingUrl: 'https://recordings.example/1.wav',
    },
  });
  expect(await world.report(placed, report)).toBe(200);
  const [listed] = await world.calling.db.query<object[]>(
    'SELECT reason FROM do_not_call WHERE team_id = $1 AND phone_number = $2',
    [own.caller.teamId, placed.phoneNumber],
  );
  expect(listed).toEqual({ reason: `Opted out in call ${placed.id}` });
  const answer = await world.calling.get(own.caller, placed.id);
  expect(answer.body).toMatchObject({
    status: 'completed',
    durationSeconds: 12,
    result: {
      disposition: 'refused',
      optOut: true,
      data: {
        summary: 'They do not want calls.',
        transcript: 'AI: Hello\nUser: Stop calling me',
        recordingUrl: 'https://recordings.example/1.wav',
        analysis: { structuredData: { outcome: 'refused' } },
      },
    },
  });
  // Repeated, late and other reports change nothing.
  for (const message of [
    report,
    { ...report, artifact: { transcript: 'another' } },
    STARTED,
    { type: 'status-update', status: 'ended', endedReason: 'customer-busy' },
    { type: 'status-update', status: 'deletion-failed' },
    { type: 'transcript', transcript: 'Hello' },
  ])
    expect([message.type, await world.report(placed, message)]).toEqual([message.type, 200]);
  expect((await world.calling.get(own.caller, placed.id)).body).toEqual(answer.body);
});

test('the end may be reported without its analysis first, and before the answer', async () => {
  const placed = await world.place(own.caller);
  const ended = { type: 'status-update', status: 'ended', endedReason: 'assistant-ended-call' };
  expect(await world.report(placed, ended, spoken(5))).toBe(200);
  await world.until(placed, 'completed');
  expect(await world.report(placed, STARTED)).toBe(200);
  const report = endedBy('assistant-ended-call', { analysis: { summary: 'Short.' } });
  expect(await world.report(placed, report)).toBe(200);
  expect((await world.calling.get(own.caller, placed.id)).body).toMatchObject({
    status: 'completed',
    durationSeconds: 5,
    result: { data: { summary: 'Short.' } },
  });
});

test('a voicemail that is noticed late does not change a call that has ended', async () => {
  const placed = await world.place(own.caller);
  const ended = { type: 'status-update', status: 'ended', endedReason: 'customer-ended-call' };
  expect(await world.report(placed, ended, spoken(4))).toBe(200);
  await world.until(placed, 'completed');
  const late = endedBy('voicemail', { analysis: { summary: 'A mailbox.' } });
  expect(await world.report(placed, late)).toBe(200);
  expect((await world.calling.get(own.caller, placed.id)).body).toMatchObject({
    status: 'completed',
    result: { data: { summary: 'A mailbox.' } },
  });
});

test('a call whose end is not reported is read after its time limit', async () => {
  const placed = await world.place(own.caller);
  await world.until(placed, 'in_progress');
  Object.assign(world.callOf(placed), {
    status: 'ended',
    endedReason: 'assistant-ended-call',
    ...spoken(7),
    analysis: { summary: 'Read.' },
  });
  await world.calling.db.query(
    `UPDATE call_requests SET claimed_at = claimed_at - interval '5 hours', woken_at = woken_at - interval '5 hours'
     WHERE id = $1`,
    [placed.id],
  );
  const row = await world.until(placed, 'completed');
  expect(row.history.slice(-2).map(({ cause }) => cause)).toEqual(['no_word', 'carrier_listing']);
  expect((await world.calling.get(own.caller, placed.id)).body).toMatchObject({
    durationSeconds: 7,
    result: { data: { summary: 'Read.' } },
  });
});

test('an unknown reason is counted', async () => {
  const placed = await world.place(own.caller);
  await world.until(placed, 'in_progress');
  const counted = jest.spyOn(Metrics.prototype, 'unknownWord');
  try {
    expect(await world.report(placed, endedBy('moon-eclipse'))).toBe(200);
    expect(counted.mock.calls).toEqual([['vapi']]);
  } finally {
    counted.mockRestore();
  }
});

test.each([
  ['customer-did-not-answer', 'no_answer', null],
  ['customer-busy', 'busy', null],
  ['voicemail', 'voicemail', 'voicemail'],
  ['call-screening-detected', 'voicemail', 'call_screening_detected'],
  ['pipeline-error-openai-500-server-error', 'failed', 'pipeline_error_openai_server_error'],
  ['reason-of-tomorrow', 'failed', 'reason_of_tomorrow'],
])('%s is stored as %s, %s', async (endedReason, status, reason) => {
  const placed = await world.place(own.caller);
  await world.until(placed, 'in_progress');
  expect(await world.report(placed, endedBy(endedReason))).toBe(200);
  expect(await world.until(placed, status)).toMatchObject({ reason });
});

describe('a report is refused', () => {
  const refused = async (headersOf: (placed: Placed) => Record<string, string>) => {
    const placed = await world.place(own.caller);
    await world.until(placed, 'in_progress');
    expect(await world.report(placed, endedBy('customer-busy'), {}, headersOf(placed))).toBe(401);
    expect((await world.calling.row(placed.id)).status).toBe('in_progress');
  };

  test('with a secret that the key of another team’s account made', () =>
    refused(({ id }) => ({ 'X-Outdial-Secret': secretOf(OTHER_KEY, id) })));
  test('with the API key as its secret', () => refused(() => ({ 'X-Outdial-Secret': KEY })));

  test('with the secret of another call, about whose call at Vapi it is not', async () => {
    const [placed, another] = [await world.place(own.caller), await world.place(own.caller)];
    await world.until(placed, 'in_progress');
    await world.until(another, 'in_progress');
    const headers = { 'X-Outdial-Secret': secretOf(KEY, another.id) };
    expect(await world.report(placed, endedBy('customer-busy'), {}, headers)).toBe(404);
    expect((await world.calling.row(placed.id)).status).toBe('in_progress');
    expect((await world.calling.row(another.id)).status).toBe('in_progress');
  });

  test('at the address of another team’s account, with a secret of that account', async () => {
    const placed = await world.place(own.caller);
    await world.until(placed, 'in_progress');
    const body = { message: { ...endedBy('customer-busy'), call: world.callOf(placed) } };
    const url = `${world.apiUrl}/api/carriers/vapi/accounts/${other.account.id}`;
    const headers = { 'X-Outdial-Secret': secretOf(OTHER_KEY, placed.id) };
    expect((await postVapiReport(url, body, headers)).status).toBe(404);
    expect((await world.calling.row(placed.id)).status).toBe('in_progress');
  });

  test('without a secret before the account is read', async () => {
    const read = jest.spyOn(CarrierAccountOpener.prototype, 'ofReports');
    try {
      const url = `${world.apiUrl}/api/carriers/vapi/accounts/${own.account.id}`;
      const answer = await postVapiReport(url, {}, {});
      expect([answer.status, await answer.json()]).toMatchObject([401, { error: 'Invalid secret' }]);
      expect(read).not.toHaveBeenCalled();
    } finally {
      read.mockRestore();
    }
  });

  test('at the address of the deployment’s account, if there is none, and of no account', async () => {
    const headers = { 'X-Outdial-Secret': secretOf(KEY, own.caller.teamId) };
    for (const path of ['events', 'accounts/x', `accounts/${own.caller.teamId}`]) {
      const answer = await postVapiReport(`${world.apiUrl}/api/carriers/vapi/${path}`, {}, headers);
      expect([path, answer.status]).toEqual([path, 401]);
    }
  });
});

test('a lost answer is found by the name, and the call is dialed once', async () => {
  world.vapi.onDial = (_, response, call) => {
    Object.assign(call, {
      status: 'ended',
      endedReason: 'customer-ended-call',
      ...spoken(9),
      analysis: { summary: 'Found.' },
    });
    response.socket?.resetAndDestroy();
  };
  const placed = await world.place(own.caller);
  const row = await world.until(placed, 'completed');
  expect(row.carrier_call_id).toBe(world.callOf(placed).id);
  expect(row.history.map(({ cause }) => cause)).toEqual(
    expect.arrayContaining(['carrier_silent', 'carrier_listing']),
  );
  expect((await world.calling.get(own.caller, placed.id)).body).toMatchObject({
    durationSeconds: 9,
    result: { data: { summary: 'Found.' } },
  });
  expect(world.vapi.dialsTo(placed.phoneNumber)).toHaveLength(1);
});

test('a call over the limit of concurrent calls is dialed later, and one without money is not', async () => {
  world.vapi.onDial = (_, response, call) => {
    world.vapi.hide(call);
    refuseByVapi(response, 400, 'Over Concurrency Limit.', { 'retry-after': '1' });
  };
  const placed = await world.place(own.caller);
  await world.until(placed, 'queued');
  world.vapi.onDial = (_, response, call) => answerVapi(response, 201, call);
  await world.until(placed, 'in_progress');
  expect(world.vapi.dialsTo(placed.phoneNumber)).toHaveLength(2);

  world.vapi.onDial = (_, response, call) => {
    world.vapi.hide(call);
    refuseByVapi(response, 400, 'Wallet balance is 0. Purchase more credits.');
  };
  const refused = await world.place(own.caller);
  expect(await world.until(refused, 'failed')).toMatchObject({ reason: 'carrier_payment_required' });
  expect(world.vapi.dialsTo(refused.phoneNumber)).toHaveLength(1);
});

test('a hang-up ends the call at Vapi', async () => {
  const placed = await world.place(own.caller);
  await world.until(placed, 'in_progress');
  expect((await world.calling.hangUp(own.caller, placed.id)).status).toBeLessThan(300);
  expect(world.callOf(placed).status).toBe('ended');
  await world.report(placed, endedBy('manually-canceled', spoken(3)));
  expect((await world.until(placed, 'completed')).history.at(-1)?.cause).toBe('hung_up');
});

test('new credentials dial at once, and reports of calls of the previous ones are accepted', async () => {
  const { caller, account } = await world.caller('private-key-before-the-rotation');
  const before = await world.place(caller);
  await world.until(before, 'in_progress');
  world.vapi.keys.add('private-key-after-the-rotation');
  const rotated = await world.calling
    .http()
    .patch(`/api/carrier-accounts/${account.id}`)
    .set(bearer(caller.apiKey))
    .send({ credentials: { apiKey: 'private-key-after-the-rotation' } });
  expect(rotated.status).toBe(200);
  const after = await world.place(caller);
  const [dial] = world.vapi.dialsTo(after.phoneNumber);
  expect(dial?.headers.authorization).toBe('Bearer private-key-after-the-rotation');
  for (const placed of [before, after]) {
    expect(await world.report(placed, endedBy('customer-busy'))).toBe(200);
    await world.until(placed, 'busy');
  }
});

describe('the check of an account', () => {
  const check = async ({ caller, account }: typeof own) => {
    const answer = await world.calling
      .http()
      .post(`/api/carrier-accounts/${account.id}/check`)
      .set(bearer(caller.apiKey));
    const { items } = answer.body as { items: { what: string; ok: boolean; detail: string }[] };
    return Object.fromEntries(items.map(({ what, ok, detail }) => [what, `${ok}: ${detail}`]));
  };

  test('tells what works, and that the address of reports cannot be reached', async () => {
    const items = await check(own);
    expect(items).toMatchObject({
      'API key': 'true: Vapi takes it',
      'assistant 5b0a4a08-133c-4146-9315-0984f8c6be80': 'true: exists',
      [own.caller.callerNumber]: 'true: number of the account',
      reports: expect.stringContaining('false: https://calls.example.com/api/carriers/vapi/') as string,
    });
    expect(JSON.stringify(items)).not.toContain(KEY);
  });

  test('finds an unknown assistant, and a number that is not Vapi’s', async () => {
    const team = await world.caller('private-key-of-a-third-team', { assistantId: 'unknown-assistant' });
    world.vapi.numbers.splice(world.vapi.numbers.indexOf(team.caller.callerNumber), 1);
    expect(await check(team)).toMatchObject({
      'assistant unknown-assistant': expect.stringContaining(
        'false: Vapi has no such assistant: copy',
      ) as string,
      [team.caller.callerNumber]: expect.stringContaining(
        'false: neither bought at Vapi nor imported: do so',
      ) as string,
    });
  });

  test('finds a wrong key', async () => {
    const team = await world.caller('private-key-that-is-revoked');
    world.vapi.keys.delete('private-key-that-is-revoked');
    const items = await check(team);
    expect(items['API key']).toContain('false: Vapi refuses the key: copy');
    expect(Object.keys(items)).toEqual(['API key', 'reports']);
  });
});
