import { moveClock } from '../../support/clock.js';
import { eventually } from '../../support/eventually.js';
import { PUBLIC_URL, refuse, rfc2822 } from '../../../tools/fake-carriers/fake-twilio.js';
import { RELAY } from './twilio-options.js';
import { type Placed, TwilioWorld } from './twilio-world.js';

// From a trigger over the real API and a worker to Twilio, and back by signed callbacks.

let world: TwilioWorld;
beforeAll(async () => {
  world = await TwilioWorld.start();
  await world.calling.startWorker();
});
afterAll(() => world.close());
beforeEach(() => {
  world.twilio.onDial = null;
  world.twilio.refusesReads = false;
});

const ACCEPTED = ['queued (triggered)', 'dialing (claimed)', 'in_progress (carrier_accepted)'];

test('Twilio gets the rendered prompt, greeting and variables, and the caller ID', async () => {
  const caller = await world.caller({
    prompt_template: 'You call {{contact.name}} about {{order}}.',
    first_message_template: 'Hello {{contact.name}}!',
  });
  const { id, phoneNumber } = await world.place(caller, { fullName: 'Ada & Co', order: 7 });
  const [dial] = world.twilio.dialsTo(phoneNumber);
  expect(dial?.form.get('From')).toBe(caller.callerNumber);
  expect(dial?.form.get('StatusCallback')).toContain(`${PUBLIC_URL}/api/carriers/twilio/status/${id}`);
  const twiml = dial?.form.get('Twiml') ?? '';
  expect(twiml).toContain('welcomeGreeting="Hello Ada &amp; Co!"');
  expect(twiml).toContain('<Parameter name="prompt" value="You call Ada &amp; Co about 7."/>');
  expect(twiml).toContain('<Parameter name="order" value="7"/>');
  expect(twiml).toContain(`<Parameter name="callRequestId" value="${id}"/>`);
});

test.each([
  [{ CallStatus: 'completed', CallDuration: '30' }, 'completed', null],
  [{ CallStatus: 'completed', CallDuration: '5', AnsweredBy: 'machine_end_beep' }, 'voicemail', null],
  [{ CallStatus: 'busy', SipResponseCode: '486' }, 'busy', 'sip_486'],
  [{ CallStatus: 'busy', SipResponseCode: '603' }, 'failed', 'declined'],
  [{ CallStatus: 'failed', SipResponseCode: '603+' }, 'failed', 'network_blocked'],
  [{ CallStatus: 'no-answer' }, 'no_answer', null],
  [{ CallStatus: 'failed', SipResponseCode: '404' }, 'failed', 'sip_404'],
  [{ CallStatus: 'canceled' }, 'failed', 'carrier_canceled'],
])('%j: %s', async (last, status, reason) => {
  const placed = await world.place(await world.caller());
  await world.until(placed, 'in_progress');
  for (const CallStatus of ['initiated', 'ringing'])
    expect(await world.report(placed, { CallStatus })).toBe(200);
  expect(await world.report(placed, last)).toBe(200);
  const row = await world.until(placed, status);
  expect(row).toMatchObject({ reason, carrier_call_id: world.callOf(placed).sid });
  expect(row.ended_at).not.toBeNull();
  expect(await world.transitions(placed)).toEqual([...ACCEPTED, `${status} (carrier_report)`]);
});

test('answer, end and duration are stored', async () => {
  const placed = await world.place(await world.caller());
  const row = await world.until(placed, 'in_progress');
  const claimed = (row.claimed_at as Date).getTime();
  // Twilio's instants are whole seconds, and ours take nothing from before the claim.
  const answered = new Date(Math.ceil(claimed / 1_000) * 1_000);
  await eventually(
    () => Promise.resolve(Date.now()),
    (now) => now > answered.getTime() + 1_000,
  );
  await world.report(placed, { CallStatus: 'in-progress', Timestamp: rfc2822(answered) });
  const ended = new Date(answered.getTime() + 1_000);
  await world.report(placed, { CallStatus: 'completed', CallDuration: '1', Timestamp: rfc2822(ended) });
  await world.until(placed, 'completed');
  const answer = await world.calling.get(placed.caller, placed.id);
  expect(answer.body).toMatchObject({
    status: 'completed',
    durationSeconds: 1,
    answeredAt: answered.toISOString(),
    endedAt: ended.toISOString(),
  });
});

