import { DisconnectReason, type ParticipantInfo, Room, WebhookEvent } from '@livekit/protocol';
import {
  DISCONNECT_REASONS,
  disconnectMeaning,
  SIP_STATUSES,
  reasonHeaderMeaning,
  sipMeaning,
} from '../../../src/carriers/livekit/livekit-outcomes.js';
import { LiveKitWebhooks, reportOf } from '../../../src/carriers/livekit/livekit-webhooks.js';
import { callRequestId } from '../support.js';
import { API_KEY, API_SECRET } from '../../../tools/fake-carriers/fake-livekit.js';
import { agentParticipant, sipParticipant } from '../../../tools/fake-carriers/fake-rooms.js';
import { signed, webhook } from '../../../tools/fake-carriers/fake-webhooks.js';

const ID = callRequestId(1);
const ROOM = `call-${ID}-4`;
const AT = new Date('2026-11-20T14:05:00.000Z');
const roomWith = (metadata = '') => new Room({ sid: 'RM_1', name: ROOM, metadata });
const callee = (attributes: Record<string, string>, disconnectReason = 0) =>
  Object.assign(sipParticipant(`phone-${ID}`, attributes), { disconnectReason });

const report = (event: string, participant?: ParticipantInfo, room = roomWith()) =>
  reportOf(webhook(event, room, participant, AT) as never);
const left = (status: string, reason: DisconnectReason, more: Record<string, string> = {}) => {
  const said = report('participant_left', callee({ 'sip.callStatus': status, ...more }, reason));
  return said.kind === 'event' ? said.event : said.kind;
};

describe('a callee that has left', () => {
  it.each([
    ['ringing', DisconnectReason.USER_UNAVAILABLE, 'no_answer'],
    ['dialing', DisconnectReason.USER_UNAVAILABLE, 'no_answer'],
    ['dialing', DisconnectReason.USER_REJECTED, 'busy'],
    ['dialing', DisconnectReason.SIP_TRUNK_FAILURE, 'failed'],
    ['ringing', DisconnectReason.ROOM_DELETED, 'no_answer'],
    ['ringing', DisconnectReason.PARTICIPANT_REMOVED, 'no_answer'],
    // The SIP service itself gave up: the trunk dropped the call.
    ['ringing', DisconnectReason.CLIENT_INITIATED, 'failed'],
    ['ringing', DisconnectReason.UNKNOWN_REASON, 'failed'],
    ['hangup', DisconnectReason.CLIENT_INITIATED, 'completed'],
    ['active', DisconnectReason.ROOM_DELETED, 'completed'],
    ['active', DisconnectReason.ROOM_CLOSED, 'completed'],
    ['automation', DisconnectReason.PARTICIPANT_REMOVED, 'completed'],
    ['active', DisconnectReason.MEDIA_FAILURE, 'failed'],
    ['active', DisconnectReason.SERVER_SHUTDOWN, 'failed'],
  ])('%s, %s: %s', (status, reason, end) => {
    expect(left(status, reason)).toEqual({
      callRequestId: ID,
      carrierCallId: ROOM,
      at: AT,
      status: end,
      ...(end !== 'completed' && { reason: `livekit_${DisconnectReason[reason].toLowerCase()}` }),
    });
  });

  it.each([DisconnectReason.MIGRATION, DisconnectReason.DUPLICATE_IDENTITY])(
    '%s: the call continues',
    (reason) => {
      expect(left('active', reason)).toBe('ignored');
    },
  );

  it('may be a machine if the agent says so', () => {
    for (const category of ['machine-vm', 'machine-unavailable']) {
      const said = { 'outdial.answeredBy': category };
      expect(left('active', DisconnectReason.ROOM_DELETED, said)).toMatchObject({ status: 'voicemail' });
    }
    for (const category of ['human', 'machine-ivr', 'uncertain', '']) {
      const said = { 'outdial.answeredBy': category };
      expect(left('active', DisconnectReason.ROOM_DELETED, said)).toMatchObject({ status: 'completed' });
    }
  });

  it.each(['2026-11-20T14:03:59.500Z', '2026-11-20T15:03:59.500000+01:00', '1795183439500'])(
    'has talked since %s if the agent says so',
    (answeredAt) => {
      const said = { 'outdial.answeredAt': answeredAt };
      expect(left('hangup', DisconnectReason.CLIENT_INITIATED, said)).toMatchObject({
        answeredAt: new Date('2026-11-20T14:03:59.500Z'),
        durationSeconds: 61,
        at: AT,
      });
    },
  );

  it('has not talked for an hour because the clock of LiveKit is an hour ahead', () => {
    const now = Date.now();
    const said = callee(
      { 'sip.callStatus': 'hangup', 'outdial.answeredAt': new Date(now - 30_000).toISOString() },
      DisconnectReason.CLIENT_INITIATED,
    );
    const ahead = webhook('participant_left', roomWith(), said, new Date(now + 3_600_000));
    const read = reportOf(ahead as never);
    if (read.kind !== 'event') throw new Error(read.kind);
    expect(read.event.at.getTime()).toBeLessThanOrEqual(Date.now());
    expect(read.event.durationSeconds).toBeLessThan(3_600);
  });

  it.each(['yesterday', '2026-11-20 14:03', '2026-13-40T14:03:59Z', '', '17'])(
    'ignores %j, which is no instant',
    (answeredAt) => {
      const event = left('hangup', DisconnectReason.CLIENT_INITIATED, { 'outdial.answeredAt': answeredAt });
      expect(event).not.toHaveProperty('answeredAt');
      expect(event).not.toHaveProperty('durationSeconds');
    },
  );

  it('has the outcome in the room’s metadata as well', () => {
    const room = roomWith('{"outdial.answeredBy":"machine-vm","outdial.answeredAt":1795183439500}');
    expect(report('participant_left', callee({ 'sip.callStatus': 'active' }, 5), room)).toMatchObject({
      event: { status: 'voicemail', answeredAt: new Date('2026-11-20T14:03:59.500Z'), durationSeconds: 61 },
    });
    for (const metadata of ['null', '3', '{', '"x"']) {
      const participant = callee({ 'sip.callStatus': 'active' }, 5);
      expect(report('participant_left', participant, roomWith(metadata))).toMatchObject({
        event: { status: 'completed' },
      });
    }
  });

  it('counts as left if its media never connected', () => {
    const participant = callee({}, DisconnectReason.SIP_TRUNK_FAILURE);
    expect(report('participant_connection_aborted', participant)).toMatchObject({
      event: { status: 'failed' },
    });
  });
});

