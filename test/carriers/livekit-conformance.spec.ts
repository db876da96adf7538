import { LiveKitCarrier } from '../../src/carriers/livekit/livekit.carrier.js';
import { describeConformance, standOf } from './conformance.js';
import { type Answer, type Received } from './fault-server.js';
import { aDial } from './support.js';

const SECRET = 'secret-of-the-livekit-tests-0123456789';

// The patience of the suite is short, and the SDK’s first token takes most of it: a worker dials more than once.
beforeAll(async () => {
  const nowhere = carrierOf('http://127.0.0.1:9', 20_000);
  nowhere.start();
  const { signal } = new AbortController();
  expect((await nowhere.placeCall(aDial(), signal)).kind).toBe('refused');
});

describeConformance('livekit', () =>
  standOf({
    // A dial is two requests, one after the other, with a token each.
    make: (url, timeoutMs) => carrierOf(url, timeoutMs * 1.5),
    isDial: ({ path }) => path === '/twirp/livekit.SIP/CreateSIPParticipant',
    wellBehaved,
    refusal: { status: 404, body: { code: 'not_found', msg: 'no trunk for +14155550100' } },
    // LiveKit judges credentials at the dispatch already: a 401 to the dial alone is somebody else’s.
    unauthorized: 'unknown',
    secrets: [SECRET],
    carrierSettings: { agentName: 'seller', ringingTimeoutSeconds: 30 },
  }),
);

function carrierOf(url: string, timeoutMs: number): LiveKitCarrier {
  return new LiveKitCarrier({
    ...{ url, apiKey: 'APItests', apiSecret: SECRET, sipTrunkId: 'ST_tests', agentName: 'caller' },
    ...{ callsPerSecond: null, maxCallSeconds: 3_600, timeoutMs },
  });
}

function wellBehaved({ path, body }: Received): Answer {
  const asked = JSON.parse(body) as Record<string, string>;
  switch (path.slice('/twirp/livekit.'.length)) {
    case 'AgentDispatchService/CreateDispatch':
      return { status: 200, body: { id: 'AD_1', room: asked.room, agent_name: asked.agentName } };
    case 'SIP/CreateSIPParticipant':
      return { status: 200, body: { room_name: asked.roomName, sip_call_id: 'SCL_1' } };
    case 'RoomService/ListRooms':
      return { status: 200, body: { rooms: [] } };
    case 'RoomService/DeleteRoom':
      return { status: 200, body: {} };
    default:
      return { status: 404, body: { code: 'bad_route' } };
  }
}
