import { CarrierAccountOpener } from '../../../src/carrier-accounts/carrier-account-opener.service.js';
import {
  acceptByElevenLabs,
  failureOf,
  postElevenLabsReport,
  refuseByElevenLabs,
} from '../../../tools/fake-carriers/fake-elevenlabs.js';
import { bearer } from '../../support/calling.js';
import { ElevenLabsWorld, type Workspace } from './elevenlabs-world.js';

// From a trigger over the real API and a worker to ElevenLabs, and back by signed reports of a workspace's webhook,
// with a team's own account.

const KEY = 'sk_key_of_the_first_team';
const SECRET = 'wsec_secret_of_the_first_team';
const OTHER_SECRET = 'wsec_secret_of_the_other_team';

let world: ElevenLabsWorld;
let own: Workspace;
let other: Workspace;
beforeAll(async () => {
  world = await ElevenLabsWorld.start();
  await world.calling.startWorker();
  own = await world.workspace(KEY, SECRET, {
    optOutPath: 'data_collection_results.do_not_call.value',
    dispositionPath: 'data_collection_results.outcome.value',
  });
  other = await world.workspace('sk_key_of_the_other_team', OTHER_SECRET);
});
afterAll(() => world.close());
beforeEach(() => {
  world.elevenLabs.onDial = null;
});

test('ElevenLabs gets the call with the team’s key, the agent, the id of the number, and the call’s id', async () => {
  const { phoneNumber, id } = await world.place(own, { fullName: 'Ada', order: 7 });
  const [dial] = world.elevenLabs.dialsTo(phoneNumber);
  expect(dial?.headers['xi-api-key']).toBe(KEY);
  expect(dial?.path).toBe('/v1/convai/twilio/outbound-call');
  expect(dial?.body).toMatchObject({
    agent_phone_number_id: `phnum_${own.caller.callerNumber.slice(1)}`,
    conversation_initiation_client_data: {
      user_id: id,
      dynamic_variables: { order: '7', outdial_call_request_id: id, outdial_generation: '0' },
    },
  });
});

test('a call by a SIP trunk is dialed there', async () => {
  const trunk = await world.workspace('sk_key_with_a_trunk', SECRET, { telephony: 'sip_trunk' });
  const { phoneNumber } = await world.place(trunk);
  expect(world.elevenLabs.dialsTo(phoneNumber)[0]?.path).toBe('/v1/convai/sip-trunk/outbound-call');
});

test('a call is followed to its end, and its result comes home before the report is answered', async () => {
  const placed = await world.inProgress(own);
  const report = world.ended(placed, {
    transcript: [
      { role: 'agent', message: 'Hello' },
      { role: 'user', message: 'Stop calling me' },
    ],
    analysis: {
      transcript_summary: 'They do not want calls.',
      call_successful: 'failure',
      data_collection_results: { do_not_call: { value: true }, outcome: { value: 'refused' } },
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
        transcript: 'Agent: Hello\nUser: Stop calling me',
        analysis: { call_successful: 'failure' },
      },
    },
  });
  // Repeated, late and other reports change nothing.
  for (const again of [
    report,
    world.ended(placed, { analysis: { transcript_summary: 'Another.' } }),
    failureOf(world.conversationOf(placed), 'busy'),
    { type: 'post_call_audio', data: { conversation_id: 'conv_1', full_audio: 'x' } },
  ])
    expect(await world.report(placed, again)).toBe(200);
  expect((await world.calling.get(own.caller, placed.id)).body).toEqual(answer.body);
});

test.each([
  ['busy', {}, 'busy', null],
  ['no-answer', {}, 'no_answer', null],
  ['unknown', {}, 'failed', 'unknown'],
  ['unknown', { sip_status_code: 608 }, 'failed', 'network_blocked'],
])(
  'a call that was not started for %s with %j is stored as %s, %s',
  async (failure, body, status, reason) => {
    const placed = await world.inProgress(own);
    expect(await world.report(placed, failureOf(world.conversationOf(placed), failure, body))).toBe(200);
    expect(await world.until(placed, status)).toMatchObject({ reason });
  },
);

test('a voicemail that they noticed, and a screening bot, are no conversations', async () => {
  const metadata = { start_time_unix_secs: 1, call_duration_secs: 3 };
  for (const [reason, termination_reason] of [
    ['voicemail_detected', 'voicemail_detection tool was called.'],
    ['call_screening_detected', 'Call screening detected'],
  ] as const) {
    const placed = await world.inProgress(own);
    const report = world.ended(placed, { metadata: { ...metadata, termination_reason } });
    expect(await world.report(placed, report)).toBe(200);
    expect(await world.until(placed, 'voicemail')).toMatchObject({ reason });
  }
});

