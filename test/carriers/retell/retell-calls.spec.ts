import { CarrierAccountOpener } from '../../../src/carrier-accounts/carrier-account-opener.service.js';
import { eventually } from '../../support/eventually.js';
import { bearer } from '../../support/calling.js';
import { answerJson, postReport, refuseByRetell } from '../../../tools/fake-carriers/fake-retell.js';
import { PUBLIC_URL, RetellWorld } from './retell-world.js';

// From a trigger over the real API and a worker to Retell, and back by signed reports, with a team's own account.

const KEY = 'key_of_the_first_team_0123';
const WEBHOOK_KEY = 'key_with_the_badge_of_the_first_team';
const OTHER_KEY = 'key_of_the_other_team_0123';
const ENDED = { call_status: 'ended', disconnection_reason: 'user_hangup', duration_ms: 12_000 };

let world: RetellWorld;
let own: Awaited<ReturnType<RetellWorld['caller']>>;
let other: Awaited<ReturnType<RetellWorld['caller']>>;
beforeAll(async () => {
  world = await RetellWorld.start();
  await world.calling.startWorker();
  const settings = {
    optOutPath: 'custom_analysis_data.do_not_call',
    dispositionPath: 'custom_analysis_data.outcome',
  };
  own = await world.caller(KEY, { webhookKey: WEBHOOK_KEY, settings });
  other = await world.caller(OTHER_KEY);
});
afterAll(() => world.close());
beforeEach(() => {
  world.retell.onDial = null;
});

test('Retell gets the call with the team’s key, the agent, the variables, and the address of reports', async () => {
  const { phoneNumber, id } = await world.place(own.caller, { fullName: 'Ada', order: 7 });
  const [dial] = world.retell.dialsTo(phoneNumber);
  expect(dial?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(dial?.body).toMatchObject({
    from_number: own.caller.callerNumber,
    override_agent_id: 'agent_0123456789',
    metadata: { outdial_call_request_id: id },
    retell_llm_dynamic_variables: { order: '7', call_request_id: id },
    agent_override: {
      agent: { webhook_url: `${PUBLIC_URL}/api/carriers/retell/accounts/${own.account.id}` },
    },
  });
});

test('a call is followed to its end, and its result comes home before the report is answered', async () => {
  const placed = await world.place(own.caller);
  await world.until(placed, 'in_progress');
  const started = { call_status: 'ongoing', start_timestamp: Date.now() };
  expect(await world.report(placed, 'call_started', started)).toBe(200);
  expect(await world.report(placed, 'call_ended', ENDED)).toBe(200);
  await world.until(placed, 'completed');
  const analyzed = {
    transcript: 'Agent: Hello\nUser: Stop calling me',
    recording_url: 'https://recordings.example/1.wav',
    call_analysis: {
      call_summary: 'They do not want calls.',
      custom_analysis_data: { do_not_call: true, outcome: 'refused' },
    },
  };
  expect(await world.report(placed, 'call_analyzed', analyzed)).toBe(200);
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
        transcript: 'Agent: Hello\nUser: Stop calling me',
        recordingUrl: 'https://recordings.example/1.wav',
        analysis: { custom_analysis_data: { outcome: 'refused' } },
      },
    },
  });
  // Repeated and late reports change nothing.
  for (const [event, fields] of [
    ['call_analyzed', {}],
    ['call_analyzed', { transcript: 'another' }],
    ['call_started', { call_status: 'ongoing' }],
    ['call_ended', { ...ENDED, disconnection_reason: 'dial_busy' }],
  ] as const)
    expect(await world.report(placed, event, fields)).toBe(200);
  expect((await world.calling.get(own.caller, placed.id)).body).toEqual(answer.body);
});

test('a report of the end that comes with the analysis first ends the call', async () => {
  const placed = await world.place(own.caller);
  const analysis = { ...ENDED, call_analysis: { call_summary: 'Short.' } };
  expect(await world.report(placed, 'call_analyzed', analysis)).toBe(200);
  await world.until(placed, 'completed');
  expect((await world.calling.get(own.caller, placed.id)).body).toMatchObject({
    result: { data: { summary: 'Short.' } },
  });
});

