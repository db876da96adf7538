import { randomUUID } from 'node:crypto';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { DisconnectReason, Room } from '@livekit/protocol';
import supertest from 'supertest';
import { getExpectedTwilioSignature } from 'twilio/lib/webhooks/webhooks.js';
import { Signature } from '../../src/carriers/http/signature.js';
import { type CarrierName as AnyCarrierName } from '../../src/carriers/registry.js';
import { API_KEY, API_SECRET } from '../../tools/fake-carriers/fake-livekit.js';
import { sipParticipant } from '../../tools/fake-carriers/fake-rooms.js';
import { ACCOUNT_SID, AUTH_TOKEN, PUBLIC_URL } from '../../tools/fake-carriers/fake-twilio.js';
import { signed, webhook } from '../../tools/fake-carriers/fake-webhooks.js';
import { HTTP_SECRET } from '../carriers/support.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';

// Every carrier's report is authentic here. What counts is whose call it is about.

const CALLBACK_TOKEN = 'callback-token-of-the-tests';
const CARRIERS = ['simulator', 'http', 'twilio', 'livekit'] as const satisfies AnyCarrierName[];
type CarrierName = (typeof CARRIERS)[number];

let calling: Calling;
let caller: Caller;

beforeAll(async () => {
  calling = await Calling.start({
    simulatorCallbackToken: CALLBACK_TOKEN,
    httpCarrierSecret: HTTP_SECRET,
    publicUrl: PUBLIC_URL,
    twilioAccountSid: ACCOUNT_SID,
    twilioAuthToken: AUTH_TOKEN,
    twilioApiUrl: 'http://127.0.0.1:1',
    livekitUrl: 'http://127.0.0.1:1',
    livekitApiKey: API_KEY,
    livekitApiSecret: API_SECRET,
  });
  caller = await buildCaller(
    calling.db,
    {},
    { carrier_settings: { conversationRelayUrl: 'wss://a.example/' } },
  );
});
afterAll(() => calling.close());

/** The id under which a carrier knows a call. */
function carrierCallId(carrier: CarrierName, id: string, dial = 1): string {
  switch (carrier) {
    case 'twilio':
      return `CA${id.replaceAll('-', '').slice(0, 31)}${dial}`;
    case 'livekit':
      return `call-${id}-${dial}`;
    case 'http':
    case 'simulator':
      return `line-${dial}`;
  }
}

/** A call that its carrier has accepted, or has not answered for yet. */
async function claimed(carrier: CarrierName, answered = true): Promise<string> {
  const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
  await calling.db.query(
    `UPDATE call_requests SET status = $2, claimed_at = now() - interval '1 minute', processed_at = now(),
       caller_id = $3, carrier = $4, carrier_call_id = $5, prompt = 'the prompt' WHERE id = $1`,
    [
      id,
      answered ? 'in_progress' : 'dialing',
      caller.callerNumber,
      carrier,
      answered ? carrierCallId(carrier, id) : null,
    ],
  );
  return id;
}

interface Answer {
  status: number;
  body: unknown;
}

/** Each carrier's report that the call has ended, as that carrier sends it. */
const REPORTS: Record<CarrierName, (id: string, dial?: number) => Promise<Answer>> = {
  simulator: (id, dial) =>
    send('/api/carriers/simulator/events', eventOf('simulator', id, dial), bearer(CALLBACK_TOKEN)),
  http: (id, dial) => {
    const body = eventOf('http', id, dial);
    return send('/api/carriers/http/events', body, new Signature(HTTP_SECRET).headersFor(randomUUID(), body));
  },
  twilio: (id, dial) =>
    toTwilio(`status/${id}`, {
      CallSid: carrierCallId('twilio', id, dial),
      CallStatus: 'completed',
      CallDuration: '7',
    }),
  livekit: async (id, dial) => {
    const participant = sipParticipant(`phone-${id}`, { 'sip.callStatus': 'active' });
    participant.disconnectReason = DisconnectReason.CLIENT_INITIATED;
    return sendWebhook('participant_left', id, dial, participant);
  },
};

function eventOf(carrier: CarrierName, callRequestId: string, dial?: number): string {
  const id = carrierCallId(carrier, callRequestId, dial);
  const at = new Date().toISOString();
  return JSON.stringify({ callRequestId, carrierCallId: id, status: 'completed', at, durationSeconds: 7 });
}

async function sendWebhook(
  event: string,
  id: string,
  dial = 1,
  participant?: ReturnType<typeof sipParticipant>,
): Promise<Answer> {
  const room = new Room({ sid: 'RM_1', name: carrierCallId('livekit', id, dial) });
  const { body, headers } = await signed(webhook(event, room, participant), API_KEY, API_SECRET);
  return send('/api/carriers/livekit/webhook', body, headers);
}

