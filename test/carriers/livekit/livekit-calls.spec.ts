import { type AddressInfo } from 'node:net';
import { type WebhookEvent } from '@livekit/protocol';
import { nextNumber } from '../../support/builders.js';
import { buildCaller, type Caller } from '../../support/call-builders.js';
import { Calling } from '../../support/calling.js';
import { eventually } from '../../support/eventually.js';
import { API_KEY, API_SECRET, FakeLiveKit, TRUNK } from '../../../tools/fake-carriers/fake-livekit.js';
import { type FakeRoom, type Script, SCRIPTS } from '../../../tools/fake-carriers/fake-rooms.js';
import { deliver, signed, webhook } from '../../../tools/fake-carriers/fake-webhooks.js';

// From the trigger to the end: the real API and worker, the real SDK, and webhooks that LiveKit signs.

let livekit: FakeLiveKit;
let calling: Calling;
let caller: Caller;
let webhookUrl: string;

beforeAll(async () => {
  livekit = await new FakeLiveKit().listen();
  calling = await Calling.start({
    livekitUrl: livekit.url,
    livekitApiKey: API_KEY,
    livekitApiSecret: API_SECRET,
    livekitSipTrunkId: TRUNK,
    livekitAgentName: 'caller',
  });
  const { port } = calling.api.getHttpServer().address() as AddressInfo;
  webhookUrl = `http://127.0.0.1:${port}/api/carriers/livekit/webhook`;
  livekit.webhookUrl = webhookUrl;
  await calling.startWorker();
});
afterAll(async () => {
  await livekit.close();
  await calling.close();
});
beforeEach(async () => {
  caller = await buildCaller(
    calling.db,
    {},
    { carrier: 'livekit', prompt_template: 'Call {{contact.name}}.' },
  );
  livekit.arrange = (events) => events;
  livekit.webhookStatuses = [];
});
afterEach(() => livekit.faults.clear());

async function call(script?: Script, to = nextNumber()): Promise<{ id: string; to: string }> {
  if (script) livekit.scripts.set(to, script);
  return { id: await calling.accepted(caller, { phoneNumber: to, name: 'Ada' }), to };
}

const dialsTo = (to: string) => livekit.dials.filter(({ sipCallTo }) => sipCallTo === to);
/** The rooms of a call's claims, the first one first. */
const roomNames = (id: string) =>
  livekit.dispatches.map(({ room }) => room).filter((room) => room.startsWith(`call-${id}-`));

function roomOf(id: string): FakeRoom {
  const room = livekit.rooms.get(roomNames(id).at(-1) ?? '');
  if (room === undefined) throw new Error(`call ${id} has no room`);
  return room;
}

const ENDS = Object.keys(SCRIPTS) as Script[];

describe.each<[string, (events: WebhookEvent[]) => WebhookEvent[]]>([
  ['once and in order', (events) => events],
  ['twice each', (events) => events.flatMap((event) => [event, event])],
  ['the last one first', (events) => [...events].reverse()],
  ['all twice, the last one first', (events) => [...events, ...events].reverse()],
])('with webhooks %s', (_name, arrange) => {
  test.each(ENDS)('a call ends %s', async (end) => {
    livekit.arrange = arrange;
    const { id, to } = await call(end);
    await calling.until(caller, id, end);
    await livekit.settled();
    const row = await calling.row(id);
    expect(row).toMatchObject({ status: end, carrier_call_id: roomNames(id)[0] });
    expect(new Set(livekit.webhookStatuses)).toEqual(new Set([200]));
    expect(dialsTo(to)).toHaveLength(1);
    const ends = row.history.filter(({ to: state }) => (ENDS as string[]).includes(state));
    expect(ends).toHaveLength(1);
  });
});

test('the agent gets the call’s data, and the call stores its answer, end and duration', async () => {
  const { id } = await call('completed');
  const view = await calling.until(caller, id, 'completed');
  const dispatch = livekit.dispatches.find(({ room }) => room === roomNames(id)[0]);
  expect(JSON.parse(dispatch?.metadata ?? '')).toMatchObject({ callRequestId: id, prompt: 'Call Ada.' });
  const { answeredAt, endedAt, durationSeconds } = view as unknown as Record<string, string>;
  // The agent says that it was answered before it was dialed; that cannot be.
  const { claimed_at: claimedAt } = await calling.row(id);
  expect(answeredAt).toBe((claimedAt as Date).toISOString());
  expect(Date.parse(endedAt ?? '')).toBeGreaterThanOrEqual(Date.parse(answeredAt ?? ''));
  expect(durationSeconds).toBeGreaterThanOrEqual(6);
});

test('a hang-up deletes the room, and the call ends as failed', async () => {
  const { id } = await call();
  await calling.until(caller, id, 'in_progress');
  const room = roomOf(id);
  await calling.hangUp(caller, id).expect(202);
  expect(livekit.rooms.get(room.info.name)).toBeUndefined();
  await livekit.settled();
  const { history, reason } = await calling.until(caller, id, 'failed');
  expect(reason).toBe('livekit_room_deleted');
  expect(history.at(-1)).toMatchObject({ to: 'failed', cause: 'hung_up' });
});

