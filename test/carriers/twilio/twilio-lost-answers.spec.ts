import { buildPhoneNumber, nextNumber } from '../../support/builders.js';
import { type Caller } from '../../support/call-builders.js';
import { eventually } from '../../support/eventually.js';
import { type FakeCall, PUBLIC_URL, rfc2822 } from '../../../tools/fake-carriers/fake-twilio.js';
import { type Placed, TwilioWorld } from './twilio-world.js';

// Dials whose answer is lost, and what their carrier's own list can and cannot tell of them.

let world: TwilioWorld;
beforeAll(async () => {
  world = await TwilioWorld.start();
  await world.calling.startWorker();
});
afterAll(() => world.close());
beforeEach(() => {
  world.twilio.onDial = null;
});

/** Twilio has made the call, but its answer is lost. The call is not listed before it starts. */
const lose = () => {
  world.twilio.onDial = (_, response, call) => {
    call.start_time = null;
    response.socket?.resetAndDestroy();
  };
};
const ended = (placed: Placed, more: Partial<FakeCall> = {}) => {
  const call = world.callOf(placed);
  const ending = { status: 'completed', end_time: rfc2822(new Date()), duration: '2', ...more };
  Object.assign(call, { start_time: call.date_created, ...ending });
};

test('leaves the call unknown until Twilio lists it', async () => {
  lose();
  const placed = await world.place(await world.caller());
  await world.until(placed, 'dial_unknown');
  ended(placed, { answered_by: 'machine_start' });
  const row = await world.until(placed, 'voicemail', 20_000);
  expect(row).toMatchObject({ carrier_call_id: world.callOf(placed).sid, duration_seconds: 2 });
  expect((await world.transitions(placed)).at(-1)).toBe('voicemail (carrier_listing)');
  expect(world.twilio.dialsTo(placed.phoneNumber)).toHaveLength(1);
});

test('is resolved by a report', async () => {
  lose();
  const placed = await world.place(await world.caller());
  await world.until(placed, 'dial_unknown');
  expect(await world.report(placed, { CallStatus: 'busy' })).toBe(200);
  await world.until(placed, 'busy');
});

/** The carrier has been asked about the call so many times more. */
const askedAgain = async ({ phoneNumber }: Placed, times: number) => {
  const listings = () =>
    world.twilio.seen.filter(({ method, query }) => method === 'GET' && query.get('To') === phoneNumber)
      .length;
  const before = listings();
  await eventually(
    () => Promise.resolve(listings()),
    (now) => now >= before + times,
    20_000,
  );
};

/** Two teams, both of which call from the number of the first. */
const sharingANumber = async (): Promise<[Caller, Caller]> => {
  const [first, second] = [await world.caller(), await world.caller()];
  const { db } = world.calling;
  await buildPhoneNumber(db, second.teamId, { phone_number: first.callerNumber });
  const take = 'UPDATE voice_agents SET outbound_phone_number = $1 WHERE id = $2';
  await db.query(take, [first.callerNumber, second.agentId]);
  return [first, second];
};

test('does not get the outcome of another team’s call between the same numbers', async () => {
  const [first, second] = await sharingANumber();
  const other = await world.place(first);
  await world.until(other, 'in_progress');
  await world.report(other, { CallStatus: 'completed', CallDuration: '2' });
  ended(other);
  // The second team's dial never gets there: the only call that Twilio has is the first team's.
  world.twilio.onDial = (_, response, call) => {
    world.twilio.calls.splice(world.twilio.calls.indexOf(call), 1);
    response.socket?.resetAndDestroy();
  };
  const { phoneNumber } = other;
  const id = await world.calling.accepted(second, { phoneNumber });
  const own: Placed = { caller: second, phoneNumber, id };
  await world.until(own, 'dial_unknown');
  await askedAgain(own, 2);
  expect(await world.calling.row(id)).toMatchObject({ status: 'dial_unknown', carrier_call_id: null });
});

test('of two teams with the same numbers waits for proof, then each gets its own outcome', async () => {
  const [first, second] = await sharingANumber();
  // Both end as soon as they are made, and neither is listed before both are unknown.
  const owners = new Map<string, FakeCall>();
  world.twilio.onDial = ({ form }, response, call) => {
    const [, id = ''] = /status\/([0-9a-f-]+)/.exec(form.get('StatusCallback') ?? '') ?? [];
    owners.set(id, call);
    const status = owners.size === 1 ? 'busy' : 'no-answer';
    Object.assign(call, { status, start_time: null, end_time: rfc2822(new Date()) });
    response.socket?.resetAndDestroy();
  };
  const phoneNumber = nextNumber();
  const place = async (caller: Caller): Promise<Placed> => ({
    caller,
    phoneNumber,
    id: await world.calling.accepted(caller, { phoneNumber }),
  });
  const [a, b] = [await place(first), await place(second)];
  for (const placed of [a, b]) await world.until(placed, 'dial_unknown');
  for (const call of owners.values()) call.start_time = call.date_created;
  await askedAgain(a, 2);
  expect([(await world.calling.row(a.id)).status, (await world.calling.row(b.id)).status]).toEqual([
    'dial_unknown',
    'dial_unknown',
  ]);
  for (const [id, { sid }] of owners) {
    world.twilio.events.set(sid, [`${PUBLIC_URL}/api/carriers/twilio/status/${id}`]);
  }
  for (const placed of [a, b]) {
    const call = owners.get(placed.id);
    const row = await world.until(placed, call?.status === 'busy' ? 'busy' : 'no_answer', 25_000);
    expect(row.carrier_call_id).toBe(call?.sid);
  }
});
