/*
 * What every carrier has to prove, whatever it speaks. A carrier joins with a spec of its own, `<name>-conformance.spec.ts`:
 *
 *   describeConformance('acme', () =>
 *     standOf({
 *       make: (url, timeoutMs) => new AcmeCarrier({ apiUrl: url, token: SECRET, timeoutMs }),
 *       isDial: ({ method, path }) => method === 'POST' && path === '/v1/calls',
 *       wellBehaved: (request) => …what Acme answers to that request…,
 *       refusal: { status: 422, body: { code: 'invalid_number' } },
 *       unauthorized: 'refused',
 *       secrets: [SECRET],
 *     }),
 *   );
 *
 * `standOf` puts a `FaultServer` behind the carrier; a carrier that speaks no HTTP builds its own `Stand`. Requests that
 * ring nobody (making a room, asking for a list) are not dials: they are answered well while dials meet every fault.
 */
import { findCallBounded, placeCallBounded } from '../../src/carriers/bounded.js';
import {
  type Carrier,
  type FindCallQuery,
  type PlaceCallRequest,
  type PlaceCallResult,
} from '../../src/carriers/carrier.js';
import {
  type Answer,
  FaultServer,
  type Head,
  RETRY_AFTER_SECONDS,
  type ServerFault,
  WIRE_FAULTS,
  type WellBehaved,
  type WireFault,
} from './fault-server.js';
import { aDial, aQuery } from './support.js';

/** What can become of a dial, beside what the wire can do to it. */
export type Fault = WireFault | 'refusal' | 'unreachable';

/** A carrier, and what stands behind it. */
export interface Stand {
  readonly carrier: Carrier;
  /** Dials that arrived so far, each by what names its call to the carrier. */
  dials(): number;
  /** All requests that arrived so far, dials included. */
  requests(): number;
  /** What dials meet from now on; null: nothing. */
  misbehave(fault: Fault | 'close_reused' | null): Promise<void> | void;
  /** The same for everything that is asked beside dials, such as lists. */
  misbehaveBeside(fault: WireFault | null): void;
  /** The faults that it can show; a carrier in this process has no wire. */
  faults: readonly Fault[];
  /** Whether a throttled request counts among `dials`; in this process it is none. */
  countsThrottled: boolean;
  /** Whether looking a call up asks somebody over the wire. */
  looksUp: boolean;
  /** What comes of a dial that is answered 401 or 403. */
  unauthorized: 'refused' | 'unknown';
  /** What must not be found in any reason, beside numbers and prompts. */
  secrets: readonly string[];
  /** The agent's settings that it dials with. */
  carrierSettings: Record<string, unknown>;
  close(): Promise<void>;
}

/** A carrier that is asked over HTTP. */
export interface HttpSubject {
  make(url: string, timeoutMs: number): Carrier | Promise<Carrier>;
  /** Whether a request would make somebody's telephone ring. */
  isDial: (head: Head) => boolean;
  wellBehaved: WellBehaved;
  /** The carrier's own definite word that it will not dial. */
  refusal: Answer;
  unauthorized: 'refused' | 'unknown';
  secrets: readonly string[];
  carrierSettings?: Record<string, unknown>;
  /** Its patience with what hangs, where a dial is more than one request; {@link TIMEOUT_MS} unless said. */
  timeoutMs?: number;
}

/** The carrier's patience with what hangs: short, so that it is soon over. */
export const TIMEOUT_MS = 400;
/** Its patience with everything that answers, however slowly a busy machine gets to it. */
const PATIENT_MS = 20_000;
/** A busy machine's timers. What hangs does so for ever. */
const SLACK_MS = 10_000;
const HANGING: readonly (Fault | ServerFault | null)[] = ['hang', 'late_answer', 'slow_drip'];
/** Whoever sends a second request does so within this. */
const QUIET_MS = 250;

export const ALL_FAULTS: readonly Fault[] = [...WIRE_FAULTS, 'refusal', 'unreachable'];