function toTwilio(path: string, fields: Record<string, string>): Promise<Answer> {
  const target = `/api/carriers/twilio/${path}`;
  const signature = getExpectedTwilioSignature(AUTH_TOKEN, `${PUBLIC_URL}${target}`, fields);
  return send(target, new URLSearchParams(fields).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
    'x-twilio-signature': signature,
  });
}

async function send(
  path: string,
  body: string,
  headers: Record<string, string>,
  api: NestExpressApplication = calling.api,
): Promise<Answer> {
  const all = { 'content-type': 'application/json', ...headers };
  const answer = await supertest(api.getHttpServer())
    .post(path)
    .set(all)
    .serialize((text: unknown) => text as string)
    .send(body);
  return { status: answer.status, body: answer.body as unknown };
}

const pairs = CARRIERS.flatMap((reporter) =>
  CARRIERS.filter((carrier) => carrier !== reporter).map((carrier) => [reporter, carrier] as const),
);

describe.each([
  ['under way', true],
  ['not answered for yet', false],
])('of a call that is %s', (_, answered) => {
  test.each(CARRIERS)('a report of its own carrier moves it: %s', async (carrier) => {
    const id = await claimed(carrier, answered);
    expect(await REPORTS[carrier](id)).toEqual({ status: 200, body: { moved: true } });
    expect(await calling.row(id)).toMatchObject({ status: 'completed' });
  });

  test.each(pairs)('a report of %s changes nothing if the carrier is %s', async (reporter, carrier) => {
    const id = await claimed(carrier, answered);
    const before = await calling.row(id);
    expect(await REPORTS[reporter](id)).toEqual(await REPORTS[reporter](randomUUID()));
    expect(await calling.row(id)).toEqual(before);
  });
});

test.each(CARRIERS)('a report of %s about another dial of the call changes nothing', async (carrier) => {
  const id = await claimed(carrier);
  const before = await calling.row(id);
  expect(await REPORTS[carrier](id, 2)).toEqual(await REPORTS[carrier](randomUUID(), 2));
  expect(await calling.row(id)).toEqual(before);
});

test('a late report of a conversation changes nothing after the end of the call', async () => {
  const id = await claimed('twilio');
  await calling.db.query(`UPDATE call_requests SET status = 'completed', ended_at = now() WHERE id = $1`, [
    id,
  ]);
  for (const reporter of ['simulator', 'http'] as const) await REPORTS[reporter](id);
  expect(await calling.row(id)).toMatchObject({ duration_seconds: null });
  await REPORTS.twilio(id);
  expect(await calling.row(id)).toMatchObject({ duration_seconds: 7 });
});

test('the end of a LiveKit room has no effect on another carrier’s call', async () => {
  const id = await claimed('livekit');
  await calling.db.query(`UPDATE call_requests SET carrier = 'http' WHERE id = $1`, [id]);
  expect(await sendWebhook('room_finished', id)).toEqual({ status: 200, body: { moved: false } });
  expect(await calling.row(id)).toMatchObject({ status: 'in_progress' });
});

test('only Twilio gets the TwiML, and only of its own dial', async () => {
  const say = async (id: string, dial: number) =>
    (await toTwilio(`twiml/${id}`, { CallSid: carrierCallId('twilio', id, dial) })).status;
  const id = await claimed('twilio');
  expect([await say(id, 1), await say(id, 2), await say(await claimed('http'), 1)]).toEqual([200, 404, 404]);
});

test('refused reports are counted by carrier', async () => {
  const refused = async () => {
    const { text } = await supertest(calling.api.getHttpServer()).get('/metrics');
    return Number(/^outdial_carrier_reports_refused_total\{carrier="http"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  const before = await refused();
  await REPORTS.http(await claimed('twilio'));
  expect(await refused()).toBe(before + 1);
});

test.each([
  ['production', 'twilio', 404],
  ['production', 'simulator', 200],
  ['development', 'twilio', 200],
] as const)('in %s with CARRIER=%s the simulator’s route answers %d', async (nodeEnv, carrier, status) => {
  const { config } = calling.world;
  const usual = { nodeEnv: config.nodeEnv, carrier: config.carrier };
  Object.assign(config, { nodeEnv, carrier });
  try {
    const api = await calling.world.startApi();
    const id = await claimed('simulator');
    const body = eventOf('simulator', id);
    const answer = await send('/api/carriers/simulator/events', body, bearer(CALLBACK_TOKEN), api);
    expect(answer.status).toBe(status);
    expect(await calling.row(id)).toMatchObject({ status: status === 200 ? 'completed' : 'in_progress' });
  } finally {
    Object.assign(config, usual);
  }
});