describe('a dial without a report', () => {
  test('is resolved by the webhook of its end, and not dialed again', async () => {
    livekit.faults.set('CreateSIPParticipant', (response, request, serve) => {
      serve();
      response.socket?.resetAndDestroy();
    });
    const { id, to } = await call();
    // A look-up may already have found the call in its room.
    await eventually(
      () => calling.row(id),
      ({ history }) => history.some((entry) => entry.to === 'dial_unknown'),
    );
    livekit.play(roomOf(id), `phone-${id}`, 'busy');
    await calling.until(caller, id, 'busy');
    expect(dialsTo(to)).toHaveLength(1);
  });

  test('is found in its room while the call lasts', async () => {
    livekit.faults.set('CreateSIPParticipant', (response, request, serve) => {
      serve();
      response.writeHead(500).end();
    });
    const { id, to } = await call();
    await calling.until(caller, id, 'in_progress');
    expect((await calling.row(id)).history.map(({ cause }) => cause)).toContain('carrier_listing');
    livekit.play(roomOf(id), `phone-${id}`, 'completed');
    await calling.until(caller, id, 'completed');
    expect(dialsTo(to)).toHaveLength(1);
  });

  test('stays unknown when LiveKit has no such room', async () => {
    livekit.faults.set('CreateSIPParticipant', (response) => response.writeHead(500).end());
    const before = livekit.count('ListRooms');
    const { id } = await call();
    await calling.until(caller, id, 'dial_unknown');
    await eventually(
      () => Promise.resolve(livekit.count('ListRooms')),
      (count) => count > before + 1,
    );
    expect((await calling.row(id)).status).toBe('dial_unknown');
  });
});

test('a throttled dial is pending again, and repeated in another room', async () => {
  livekit.faults.set('CreateSIPParticipant', (response) => {
    livekit.faults.clear();
    response.writeHead(429, { 'retry-after': '0' }).end();
  });
  const { id, to } = await call('completed');
  await calling.until(caller, id, 'completed');
  const [throttled, dialed] = roomNames(id);
  expect(dialed).not.toBe(throttled);
  expect((await calling.row(id)).carrier_call_id).toBe(dialed);
  expect(dialsTo(to)).toHaveLength(1);
});

test('an end without an outcome waits for a report or an operator', async () => {
  const { id } = await call();
  await calling.until(caller, id, 'in_progress');
  const room = roomOf(id);
  const another = room.info.clone();
  another.name = `call-${id}-99`;
  await livekit.post([webhook('room_finished', another)]);
  expect((await calling.row(id)).status).toBe('in_progress');
  // A look-up finds no room that is finished.
  livekit.rooms.delete(room.info.name);
  await livekit.post([webhook('room_finished', room.info)]);
  expect(await calling.row(id)).toMatchObject({ status: 'dial_unknown', reason: 'livekit_room_finished' });
  livekit.play(room, `phone-${id}`, 'voicemail');
  await calling.until(caller, id, 'voicemail');
});

test('a trunk that LiveKit does not have fails the call, which is not counted', async () => {
  const agent = { carrier: 'livekit', carrier_settings: { sipTrunkId: 'ST_gone' } };
  caller = await buildCaller(calling.db, {}, agent);
  const { id } = await call();
  const view = await calling.until(caller, id, 'failed');
  expect(view.reason).toBe('livekit_not_found');
  expect((await calling.row(id)).processed_at).toBeNull();
});

describe('the webhook', () => {
  const post = async (event: WebhookEvent, change: Record<string, string> = {}, secret = API_SECRET) => {
    const { body, headers } = await signed(event, API_KEY, secret);
    return deliver(webhookUrl, { body, headers: { ...headers, ...change } });
  };
  const someEvent = () => webhook('room_finished', livekit.rooms.open('another room').info);

  test('of an unknown room is accepted and ignored', async () => {
    expect(await post(someEvent())).toBe(200);
    const unknown = livekit.rooms.open('call-00000000-0000-4000-8000-000000000000-0');
    expect(await post(webhook('room_finished', unknown.info))).toBe(200);
  });

  test('is accepted in LiveKit’s format, and from LiveKit alone', async () => {
    expect(await post(someEvent(), { 'content-type': 'application/webhook+json; charset=utf-8' })).toBe(200);
    expect(await post(someEvent(), { 'content-type': 'application/json' })).toBe(400);
    expect(await post(someEvent(), {}, `${API_SECRET}!`)).toBe(401);
    expect(await post(someEvent(), { authorization: '' })).toBe(401);
    const large = someEvent();
    large.room!.metadata = 'x'.repeat(300_000);
    expect(await post(large)).toBe(413);
  });

  test('without LiveKit’s signature changes no call', async () => {
    const { id } = await call();
    await calling.until(caller, id, 'in_progress');
    const room = roomOf(id);
    const left = webhook('participant_left', room.info, room.participants.get(`phone-${id}`));
    expect(await post(left, {}, `${API_SECRET}!`)).toBe(401);
    expect((await calling.row(id)).status).toBe('in_progress');
  });
});