test.each([
  ['dial_no_answer', 'no_answer', null],
  ['dial_busy', 'busy', null],
  ['voicemail_reached', 'voicemail', 'voicemail_reached'],
  ['user_declined', 'failed', 'declined'],
  ['marked_as_spam', 'failed', 'network_blocked'],
  ['no_valid_payment', 'failed', 'no_valid_payment'],
])('%s is stored as %s, %s', async (disconnection_reason, status, reason) => {
  const placed = await world.place(own.caller);
  await world.until(placed, 'in_progress');
  const fields = { call_status: 'not_connected', disconnection_reason };
  expect(await world.report(placed, 'call_ended', fields)).toBe(200);
  expect(await world.until(placed, status)).toMatchObject({ reason });
});

describe('a report is refused', () => {
  const refused = async (more: { key?: string; at?: number }) => {
    const placed = await world.place(own.caller);
    await world.until(placed, 'in_progress');
    expect(await world.report(placed, 'call_ended', ENDED, more)).toBe(401);
    expect((await world.calling.row(placed.id)).status).toBe('in_progress');
  };

  test('with another key than the one that signs', () => refused({ key: KEY }));
  test('with the key of another team’s account', () => refused({ key: OTHER_KEY }));
  test('that is old', () => refused({ at: Date.now() - 301_000 }));

  test('at the address of another team’s account, with the key of that account', async () => {
    const placed = await world.place(own.caller);
    await world.until(placed, 'in_progress');
    const body = JSON.stringify({ event: 'call_ended', call: { ...world.callOf(placed), ...ENDED } });
    const url = `${world.apiUrl}/api/carriers/retell/accounts/${other.account.id}`;
    expect((await postReport(url, body, OTHER_KEY)).status).toBe(404);
    expect((await world.calling.row(placed.id)).status).toBe('in_progress');
  });

  test('without a signature before the account is read', async () => {
    const read = jest.spyOn(CarrierAccountOpener.prototype, 'ofReports');
    try {
      const url = `${world.apiUrl}/api/carriers/retell/accounts/${own.account.id}`;
      const answer = await fetch(url, { method: 'POST', body: '{}' });
      expect([answer.status, await answer.json()]).toMatchObject([401, { error: 'Invalid signature' }]);
      expect(read).not.toHaveBeenCalled();
    } finally {
      read.mockRestore();
    }
  });

  test('at the address of the deployment’s account, if there is none, and of no account', async () => {
    const body = JSON.stringify({ event: 'call_ended', call: {} });
    for (const path of ['events', 'accounts/x', `accounts/${own.caller.teamId}`]) {
      const url = `${world.apiUrl}/api/carriers/retell/${path}`;
      expect([path, (await postReport(url, body, KEY)).status]).toEqual([path, 401]);
    }
  });
});

test('a report about a call that is not Outdial’s is taken and changes nothing', async () => {
  const body = JSON.stringify({ event: 'call_ended', call: { call_id: 'call_of_theirs', ...ENDED } });
  const url = `${world.apiUrl}/api/carriers/retell/accounts/${own.account.id}`;
  const answer = await postReport(url, body, WEBHOOK_KEY);
  expect([answer.status, await answer.json()]).toEqual([200, { moved: false }]);
});

test('a lost answer is found by the metadata, and the call is dialed once', async () => {
  world.retell.onDial = (_, response, call) => {
    Object.assign(call, { ...ENDED, call_analysis: { call_summary: 'Found.' } });
    response.socket?.resetAndDestroy();
  };
  const placed = await world.place(own.caller);
  const row = await world.until(placed, 'completed');
  expect(row.carrier_call_id).toBe(world.callOf(placed).call_id);
  expect(row.history.map(({ cause }) => cause)).toEqual(
    expect.arrayContaining(['carrier_silent', 'carrier_listing']),
  );
  expect((await world.calling.get(own.caller, placed.id)).body).toMatchObject({
    result: { data: { summary: 'Found.' } },
  });
  expect(world.retell.dialsTo(placed.phoneNumber)).toHaveLength(1);
});

