/*
 * The tests that every carrier must pass, with any protocol. A carrier joins with a spec of its own,
 * `<name>-conformance.spec.ts`:
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
 * `standOf` puts a `FaultServer` behind the carrier; a carrier that speaks no HTTP builds its own `Stand`.
 * Requests that ring no telephone (making a room, asking for a list) are not dials: they are answered well
 * while dials meet every fault.
 */
import {
  eraseCallBounded,
  findCallBounded,
  hangUpBounded,
  placeCallBounded,
} from '../../src/carriers/bounded.js';
import {
  type FindCallQuery,
  type HangUpRequest,
  type PlaceCallRequest,
  type PlaceCallResult,
} from '../../src/carriers/carrier.js';
import { eventually } from '../support/eventually.js';
import { RETRY_AFTER_SECONDS, WIRE_FAULTS } from './fault-server.js';
import { ALL_FAULTS, type Fault, type Stand } from './stand.js';
import { aDial, aQuery } from './support.js';

/** A busy machine's timers. What hangs does so for ever. */
const SLACK_MS = 10_000;
/** A second request would be sent within this. */
const QUIET_MS = 250;

const EXPECTED: Partial<Record<Fault, PlaceCallResult['kind']>> = {
  http_429: 'throttled',
  http_429_retry_after: 'throttled',
  refusal: 'refused',
  unreachable: 'unreachable',
};

