import { findCallBounded, placeCallBounded } from '../../../src/carriers/bounded.js';
import { type LiveKitCarrier } from '../../../src/carriers/livekit/livekit.carrier.js';
import { aDial, aQuery, callRequestId } from '../support.js';
import { FakeLiveKit, type Fault } from '../../../tools/fake-carriers/fake-livekit.js';
import { agentParticipant, sipParticipant } from '../../../tools/fake-carriers/fake-rooms.js';
import { answers, carrierAt, twirp } from './support.js';

const ROOM = `call-${callRequestId(1)}-0`;

describe('findCall', () => {
  let livekit: FakeLiveKit;
  let carrier: LiveKitCarrier;
  beforeEach(async () => {
    livekit = await new FakeLiveKit().listen();
    carrier = carrierAt(livekit.url);
  });
  afterEach(() => livekit.close());

  const query = aQuery();
  const join = (room: string, identity: string, attributes = {}) =>
    livekit.rooms.open(room).participants.set(identity, sipParticipant(identity, attributes));

  it('finds the callee in the room of any of its claims', async () => {
    join(`call-${callRequestId(1)}-2`, `phone-${callRequestId(1)}`, {
      'outdial.answeredAt': '2026-11-20T14:00:00.250Z',
    });
    expect(await findCallBounded(carrier, query)).toMatchObject({
      kind: 'found',
      event: {
        callRequestId: callRequestId(1),
        carrierCallId: `call-${callRequestId(1)}-2`,
        status: 'in_progress',
        answeredAt: new Date('2026-11-20T14:00:00.250Z'),
      },
    });
  });

  it('searches only the room that is known', async () => {
    join(`call-${callRequestId(1)}-2`, `phone-${callRequestId(1)}`);
    const found = await findCallBounded(carrier, { ...query, carrierCallId: ROOM });
    expect(found).toEqual({ kind: 'not_found' });
  });

  it('does not find another call, or a room with the agent alone', async () => {
    join(`call-${callRequestId(2)}-0`, `phone-${callRequestId(2)}`);
    join(ROOM, `phone-${callRequestId(2)}`);
    livekit.rooms.open(ROOM).participants.set('agent', agentParticipant());
    expect(await findCallBounded(carrier, query)).toEqual({ kind: 'not_found' });
  });

  it('reports a finished room as not found, which resolves nothing', async () => {
    await placeCallBounded(carrier, aDial());
    expect((await findCallBounded(carrier, query)).kind).toBe('found');
    livekit.rooms.delete(ROOM);
    expect(await findCallBounded(carrier, query)).toEqual({ kind: 'not_found' });
  });

  it('reports a room that ends between its two requests as not found', async () => {
    join(ROOM, `phone-${callRequestId(1)}`);
    livekit.faults.set('ListParticipants', twirp(404, 'not_found'));
    expect(await findCallBounded(carrier, query)).toEqual({ kind: 'not_found' });
  });

  it.each<[string, Fault, string]>([
    ['500', twirp(500, 'internal'), 'carrier_http_500'],
    ['429', answers(429), 'carrier_http_429'],
    ['a reset', (response) => response.socket?.resetAndDestroy(), 'carrier_reset'],
  ])('knows nothing after %s', async (_name, fault, reason) => {
    livekit.faults.set('ListRooms', fault);
    expect(await findCallBounded(carrier, query)).toEqual({ kind: 'unknown', reason });
  });
});