describe('a hang-up', () => {
  const hangUp = ({ caller, id }: Placed) => world.calling.hangUp(caller, id);
  const statusesSent = (placed: Placed) =>
    world.twilio.seen
      .filter(({ method, path }) => method === 'POST' && path.includes(world.callOf(placed).sid))
      .map(({ form }) => form.get('Status'));

  test('cancels a call that rings, also twice; the end is stored with its cause', async () => {
    const placed = await world.place(await world.caller());
    await world.until(placed, 'in_progress');
    await hangUp(placed).expect(202);
    // Twilio has ended the call, and has not reported it yet.
    await hangUp(placed).expect(202);
    expect(await world.calling.row(placed.id)).toMatchObject({ status: 'in_progress' });
    expect(statusesSent(placed)).toEqual(['canceled', 'canceled']);
    await world.report(placed, { CallStatus: 'no-answer' });
    expect(await world.transitions(placed)).toEqual([...ACCEPTED, 'failed (hung_up)']);
    const answer = await hangUp(placed).expect(409);
    expect(answer.body).toMatchObject({ reason: 'not_in_progress' });
  });

  test.each(['in-progress', 'ringing'])('ends a conversation; Outdial has heard of %s', async (heard) => {
    const placed = await world.place(await world.caller());
    await world.until(placed, 'in_progress');
    await world.report(placed, { CallStatus: heard });
    world.callOf(placed).status = 'in-progress';
    await hangUp(placed).expect(202);
    expect(statusesSent(placed).at(-1)).toBe('completed');
    expect(world.callOf(placed).status).toBe('completed');
    await world.report(placed, { CallStatus: 'completed', CallDuration: '3' });
    expect(await world.transitions(placed)).toEqual([...ACCEPTED, 'completed (hung_up)']);
  });

  test('is refused if the call has ended at Twilio; its report is stored as any other', async () => {
    const placed = await world.place(await world.caller());
    await world.until(placed, 'in_progress');
    world.callOf(placed).status = 'busy';
    const answer = await hangUp(placed).expect(409);
    expect(answer.body).toMatchObject({ reason: 'not_in_progress' });
    await world.report(placed, { CallStatus: 'busy' });
    expect(await world.transitions(placed)).toEqual([...ACCEPTED, 'busy (carrier_report)']);
  });
});

test('repeated and misordered reports change nothing', async () => {
  const placed = await world.place(await world.caller());
  await world.until(placed, 'in_progress');
  const end = { CallStatus: 'completed', CallDuration: '3' };
  for (const fields of [
    end,
    end,
    { CallStatus: 'in-progress' },
    { CallStatus: 'ringing' },
    { CallStatus: 'busy' },
    end,
  ]) {
    expect(await world.report(placed, fields)).toBe(200);
  }
  expect(await world.transitions(placed)).toEqual([...ACCEPTED, 'completed (carrier_report)']);
  expect(await world.calling.row(placed.id)).toMatchObject({ duration_seconds: 3, reason: null });
});

describe('with detection of machines in the background', () => {
  const ENABLE = { ...RELAY, machineDetection: 'Enable' };
  const answeredBy = async (detected: string | null, said: Record<string, string> = {}) => {
    const placed = await world.place(await world.caller({}, ENABLE));
    await world.until(placed, 'in_progress');
    const call = world.callOf(placed);
    const amd = { AnsweredBy: detected ?? 'unknown', MachineDetectionDuration: '900' };
    expect((await world.twilio.report(call, amd, world.apiUrl, 'AsyncAmdStatusCallback')).status).toBe(200);
    expect((await world.calling.row(placed.id)).status).toBe('in_progress');
    expect((await world.calling.row(placed.id)).answered_at).not.toBeNull();
    call.answered_by = detected;
    expect(await world.report(placed, { CallStatus: 'completed', CallDuration: '9', ...said })).toBe(200);
    return (await world.calling.row(placed.id)).status;
  };

  test('the missing detection result of the last report is requested', async () => {
    expect(await answeredBy('machine_start')).toBe('voicemail');
    expect(await answeredBy('fax')).toBe('voicemail');
    expect(await answeredBy('human')).toBe('completed');
    expect(await answeredBy(null)).toBe('completed');
  });

  test('a present detection result is not requested', async () => {
    const before = world.twilio.seen.filter(({ method }) => method === 'GET').length;
    expect(await answeredBy('human', { AnsweredBy: 'machine_start' })).toBe('voicemail');
    expect(world.twilio.seen.filter(({ method }) => method === 'GET')).toHaveLength(before);
  });
});