describe('another event', () => {
  it('of a callee that joined: the call is in progress', () => {
    expect(report('participant_joined', callee({}))).toEqual({
      kind: 'event',
      event: { callRequestId: ID, carrierCallId: ROOM, status: 'in_progress', at: AT },
    });
  });

  it('of a finished room tells the end of the call only with the agent’s metadata', () => {
    expect(report('room_finished')).toEqual({ kind: 'room_finished', callRequestId: ID, room: ROOM });
    const said = roomWith('{"outdial.answeredBy":"human"}');
    expect(report('room_finished', undefined, said)).toMatchObject({ event: { status: 'completed' } });
    const machine = roomWith('{"outdial.answeredBy":"machine-vm"}');
    expect(report('room_finished', undefined, machine)).toMatchObject({ event: { status: 'voicemail' } });
  });

  it.each(['room_started', 'track_published', 'egress_ended', 'something_new', ''])(
    '%j has no effect',
    (name) => {
      expect(report(name, callee({}))).toEqual({ kind: 'ignored' });
    },
  );

  it('of the agent, or of the callee of another call, has no effect', () => {
    expect(report('participant_left', agentParticipant())).toEqual({ kind: 'ignored' });
    const other = sipParticipant(`phone-${callRequestId(2)}`, {});
    expect(report('participant_left', other)).toEqual({ kind: 'ignored' });
  });

  it.each(['', 'lobby', `call-${ID}`, `call-${ID}-`, `x-call-${ID}-1`, `call-${ID}-1x`, 'call-1-1'])(
    'of the room %j has no effect',
    (name) => {
      const event = webhook('participant_left', new Room({ name }), callee({}), AT);
      expect(reportOf(event as never)).toEqual({ kind: 'ignored' });
      expect(reportOf(new WebhookEvent({ event: 'participant_left' }) as never)).toEqual({ kind: 'ignored' });
    },
  );
});

