import { type ServerResponse } from 'node:http';
import { CreateSIPParticipantRequest, type ParticipantInfo, type WebhookEvent } from '@livekit/protocol';
import { type CarrierEvent } from '../../src/carriers/carrier.js';
import { type DialAnswer } from '../../src/carriers/simulator/engine.js';
import { callOfRoom } from '../../src/carriers/livekit/room.js';
import { API_KEY, API_SECRET, FakeLiveKit, json } from './fake-livekit.js';
import { type FakeRoom, SCRIPTS } from './fake-rooms.js';
import { deliverOnce, signed, webhook } from './fake-webhooks.js';
import { type Play, PlayedCalls } from './played-calls.js';

const WEBHOOK_PATH = '/api/carriers/livekit/webhook';

/** A dial; `join` has the callee join its room, once, and gives LiveKit's answer to that. */
interface Dial {
  room: FakeRoom;
  identity: string;
  join: () => unknown;
}

/** LiveKit in front of the simulator's engine. */
export const playLiveKit: Play = async (engine, port, publicUrl) => {
  const livekit = await new FakeLiveKit().listen(port);
  const dials = new Map<string, Dial>();
  const played = new PlayedCalls<Dial>(engine, ({ room, join }, { status }) => {
    join();
    // LiveKit forgets a room that has ended, even if no webhook was delivered.
    if (status !== 'in_progress') livekit.rooms.delete(room.info.name);
  });
  livekit.faults.set('CreateSIPParticipant', (response, _request, serve, asked) => {
    const {
      roomName,
      sipCallTo: to,
      sipNumber: from,
      participantIdentity,
    } = CreateSIPParticipantRequest.fromJson(asked);
    const callRequestId = callOfRoom(roomName);
    if (callRequestId === null) return json(response, 400, { code: 'invalid_argument', msg: '' });
    const dial = { room: livekit.rooms.open(roomName), identity: participantIdentity, join: once(serve) };
    dials.set(callRequestId, dial);
    played.add(callRequestId, dial);
    void engine.dial({ callRequestId, to, from }).then((answer) => {
      if (answer.kind === 'refused' || answer.kind === 'throttled') played.remove(callRequestId);
      answerDial(answer, response, dial);
    });
  });
  const post = async (event: WebhookEvent) => {
    const status = await deliverOnce(`${publicUrl}${WEBHOOK_PATH}`, await signed(event, API_KEY, API_SECRET));
    if (status !== 200) throw new Error(`webhook answered ${status}`);
  };
  return {
    async report(event) {
      const dial = dials.get(event.callRequestId);
      if (dial === undefined) throw new Error('no such call');
      // At once, so that either may come first: the room's end says nothing of how the call went.
      await Promise.all(webhooksOf(dial, event).map(post));
    },
    async close() {
      played.close();
      await livekit.close();
    },
  };
};

function once(serve: () => unknown): () => unknown {
  let answer: unknown;
  return () => (answer ??= serve());
}

function answerDial(answer: DialAnswer, response: ServerResponse, { join }: Dial): void {
  switch (answer.kind) {
    case 'accepted':
      return json(response, 200, join());
    case 'refused': {
      const meta = { sip_status_code: '404', sip_status: 'Not Found' };
      return json(response, 404, { code: 'not_found', msg: 'twirp error', meta });
    }
    case 'throttled': {
      const headers = { 'retry-after': String(Math.ceil(answer.retryAfterMs / 1_000)) };
      return json(response, 429, { code: 'resource_exhausted', msg: 'too many' }, headers);
    }
    case 'error':
      return json(response, 500, { code: 'internal', msg: 'twirp error' });
    case 'reset':
    case 'closed':
      response.socket?.resetAndDestroy();
  }
}

function webhooksOf({ room, identity, join }: Dial, event: CarrierEvent): WebhookEvent[] {
  join();
  const callee = room.participants.get(identity);
  if (callee === undefined) throw new Error('the callee has not joined');
  if (event.status === 'in_progress') {
    const joined = answered(callee, event);
    joined.attributes['sip.callStatus'] = 'active';
    return [webhook('participant_joined', room.info, joined, event.at)];
  }
  const { attributes, reason } = SCRIPTS[event.status]();
  const left = callee.clone();
  left.disconnectReason = reason;
  Object.assign(left.attributes, attributes);
  return [
    webhook('participant_left', room.info, answered(left, event), event.at),
    webhook('room_finished', room.info, undefined, event.at),
  ];
}

/** As an agent reports it that follows the manual. */
function answered(callee: ParticipantInfo, { answeredAt }: CarrierEvent): ParticipantInfo {
  const said = callee.clone();
  if (answeredAt !== undefined) said.attributes['outdial.answeredAt'] = answeredAt.toISOString();
  return said;
}