describe('a detection result that cannot be looked up at the end of the call', () => {
  const ENABLE = { ...RELAY, machineDetection: 'Enable' };
  const PENDING = { status: 'dial_unknown', reason: 'outcome_pending', ended_at: null };

  const undetected = async () => {
    const placed = await world.place(await world.caller({}, ENABLE));
    await world.until(placed, 'in_progress');
    world.twilio.refusesReads = true;
    expect(await world.report(placed, { CallStatus: 'completed', CallDuration: '9' })).toBe(200);
    expect(await world.calling.row(placed.id)).toMatchObject(PENDING);
    return placed;
  };

  test('is kept until the look-up answers', async () => {
    const placed = await undetected();
    // Late reports of the call's progress change nothing.
    for (const CallStatus of ['in-progress', 'ringing']) await world.report(placed, { CallStatus });
    expect(await world.calling.row(placed.id)).toMatchObject(PENDING);
    const end = { status: 'completed', end_time: rfc2822(new Date()), duration: '9' };
    Object.assign(world.callOf(placed), { ...end, answered_by: 'machine_end_beep' });
    world.twilio.refusesReads = false;
    const row = await world.until(placed, 'voicemail', 20_000);
    expect(row).toMatchObject({ reason: null, duration_seconds: 9 });
    expect((await world.transitions(placed)).at(-1)).toBe('voicemail (carrier_listing)');
  });

  test.each([
    ['machine_start', 'voicemail'],
    ['human', 'completed'],
  ])('%s reported late: %s', async (AnsweredBy, status) => {
    const placed = await undetected();
    const amd = { AnsweredBy, MachineDetectionDuration: '900' };
    const call = world.callOf(placed);
    const { at } = ((await world.calling.row(placed.id)).history as { at: string }[]).at(-1)!;
    for (let times = 0; times < 2; times += 1) {
      expect((await world.twilio.report(call, amd, world.apiUrl, 'AsyncAmdStatusCallback')).status).toBe(200);
      const row = await world.calling.row(placed.id);
      expect(row).toMatchObject({ status, ended_at: new Date(at), duration_seconds: 9 });
    }
    // A final state stays.
    await world.twilio.report(call, { ...amd, AnsweredBy: 'fax' }, world.apiUrl, 'AsyncAmdStatusCallback');
    expect((await world.calling.row(placed.id)).status).toBe(status);
  });

  test('is awaited for 15 minutes; then the call is completed', async () => {
    const placed = await undetected();
    const { at } = ((await world.calling.row(placed.id)).history as { at: string }[]).at(-1)!;
    try {
      await moveClock(world.calling.db, '15 minutes');
      const row = await world.until(placed, 'completed', 20_000);
      expect(row).toMatchObject({ ended_at: new Date(at), duration_seconds: 9 });
    } finally {
      await moveClock(world.calling.db, '0');
    }
  });
});

describe('a dial that Twilio refuses', () => {
  test('ends the call, unprocessed', async () => {
    world.twilio.onDial = (_, response) => refuse(response, 400, 21211);
    const placed = await world.place(await world.caller());
    const row = await world.until(placed, 'failed');
    expect(row).toMatchObject({ reason: 'to_number_invalid', processed_at: null, carrier_call_id: null });
  });

  test('for too many requests is pending again, and repeated later', async () => {
    let refused = 0;
    world.twilio.onDial = (_, response, call) => {
      refused += 1;
      if (refused === 1) return refuse(response, 429, 20429);
      world.twilio.onDial = null;
      response.writeHead(201, { 'content-type': 'application/json' }).end(JSON.stringify(call));
    };
    const placed = await world.place(await world.caller());
    await world.until(placed, 'in_progress');
    expect(world.twilio.dialsTo(placed.phoneNumber)).toHaveLength(2);
    expect((await world.transitions(placed))[2]).toBe('queued (carrier_throttled)');
  });

  test('invalid settings are refused to the operator', async () => {
    const caller = await world.caller();
    const path = `/teams/${caller.teamId}/voice-agents/${caller.agentId}`;
    const answer = await world.calling.operator('patch', path, { carrierSettings: { twimlUrl: 'x' } });
    expect([answer.status, answer.body]).toEqual([
      400,
      { error: 'carrierSettings.twimlUrl must be a URL that begins with https:// or http://' },
    ]);
    const carrierSettings = { mediaStreamUrl: 'wss://agent.example.com/media' };
    await world.calling.operated('patch', path, { carrierSettings });
  });
});