test('a throttled call is dialed later, and a refused one is not', async () => {
  world.retell.onDial = (_, response, call) => {
    world.retell.hide(call);
    refuseByRetell(response, 429, 'Too many calls.', { 'retry-after': '1' });
  };
  const placed = await world.place(own.caller);
  await world.until(placed, 'queued');
  world.retell.onDial = (_, response, call) => answerJson(response, 201, call);
  await world.until(placed, 'in_progress');
  expect(world.retell.dialsTo(placed.phoneNumber)).toHaveLength(2);

  world.retell.onDial = (_, response, call) => {
    world.retell.hide(call);
    refuseByRetell(response, 402, 'Trial has ended.');
  };
  const refused = await world.place(own.caller);
  expect(await world.until(refused, 'failed')).toMatchObject({ reason: 'carrier_payment_required' });
  expect(world.retell.dialsTo(refused.phoneNumber)).toHaveLength(1);
});

test('a hang-up stops the call at Retell', async () => {
  const placed = await world.place(own.caller);
  await world.until(placed, 'in_progress');
  expect((await world.calling.hangUp(own.caller, placed.id)).status).toBeLessThan(300);
  expect(world.callOf(placed).call_status).toBe('ended');
  await world.report(placed, 'call_ended', ENDED);
  expect((await world.until(placed, 'completed')).history.at(-1)?.cause).toBe('hung_up');
});

test('new credentials dial at once, and reports with the previous ones are accepted', async () => {
  const { caller, account } = await world.caller('key_before_the_rotation_1');
  const before = await world.place(caller);
  await world.until(before, 'in_progress');
  world.retell.keys.set('key_after_the_rotation_2', 'key_after_the_rotation_2');
  const rotated = await world.calling
    .http()
    .patch(`/api/carrier-accounts/${account.id}`)
    .set(bearer(caller.apiKey))
    .send({ credentials: { apiKey: 'key_after_the_rotation_2' } });
  expect(rotated.body).toMatchObject({ id: account.id, rotatedAt: expect.any(String) as string });
  const after = await world.place(caller);
  const [dial] = world.retell.dialsTo(after.phoneNumber);
  expect(dial?.headers.authorization).toBe('Bearer key_after_the_rotation_2');
  expect(await world.report(before, 'call_ended', ENDED)).toBe(200);
  expect(await world.report(after, 'call_ended', ENDED)).toBe(200);
  await world.until(before, 'completed');
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
    world.retell.numbers = [own.caller.callerNumber];
    const items = await check(own);
    expect(items).toMatchObject({
      'API key': 'true: Retell takes it, 1 of 20 calls in use',
      'agent agent_0123456789': 'true: exists',
      [own.caller.callerNumber]: 'true: number of the account',
      reports: expect.stringContaining('false: https://calls.example.com/api/carriers/retell/') as string,
    });
    expect(items['webhook key']).toContain('true: is a key of Retell');
    expect(JSON.stringify(items)).not.toContain(KEY);
  });

  test('finds an unknown agent, a number that cannot call out, and a wrong webhook key', async () => {
    const settings = { agentId: 'agent_of_nobody' };
    const team = await world.caller('key_with_a_wrong_webhook', {
      webhookKey: 'not_a_key_of_retell',
      settings,
    });
    world.retell.keys.set('key_with_a_wrong_webhook', 'key_with_a_wrong_webhook');
    world.retell.numbers = [];
    expect(await check(team)).toMatchObject({
      'agent agent_of_nobody': expect.stringContaining('false: Retell has no such agent: copy') as string,
      [team.caller.callerNumber]: expect.stringContaining(
        'false: neither bought at Retell nor imported: do so there',
      ) as string,
      'webhook key': expect.stringContaining('false: Retell refuses the key') as string,
    });
  });

  test('finds a wrong key', async () => {
    const team = await world.caller('key_that_will_be_revoked');
    world.retell.keys.delete('key_that_will_be_revoked');
    const items = await check(team);
    expect(items['API key']).toContain('false: Retell refuses the key: copy');
    expect(Object.keys(items)).toEqual(['API key', 'reports']);
  });
});

test('one team’s revoked key fails its own calls, and no other team’s', async () => {
  const team = await world.caller('key_that_is_revoked_next');
  world.retell.keys.delete('key_that_is_revoked_next');
  const phoneNumber = '+14155550042';
  const id = await world.calling.accepted(team.caller, { phoneNumber });
  const row = await eventually(
    () => world.calling.row(id),
    ({ status }) => status === 'failed',
  );
  expect(row.reason).toBe('carrier_unauthorized');
  await world.until(await world.place(own.caller), 'in_progress');
});