const EXPECTED: Partial<Record<Fault, PlaceCallResult['kind']>> = {
  http_429: 'throttled',
  http_429_retry_after: 'throttled',
  refusal: 'refused',
  unreachable: 'unreachable',
};

export async function standOf(subject: HttpSubject): Promise<Stand> {
  const { isDial, refusal, wellBehaved, unauthorized, secrets, carrierSettings = {} } = subject;
  const { timeoutMs = TIMEOUT_MS } = subject;
  let refusing = false;
  let beside: WireFault | null = null;
  let dialFault: ServerFault | null = null;
  const server = new FaultServer(
    (request) => (refusing && isDial(request) ? refusal : wellBehaved(request)),
    timeoutMs * 2,
  );
  const url = await server.listen();
  server.misbehave((head) => (isDial(head) ? dialFault : beside));
  const patient = await subject.make(url, PATIENT_MS);
  const impatient = await subject.make(url, timeoutMs);
  let open = true;
  return {
    get carrier() {
      return HANGING.includes(dialFault) || HANGING.includes(beside) ? impatient : patient;
    },
    ...{
      faults: ALL_FAULTS,
      looksUp: true,
      countsThrottled: true,
      unauthorized,
      secrets,
      carrierSettings,
    },
    dials: () => server.received.filter(isDial).length,
    requests: () => server.received.length,
    async misbehave(fault) {
      refusing = fault === 'refusal';
      dialFault = fault === 'refusal' || fault === 'unreachable' ? null : fault;
      if (fault === 'unreachable') {
        open = false;
        await server.close();
      }
    },
    misbehaveBeside(fault) {
      beside = fault;
    },
    async close() {
      await patient.close();
      await impatient.close();
      if (open) await server.close();
    },
  };
}