test('a voicemail that is noticed late does not change a call that has ended', async () => {
  const placed = await world.inProgress(own);
  expect(await world.report(placed, world.ended(placed))).toBe(200);
  await world.until(placed, 'completed');
  const metadata = { start_time_unix_secs: 1, call_duration_secs: 3, termination_reason: 'voicemail' };
  const late = world.ended(placed, { metadata, analysis: { transcript_summary: 'A mailbox.' } });
  expect(await world.report(placed, late)).toBe(200);
  expect((await world.calling.get(own.caller, placed.id)).body).toMatchObject({
    status: 'completed',
    result: { data: { summary: 'A mailbox.' } },
  });
});

test('the end of a call whose dial is still unanswered is taken', async () => {
  let answer = (): void => undefined;
  world.elevenLabs.onDial = (_, response, conversation) => {
    answer = () => acceptByElevenLabs(response, conversation);
  };
  const placed = await world.place(own);
  expect(await world.report(placed, world.ended(placed))).toBe(200);
  await world.until(placed, 'completed');
  world.elevenLabs.onDial = null;
  answer();
  // The answer has been taken once a later call is under way.
  await world.inProgress(own);
  expect((await world.calling.row(placed.id)).status).toBe('completed');
});

test('a failure without Outdial’s ids is answered 503 if the conversation cannot be read, and taken later', async () => {
  const placed = await world.inProgress(own);
  const report = failureOf(world.conversationOf(placed), 'busy');
  world.elevenLabs.keys.delete(KEY);
  expect(await world.report(placed, report)).toBe(503);
  world.elevenLabs.keys.set(KEY, SECRET);
  expect((await world.calling.row(placed.id)).status).toBe('in_progress');
  expect(await world.report(placed, report)).toBe(200);
  await world.until(placed, 'busy');
});

describe('a report is refused', () => {
  const refused = async (more: { secret?: string; at?: number }) => {
    const placed = await world.inProgress(own);
    expect(await world.report(placed, world.ended(placed), more)).toBe(401);
    expect((await world.calling.row(placed.id)).status).toBe('in_progress');
  };

  test('with the API key instead of the secret', () => refused({ secret: KEY }));
  test('with the secret of another team’s account', () => refused({ secret: OTHER_SECRET }));
  test('that is old', () => refused({ at: Date.now() - 301_000 }));

  test('at the address of another team’s account, with the secret of that account', async () => {
    const placed = await world.inProgress(own);
    const body = JSON.stringify(world.ended(placed));
    expect((await postElevenLabsReport(world.urlOf(other), body, OTHER_SECRET)).status).toBe(404);
    expect((await world.calling.row(placed.id)).status).toBe('in_progress');
  });

  test('without a signature before the account is read', async () => {
    const read = jest.spyOn(CarrierAccountOpener.prototype, 'ofReports');
    try {
      const answer = await fetch(world.urlOf(own), { method: 'POST', body: '{}' });
      expect([answer.status, await answer.json()]).toMatchObject([401, { error: 'Invalid signature' }]);
      expect(read).not.toHaveBeenCalled();
    } finally {
      read.mockRestore();
    }
  });

  test('of an account without a webhook secret', async () => {
    const silent = await world.workspace('sk_key_without_a_webhook', '');
    const placed = await world.inProgress(silent);
    expect(await world.report(placed, world.ended(placed), { secret: SECRET })).toBe(401);
  });

  test('at the address of the deployment’s account, if there is none', async () => {
    const url = world.urlOf(own).replace(/accounts\/.*$/, 'events');
    expect((await postElevenLabsReport(url, '{}', SECRET)).status).toBe(401);
  });
});

test('a lost answer is found by agent, time and the call’s id, and the call is dialed once', async () => {
  world.elevenLabs.onDial = (_, response, conversation) => {
    Object.assign(conversation, {
      status: 'done',
      metadata: { start_time_unix_secs: Math.floor(Date.now() / 1_000) - 9, call_duration_secs: 9 },
      analysis: { transcript_summary: 'Found.', call_successful: 'success' },
    });
    response.socket?.resetAndDestroy();
  };
  const placed = await world.place(own);
  const row = await world.until(placed, 'completed');
  expect(row.carrier_call_id).toBe(world.conversationOf(placed).conversation_id);
  expect(row.history.map(({ cause }) => cause)).toEqual(
    expect.arrayContaining(['carrier_silent', 'carrier_listing']),
  );
  expect((await world.calling.get(own.caller, placed.id)).body).toMatchObject({
    durationSeconds: 9,
    result: { data: { summary: 'Found.' } },
  });
  expect(world.elevenLabs.dialsTo(placed.phoneNumber)).toHaveLength(1);
});