describe('the tables of reasons', () => {
  it('contain every reason of the protocol by its name', () => {
    const reasons = Object.values(DisconnectReason).filter((value) => typeof value === 'number');
    for (const reason of reasons) {
      expect(DISCONNECT_REASONS[reason]?.code).toBe(DisconnectReason[reason]?.toLowerCase());
    }
    expect(Object.keys(DISCONNECT_REASONS)).toHaveLength(Math.max(reasons.length, 17));
    expect(disconnectMeaning(99)).toEqual({
      code: 'other_reason',
      answered: 'completed',
      unanswered: 'failed',
    });
  });

  it('contain the SIP statuses without a ring, and treat others as failures', () => {
    const silent = Object.entries(SIP_STATUSES).filter(([, { rang }]) => !rang);
    expect(silent.every(([, { end }]) => end === 'failed')).toBe(true);
    const ends = [486, 600, 480, 408, 487, 404, 484, 603, 604, 503, 429].map((code) => sipMeaning(code).end);
    expect(ends.slice(0, 2)).toEqual(['busy', 'busy']);
    expect(ends.slice(2, 5)).toEqual(['no_answer', 'no_answer', 'no_answer']);
    expect(ends.slice(5)).toEqual(Array(6).fill('failed'));
    expect(reasonHeaderMeaning('SIP;cause=603;text="v=analytics1;id=1";location=LN')?.reason).toBe(
      'network_blocked',
    );
    expect(reasonHeaderMeaning('SIP ;cause=603 ;text="Decline"')?.reason).toBe('declined');
    expect(reasonHeaderMeaning('Q.850;cause=16')).toBeUndefined();
    expect(sipMeaning(503).rang).toBe(true);
  });
});

describe('a webhook', () => {
  const webhooks = new LiveKitWebhooks(API_KEY, API_SECRET);
  const event = webhook('participant_joined', roomWith(), callee({}), AT);

  it('is accepted with LiveKit’s signature, also with fields of a newer LiveKit', async () => {
    const { body, headers } = await signed(event, API_KEY, API_SECRET);
    expect(await webhooks.read(Buffer.from(body), headers.authorization)).toMatchObject({ kind: 'event' });
    const newer = { ...(JSON.parse(body) as object), newField: { a: 1 } };
    const text = { toJsonString: () => JSON.stringify(newer) } as WebhookEvent;
    const again = await signed(text, API_KEY, API_SECRET);
    expect(await webhooks.read(Buffer.from(again.body), again.headers.authorization)).toMatchObject({
      kind: 'event',
    });
  });

  it.each([
    ['no token', () => signed(event, API_KEY, API_SECRET), undefined],
    ['no token at all', () => signed(event, API_KEY, API_SECRET), ''],
    ['nonsense', () => signed(event, API_KEY, API_SECRET), 'nonsense'],
    ['another secret', () => signed(event, API_KEY, `${API_SECRET}!`), null],
    ['another key', () => signed(event, 'APIother', API_SECRET), null],
  ])('is refused with %s', async (_name, sign, token) => {
    const { body, headers } = await sign();
    const authorization = token === null ? headers.authorization : token;
    expect(await webhooks.read(Buffer.from(body), authorization)).toBe('forged');
  });

  it('is refused if one byte differs', async () => {
    const { body, headers } = await signed(event, API_KEY, API_SECRET);
    const changed = Buffer.from(body.replace('joined', 'joineD'));
    expect(await webhooks.read(changed, headers.authorization)).toBe('forged');
    const bytes = Buffer.concat([Buffer.from(body), Buffer.from([0xff])]);
    expect(await webhooks.read(bytes, headers.authorization)).toBe('forged');
  });

  it.each(['{', '[]', '3', '{"room": 3}'])('is malformed if it is %j', async (text) => {
    const { headers, body } = await signed({ toJsonString: () => text } as WebhookEvent, API_KEY, API_SECRET);
    expect(await webhooks.read(Buffer.from(body), headers.authorization)).toBe('malformed');
  });
});
