import { carrierEventToJson } from '../../src/carriers/event-json.js';
import { RemoteSimulatorCarrier } from '../../src/carriers/simulator/remote-simulator.carrier.js';
import { type SimulatorOutcome } from '../../src/carriers/simulator/rules.js';
import { SimulatorCarrier } from '../../src/carriers/simulator/simulator.carrier.js';
import { describeConformance } from './conformance.js';
import { type Fault, type Stand, standOf, TIMEOUT_MS } from './stand.js';
import { type WellBehaved } from './fault-server.js';
import { FAST } from './support.js';

/** What the simulator in this process can show of what happens on a wire. */
const OUTCOMES: Partial<Record<Fault, SimulatorOutcome>> = {
  http_500: 'error',
  http_429: 'throttled',
  hang: 'hang',
  late_answer: 'late',
  reset_after_request: 'reset',
  refusal: 'refuse',
};

function inThisProcess(): Promise<Stand> {
  // Calls go on until the test ends them.
  const carrier = new SimulatorCarrier({
    ...FAST,
    talkMs: 60_000,
    lateMs: 2 * TIMEOUT_MS,
    timeoutMs: TIMEOUT_MS,
  });
  const dials = () => carrier.dials().length;
  return Promise.resolve({
    carrier,
    dials,
    requests: dials,
    unauthorized: 'refused',
    secrets: [],
    carrierSettings: {},
    faults: Object.keys(OUTCOMES) as Fault[],
    misbehave(fault) {
      const outcome = fault === null || fault === 'close_reused' ? undefined : OUTCOMES[fault];
      carrier.setRules(outcome ? [{ match: '*', outcome }] : []);
    },
    misbehaveBeside: () => undefined,
    // Looking up sends no request.
    looksUp: false,
    unknownCall: 'sim-777',
    countsThrottled: false,
    close: () => carrier.close(),
  });
}

/** What the simulator's process answers; it knows the call that was dialed. */
function simulatorProcess(): WellBehaved {
  const dialed = new Set<string>();
  return ({ method, path, body }) => {
    if (path === '/hang-up') {
      const { callRequestId } = JSON.parse(body) as { callRequestId: string };
      const kind = dialed.delete(callRequestId) ? 'accepted' : 'not_in_progress';
      return { status: kind === 'accepted' ? 202 : 404, body: { kind } };
    }
    if (method === 'POST') {
      const { callRequestId } = JSON.parse(body) as { callRequestId: string };
      dialed.add(callRequestId);
      return { status: 200, body: { kind: 'accepted', carrierCallId: `sim-${callRequestId}` } };
    }
    const callRequestId = new URL(path, 'http://simulator').searchParams.get('callRequestId') ?? '';
    if (!dialed.has(callRequestId)) return { status: 404, body: { kind: 'not_found' } };
    const event = { callRequestId, carrierCallId: `sim-${callRequestId}`, status: 'in_progress' as const };
    return {
      status: 200,
      body: { kind: 'found', event: carrierEventToJson({ ...event, at: new Date() }) },
    };
  };
}

describeConformance('simulator, in this process', inThisProcess);

describeConformance('simulator, a process of its own', () =>
  standOf({
    make: (url, timeoutMs) => new RemoteSimulatorCarrier({ url, timeoutMs }),
    isDial: ({ method, path }) => method === 'POST' && path === '/dial',
    wellBehaved: simulatorProcess(),
    unknownCall: 'sim-777',
    refusal: { status: 422, body: { kind: 'refused', reason: 'simulated_refusal' } },
    unauthorized: 'unknown',
    secrets: [],
  }),
);
