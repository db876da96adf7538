import { describeConformance } from './conformance.js';
import { standOf } from './stand.js';
import { type Answer, type Received, type WellBehaved } from './fault-server.js';
import { API_SECRET, FakeLiveKit } from '../../tools/fake-carriers/fake-livekit.js';
import { carrierAt } from './livekit/support.js';
import { aDial } from './support.js';

// The patience of the suite is short, and the SDK’s first tokens take most of it: a worker dials more than
// once.
beforeAll(async () => {
  const livekit = await new FakeLiveKit().listen();
  const carrier = carrierAt(livekit.url, { timeoutMs: 20_000 });
  carrier.start();
  const { signal } = new AbortController();
  for (let round = 1; round <= 3; round += 1) {
    const dials = Array.from({ length: 20 }, (_, n) => carrier.placeCall(aDial('+14155550100', n), signal));
    for (const { kind } of await Promise.all(dials)) expect(kind).toBe('accepted');
  }
  await livekit.close();
});

describeConformance('livekit', () =>
  standOf({
    make: (url, timeoutMs) => carrierAt(url, { timeoutMs }),
    // A dial is two requests, one after the other, with a token each; twenty of them wait for each other’s.
    timeoutMs: 1_500,
    isDial: ({ path }) => path === '/twirp/livekit.SIP/CreateSIPParticipant',
    wellBehaved: server(),
    unknownCall: `call-${aDial('', 777).callRequestId}-0`,
    refusal: { status: 404, body: { code: 'not_found', msg: 'no trunk for +14155550100' } },
    // LiveKit checks credentials at the dispatch already: a 401 to the dial alone comes from another server.
    unauthorized: 'unknown',
    secrets: [API_SECRET],
    carrierSettings: { agentName: 'seller', ringingTimeoutSeconds: 30 },
  }),
);

function server(): WellBehaved {
  const rooms = new Set<string>();
  return (received) => answerOf(received, rooms);
}

function answerOf({ path, body }: Received, rooms: Set<string>): Answer {
  const asked = JSON.parse(body) as Record<string, string>;
  switch (path.slice('/twirp/livekit.'.length)) {
    case 'AgentDispatchService/CreateDispatch':
      rooms.add(asked.room ?? '');
      return { status: 200, body: { id: 'AD_1', room: asked.room, agent_name: asked.agentName } };
    case 'SIP/CreateSIPParticipant':
      return { status: 200, body: { room_name: asked.roomName, sip_call_id: 'SCL_1' } };
    case 'RoomService/ListRooms':
      return { status: 200, body: { rooms: [] } };
    case 'RoomService/DeleteRoom':
      return rooms.delete(asked.room ?? '')
        ? { status: 200, body: {} }
        : { status: 404, body: { code: 'not_found', msg: 'no room' } };
    default:
      return { status: 404, body: { code: 'bad_route' } };
  }
}