/** The suite. `build` makes a stand for each test. */
export function describeConformance(name: string, build: () => Promise<Stand>): void {
  describe(`the carrier ${name}`, () => {
    let stand: Stand;
    beforeEach(async () => {
      stand = await build();
    });
    afterEach(() => stand.close());

    const dial = (n = 1): PlaceCallRequest => ({
      ...aDial('+14155550100', n),
      ...{ prompt: 'a prompt that is nobody’s business', carrierSettings: stand.carrierSettings },
    });
    const query = (carrierCallId: string | null = null): FindCallQuery => ({
      ...aQuery('+14155550100', 1),
      ...{ carrierCallId, carrierSettings: stand.carrierSettings },
    });
    const quiet = () => new Promise((resolve) => setTimeout(resolve, QUIET_MS));

    function expectNothingPrivate(result: object): void {
      const { to, from, prompt, firstMessage } = dial();
      const said = 'reason' in result ? String(result.reason) : '';
      for (const secret of [
        ...stand.secrets,
        prompt,
        firstMessage,
        ...[to, from].map((number) => number.slice(2)),
      ]) {
        expect(said).not.toContain(secret);
      }
      if (said !== '') expect(said).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
    }

    test('has a patience and a name, and says how fast it may be asked', () => {
      const { carrier } = stand;
      expect(carrier.name).toMatch(/^[a-z]+$/);
      expect(carrier.timeoutMs).toBeGreaterThan(0);
      expect(carrier.callsPerSecond === null || carrier.callsPerSecond > 0).toBe(true);
    });

    test('finds nothing wrong with the settings that it dials with', () => {
      expect(stand.carrier.checkSettings?.(stand.carrierSettings) ?? null).toBeNull();
    });

    test('dials once, and says by which id', async () => {
      const result = await placeCallBounded(stand.carrier, dial());
      expect(result).toEqual({
        kind: 'accepted',
        carrierCallId: expect.stringMatching(/^[\x21-\x7e]{1,200}$/) as string,
      });
      await quiet();
      expect(stand.dials()).toBe(1);
    });

    test('dials each of many at once, once', async () => {
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, index) => placeCallBounded(stand.carrier, dial(index + 1))),
      );
      expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(['accepted']));
      expect(stand.dials()).toBe(20);
    });

    test.each(ALL_FAULTS)('asks no more than once in case of %s, and says what that means', async (fault) => {
      if (!stand.faults.includes(fault)) return;
      await stand.misbehave(fault);
      const startedAt = performance.now();
      const result = await placeCallBounded(stand.carrier, dial());
      expect(performance.now() - startedAt).toBeLessThan(stand.carrier.timeoutMs + SLACK_MS);
      const isUnauthorized = fault === 'http_401' || fault === 'http_403';
      const expected = isUnauthorized ? stand.unauthorized : (EXPECTED[fault] ?? 'unknown');
      expect(result).toMatchObject({ kind: expected });
      if (result.kind === 'throttled') {
        expect(result.retryAfterMs).toBeGreaterThan(0);
        if (fault === 'http_429_retry_after') expect(result.retryAfterMs).toBe(RETRY_AFTER_SECONDS * 1_000);
      }
      expectNothingPrivate(result);
      await quiet();
      const arrived = fault !== 'unreachable' && (result.kind !== 'throttled' || stand.countsThrottled);
      expect(stand.dials()).toBe(arrived ? 1 : 0);
    });

    test('does not send a dial again because its connection was one that the server dropped', async () => {
      await stand.misbehave('close_reused');
      for (let n = 1; n <= 3; n += 1) {
        const before = stand.dials();
        const result = await placeCallBounded(stand.carrier, dial(n));
        await quiet();
        expect(stand.dials()).toBe(before + 1);
        expect(['accepted', 'unknown']).toContain(result.kind);
      }
    });

    test('sends nothing once it is told to stop', async () => {
      const stopped = AbortSignal.abort();
      const result = await stand.carrier
        .placeCall(dial(), stopped)
        .catch(() => ({ kind: 'unknown' as const }));
      expect(['refused', 'unreachable', 'unknown']).toContain(result.kind);
      await quiet();
      expect(stand.requests()).toBe(0);
    });

    test('gives up at once when it is told to stop, and sends nothing more', async () => {
      const { carrier } = stand;
      await stand.misbehave(stand.faults.includes('hang') ? 'hang' : null);
      stand.misbehaveBeside('hang');
      const controller = new AbortController();
      const placing = carrier
        .placeCall(dial(), controller.signal)
        .catch(() => ({ kind: 'unknown' as const }));
      setTimeout(() => controller.abort(), 100);
      const startedAt = performance.now();
      expect((await placing).kind).not.toBe('accepted');
      expect(performance.now() - startedAt).toBeLessThan(SLACK_MS);
      const sent = stand.requests();
      await quiet();
      expect(stand.requests()).toBe(sent);
      expect(stand.dials()).toBeLessThanOrEqual(1);
    });

    test('finds a call that it has dialed, and no other', async () => {
      const placed = await placeCallBounded(stand.carrier, dial());
      const id = placed.kind === 'accepted' ? placed.carrierCallId : null;
      const found = await findCallBounded(stand.carrier, query(id));
      expect(['found', 'not_found']).toContain(found.kind);
      if (found.kind === 'found') expect(found.event.callRequestId).toBe(dial().callRequestId);
      const stranger = { ...query(), callRequestId: dial(777).callRequestId, to: '+14155550177' };
      expect((await findCallBounded(stand.carrier, stranger)).kind).not.toBe('found');
      expect(stand.dials()).toBe(1);
    });

    test.each(WIRE_FAULTS)('finds nothing, and dials nobody, when a look-up meets %s', async (fault) => {
      if (!stand.looksUp) return;
      const placed = await placeCallBounded(stand.carrier, dial());
      stand.misbehaveBeside(fault);
      const startedAt = performance.now();
      const id = placed.kind === 'accepted' ? placed.carrierCallId : null;
      const result = await findCallBounded(stand.carrier, query(id));
      expect(performance.now() - startedAt).toBeLessThan(stand.carrier.timeoutMs + SLACK_MS);
      expect(result.kind).toBe('unknown');
      expectNothingPrivate(result);
      expect(stand.dials()).toBe(1);
    });
  });
}