/** The suite. `build` makes a stand for each test. */
export function describeConformance(name: string, build: () => Promise<Stand>): void {
  describe(`the carrier ${name}`, () => {
    /** A test on a stand of its own, beside others: most of its time passes in waiting. */
    const onStand =
      <Args extends unknown[]>(play: (stand: Stand, ...args: Args) => Promise<void> | void) =>
      async (...args: Args): Promise<void> => {
        const stand = await build();
        try {
          await play(stand, ...args);
        } finally {
          await stand.close();
        }
      };

    const dial = ({ carrierSettings }: Stand, n = 1): PlaceCallRequest => ({
      ...aDial('+14155550100', n),
      prompt: 'a prompt that must stay private',
      carrierSettings,
    });
    const query = ({ carrierSettings }: Stand, carrierCallId: string | null = null): FindCallQuery => ({
      ...aQuery('+14155550100', 1),
      carrierCallId,
      carrierSettings,
    });
    const hangUp = (
      { carrierSettings }: Stand,
      placed: PlaceCallResult,
      more: Partial<HangUpRequest> = {},
    ): HangUpRequest => ({
      callRequestId: aDial('+14155550100', 1).callRequestId,
      carrierCallId: placed.kind === 'accepted' ? placed.carrierCallId : null,
      to: '+14155550100',
      answered: false,
      carrierSettings,
      ...more,
    });
    const quiet = () => new Promise((resolve) => setTimeout(resolve, QUIET_MS));

    function expectNothingPrivate(stand: Stand, result: object): void {
      const { to, from, prompt, firstMessage } = dial(stand);
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

    test.concurrent(
      'has a timeout, a name and a calls-per-second limit',
      onStand((stand) => {
        const { carrier } = stand;
        expect(carrier.name).toMatch(/^[a-z]+$/);
        expect(carrier.timeoutMs).toBeGreaterThan(0);
        expect(carrier.callsPerSecond === null || carrier.callsPerSecond > 0).toBe(true);
      }),
    );

    test.concurrent(
      'finds nothing wrong with the settings that it dials with',
      onStand((stand) => {
        expect(stand.carrier.checkSettings?.(stand.carrierSettings) ?? null).toBeNull();
      }),
    );

    test.concurrent(
      'dials once, and returns the call’s id',
      onStand(async (stand) => {
        const result = await placeCallBounded(stand.carrier, dial(stand));
        expect(result).toEqual({
          kind: 'accepted',
          carrierCallId: expect.stringMatching(/^[\x21-\x7e]{1,200}$/) as string,
        });
        await quiet();
        expect(stand.dials()).toBe(1);
      }),
    );

    test.concurrent(
      'dials each of many at once, once',
      onStand(async (stand) => {
        const results = await Promise.all(
          Array.from({ length: 20 }, (_, index) => placeCallBounded(stand.carrier, dial(stand, index + 1))),
        );
        expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(['accepted']));
        expect(stand.dials()).toBe(20);
      }),
    );

    test.concurrent.each(ALL_FAULTS)(
      'asks no more than once in case of %s, and says what that means',
      onStand(async (stand, fault: (typeof ALL_FAULTS)[number]) => {
        if (!stand.faults.includes(fault)) return;
        await stand.misbehave(fault);
        const startedAt = performance.now();
        const result = await placeCallBounded(stand.carrier, dial(stand));
        expect(performance.now() - startedAt).toBeLessThan(stand.carrier.timeoutMs + SLACK_MS);
        const isUnauthorized = fault === 'http_401' || fault === 'http_403';
        const expected = isUnauthorized ? stand.unauthorized : (EXPECTED[fault] ?? 'unknown');
        expect(result).toMatchObject({ kind: expected });
        if (result.kind === 'throttled') {
          expect(result.retryAfterMs).toBeGreaterThan(0);
          if (fault === 'http_429_retry_after') expect(result.retryAfterMs).toBe(RETRY_AFTER_SECONDS * 1_000);
        }
        expectNothingPrivate(stand, result);
        await quiet();
        const arrived = fault !== 'unreachable' && (result.kind !== 'throttled' || stand.countsThrottled);
        expect(stand.dials()).toBe(arrived ? 1 : 0);
      }),
    );

    test.concurrent(
      'does not send a dial again because its connection was one that the server dropped',
      onStand(async (stand) => {
        await stand.misbehave('close_reused');
        for (let n = 1; n <= 3; n += 1) {
          const before = stand.dials();
          const result = await placeCallBounded(stand.carrier, dial(stand, n));
          await quiet();
          expect(stand.dials()).toBe(before + 1);
          expect(['accepted', 'unknown']).toContain(result.kind);
        }
      }),
    );

    test.concurrent(
      'sends nothing after the signal has aborted',
      onStand(async (stand) => {
        const stopped = AbortSignal.abort();
        const result = await stand.carrier
          .placeCall(dial(stand), stopped)
          .catch(() => ({ kind: 'unknown' as const }));
        expect(['refused', 'unreachable', 'unknown']).toContain(result.kind);
        await quiet();
        expect(stand.requests()).toBe(0);
      }),
    );

    test.concurrent(
      'gives up at once when the signal aborts, and sends nothing more',
      onStand(async (stand) => {
        const { carrier } = stand;
        await stand.misbehave(stand.faults.includes('hang') ? 'hang' : null);
        stand.misbehaveBeside('hang');
        const controller = new AbortController();
        const placing = carrier
          .placeCall(dial(stand), controller.signal)
          .catch(() => ({ kind: 'unknown' as const }));
        await eventually(
          () => Promise.resolve(stand.requests()),
          (requests) => requests > 0,
        );
        controller.abort();
        const startedAt = performance.now();
        expect((await placing).kind).not.toBe('accepted');
        expect(performance.now() - startedAt).toBeLessThan(SLACK_MS);
        const sent = stand.requests();
        await quiet();
        expect(stand.requests()).toBe(sent);
        expect(stand.dials()).toBeLessThanOrEqual(1);
      }),
    );

    test.concurrent(
      'finds a call that it has dialed, and no other',
      onStand(async (stand) => {
        const placed = await placeCallBounded(stand.carrier, dial(stand));
        const id = placed.kind === 'accepted' ? placed.carrierCallId : null;
        const found = await findCallBounded(stand.carrier, query(stand, id));
        expect(['found', 'not_found']).toContain(found.kind);
        if (found.kind === 'found') expect(found.event.callRequestId).toBe(dial(stand).callRequestId);
        const stranger = {
          ...query(stand),
          callRequestId: dial(stand, 777).callRequestId,
          to: '+14155550177',
        };
        expect((await findCallBounded(stand.carrier, stranger)).kind).not.toBe('found');
        expect(stand.dials()).toBe(1);
      }),
    );

    test.concurrent.each(WIRE_FAULTS)(
      'finds nothing, and dials no number, when a look-up meets %s',
      onStand(async (stand, fault: (typeof WIRE_FAULTS)[number]) => {
        if (!stand.looksUp) return;
        const placed = await placeCallBounded(stand.carrier, dial(stand));
        stand.misbehaveBeside(fault);
        const startedAt = performance.now();
        const id = placed.kind === 'accepted' ? placed.carrierCallId : null;
        const result = await findCallBounded(stand.carrier, query(stand, id));
        expect(performance.now() - startedAt).toBeLessThan(stand.carrier.timeoutMs + SLACK_MS);
        expect(result.kind).toBe('unknown');
        expectNothingPrivate(stand, result);
        expect(stand.dials()).toBe(1);
      }),
    );

    test.concurrent.each([true, false])(
      'hangs up a call that it has dialed, also twice; answered: %s',
      onStand(async (stand, answered: boolean) => {
        if (stand.carrier.hangUp === undefined) return;
        const placed = await placeCallBounded(stand.carrier, dial(stand));
        const first = await hangUpBounded(stand.carrier, hangUp(stand, placed, { answered }));
        expect(first.kind).toBe('accepted');
        const second = await hangUpBounded(stand.carrier, hangUp(stand, placed, { answered }));
        expect(['accepted', 'not_in_progress']).toContain(second.kind);
        expect(stand.dials()).toBe(1);
      }),
    );

    test.concurrent(
      'does not hang up a call that it has not dialed',
      onStand(async (stand) => {
        if (stand.carrier.hangUp === undefined) return;
        const stranger = { callRequestId: dial(stand, 777).callRequestId, carrierCallId: stand.unknownCall };
        const result = await hangUpBounded(
          stand.carrier,
          hangUp(stand, { kind: 'unknown', reason: '' }, stranger),
        );
        expect(result.kind).toBe('not_in_progress');
        expect(stand.dials()).toBe(0);
      }),
    );

    test.concurrent.each(WIRE_FAULTS)(
      'does not claim that a call was hung up when the request meets %s',
      onStand(async (stand, fault: (typeof WIRE_FAULTS)[number]) => {
        if (!stand.looksUp || stand.carrier.hangUp === undefined) return;
        const placed = await placeCallBounded(stand.carrier, dial(stand));
        stand.misbehaveBeside(fault);
        const startedAt = performance.now();
        const result = await hangUpBounded(stand.carrier, hangUp(stand, placed));
        expect(performance.now() - startedAt).toBeLessThan(stand.carrier.timeoutMs + SLACK_MS);
        expect(result.kind).toBe(fault.startsWith('http_429') ? 'not_done' : 'unknown');
        expectNothingPrivate(stand, result);
        expect(stand.dials()).toBe(1);
      }),
    );

    test.concurrent(
      'erases a call that it has dialed, also twice, and finds no other',
      onStand(async (stand) => {
        const { carrier } = stand;
        if (carrier.eraseCall === undefined) return;
        const placed = await placeCallBounded(carrier, dial(stand));
        const carrierCallId = placed.kind === 'accepted' ? placed.carrierCallId : '';
        expect(await eraseCallBounded(carrier, { carrierCallId, account: null })).toEqual({ kind: 'erased' });
        const again = await eraseCallBounded(carrier, { carrierCallId, account: null });
        expect(['erased', 'not_found']).toContain(again.kind);
        const stranger = { carrierCallId: stand.unknownCall, account: null };
        expect(await eraseCallBounded(carrier, stranger)).toEqual({ kind: 'not_found' });
        expect(stand.dials()).toBe(1);
      }),
    );

    test.concurrent.each(WIRE_FAULTS)(
      'does not claim that a call was erased when the request meets %s',
      onStand(async (stand, fault: (typeof WIRE_FAULTS)[number]) => {
        const { carrier } = stand;
        if (carrier.eraseCall === undefined) return;
        const placed = await placeCallBounded(carrier, dial(stand));
        const carrierCallId = placed.kind === 'accepted' ? placed.carrierCallId : '';
        stand.misbehaveBeside(fault);
        const result = await eraseCallBounded(stand.carrier, { carrierCallId, account: null });
        expect(result.kind).toBe('not_done');
        expectNothingPrivate(stand, result);
      }),
    );

    test.concurrent(
      'says that a call goes on if the carrier cannot be reached at a hang-up',
      onStand(async (stand) => {
        if (!stand.looksUp || stand.carrier.hangUp === undefined) return;
        const placed = await placeCallBounded(stand.carrier, dial(stand));
        await stand.misbehave('unreachable');
        const result = await hangUpBounded(stand.carrier, hangUp(stand, placed));
        expect(result.kind).toBe('not_done');
        expectNothingPrivate(stand, result);
      }),
    );
  });
}