test('a call whose end is not reported is read minutes later', async () => {
  const placed = await world.inProgress(own);
  Object.assign(world.conversationOf(placed), { status: 'done', analysis: { transcript_summary: 'Read.' } });
  await world.calling.db.query(
    `UPDATE call_requests SET claimed_at = claimed_at - interval '4 minutes', woken_at = woken_at - interval '4 minutes'
     WHERE id = $1`,
    [placed.id],
  );
  expect((await world.until(placed, 'completed')).history.at(-1)?.cause).toBe('carrier_listing');
  expect((await world.calling.get(own.caller, placed.id)).body).toMatchObject({
    result: { data: { summary: 'Read.' } },
  });
});

test('a call over the limit of concurrent calls is dialed later, and one without money is not', async () => {
  world.elevenLabs.onDial = (_, response, conversation) => {
    world.elevenLabs.hide(conversation);
    refuseByElevenLabs(response, 429, 'too_many_concurrent_requests', { 'retry-after': '1' });
  };
  const placed = await world.place(own);
  await world.until(placed, 'queued');
  world.elevenLabs.onDial = (_, response, conversation) => acceptByElevenLabs(response, conversation);
  await world.until(placed, 'in_progress');
  expect(world.elevenLabs.dialsTo(placed.phoneNumber)).toHaveLength(2);

  world.elevenLabs.onDial = (_, response, conversation) => {
    world.elevenLabs.hide(conversation);
    refuseByElevenLabs(response, 401, 'quota_exceeded');
  };
  const refused = await world.place(own);
  expect(await world.until(refused, 'failed')).toMatchObject({ reason: 'carrier_payment_required' });
  expect(world.elevenLabs.dialsTo(refused.phoneNumber)).toHaveLength(1);
});

test('a hang-up is refused, because ElevenLabs’ API has none', async () => {
  const placed = await world.inProgress(own);
  expect((await world.calling.hangUp(own.caller, placed.id)).body).toMatchObject({
    reason: 'cannot_hang_up',
  });
});

describe('the check of an account', () => {
  const check = async ({ caller, account }: Workspace) => {
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
      'API key': 'true: ElevenLabs takes it',
      'agent agent_0123456789abcdefghij': 'true: exists',
      [own.caller.callerNumber]: 'true: number of the workspace',
      reports: expect.stringContaining('false: https://calls.example.com/api/carriers/elevenlabs/') as string,
    });
    expect(JSON.stringify(items)).not.toContain(KEY);
    expect(JSON.stringify(items)).not.toContain(SECRET);
  });

  test('tells the address of the webhook as long as there is no secret', async () => {
    const silent = await world.workspace('sk_key_of_a_beginner', '');
    expect((await check(silent)).reports).toContain(
      `https://calls.example.com/api/carriers/elevenlabs/accounts/${silent.account.id}`,
    );
  });

  test('finds an unknown agent, a number of another telephony, and one that was not imported', async () => {
    const team = await world.workspace('sk_key_of_a_third_team', SECRET, {
      agentId: 'agent_of_nobody',
      telephony: 'sip_trunk',
    });
    const { callerNumber } = team.caller;
    expect(await check(team)).toMatchObject({
      'agent agent_of_nobody': expect.stringContaining('false: ElevenLabs has no such agent: copy') as string,
      [callerNumber]:
        'false: is a number of twilio, and the agents’ telephony is sip_trunk: change that setting',
    });
    world.elevenLabs.numbers.splice(world.elevenLabs.numbers.indexOf(callerNumber), 1);
    expect((await check(team))[callerNumber]).toContain('false: not imported into the workspace: import');
  });

  test('finds a wrong key', async () => {
    const team = await world.workspace('sk_key_that_is_revoked', SECRET);
    world.elevenLabs.keys.delete('sk_key_that_is_revoked');
    const items = await check(team);
    expect(items['API key']).toContain('false: ElevenLabs refuses the key: copy');
    expect(Object.keys(items)).toEqual(['API key', 'reports']);
  });
});
