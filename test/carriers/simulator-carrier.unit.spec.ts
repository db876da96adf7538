import { join } from 'node:path';
import { findCallBounded, placeCallBounded } from '../../src/carriers/bounded.js';
import { type CarrierEvent } from '../../src/carriers/carrier.js';
import { type SimulatorOutcome } from '../../src/carriers/simulator/rules.js';
import { SIMULATOR_DEFAULTS } from '../../src/carriers/simulator/simulator-options.js';
import { SimulatorCarrier } from '../../src/carriers/simulator/simulator.carrier.js';
import {
  aDial,
  aQuery,
  callRequestId,
  EventCollector,
  FAST,
  readDialLog,
  temporaryDirectory,
} from './support.js';

const query = aQuery();

describe('SimulatorCarrier', () => {
  const open: SimulatorCarrier[] = [];
  const IMPATIENT = { timeoutMs: 60 };
  const start = (outcome?: SimulatorOutcome, options = {}, delivery = {}) => {
    const rules = outcome === undefined ? [] : [{ match: '*', outcome }];
    const carrier = new SimulatorCarrier({ ...FAST, rules, ...options }, delivery);
    open.push(carrier);
    const collector = new EventCollector();
    carrier.onEvent(collector.listen);
    return { carrier, collector };
  };
  afterEach(async () => {
    await Promise.all(open.splice(0).map((carrier) => carrier.close()));
  });

  it('logs that no telephone rings', () => {
    expect(start().carrier.banner).toContain('NO TELEPHONE WILL RING');
  });

  it('by default answers, and completes a call within five seconds with any jitter', async () => {
    const { acceptMs, ringMs, talkMs, jitter } = SIMULATOR_DEFAULTS;
    expect((acceptMs + ringMs + talkMs) * (1 + jitter)).toBeLessThan(4_000);
    const { carrier, collector } = start();
    const result = await placeCallBounded(carrier, aDial());
    expect(result).toMatchObject({ kind: 'accepted' });
    const [first, last] = await collector.first(2);
    expect([first?.status, last?.status]).toEqual(['in_progress', 'completed']);
    expect(last).toMatchObject({ callRequestId: callRequestId(1), durationSeconds: 0 });
    expect(result).toEqual({ kind: 'accepted', carrierCallId: last?.carrierCallId });
    expect(await findCallBounded(carrier, query)).toEqual({ kind: 'found', event: last });
  });

  it.each([
    ['busy', ['busy']],
    ['no_answer', ['no_answer']],
    ['failed', ['failed']],
    ['voicemail', ['in_progress', 'voicemail']],
    ['duplicate', ['in_progress', 'in_progress', 'completed', 'completed']],
    ['disorder', ['completed', 'in_progress']],
  ] as const)('%s is accepted, and reported as %j', async (outcome, statuses) => {
    const { carrier, collector } = start(outcome);
    expect((await placeCallBounded(carrier, aDial())).kind).toBe('accepted');
    await collector.first(statuses.length);
    await carrier.close();
    expect(collector.statuses()).toEqual(statuses);
  });

  it('refuses permanently, and lists no call', async () => {
    const { carrier, collector } = start('refuse');
    expect(await placeCallBounded(carrier, aDial())).toEqual({
      kind: 'refused',
      reason: 'simulated_refusal',
    });
    expect(await findCallBounded(carrier, query)).toEqual({ kind: 'not_found' });
    await carrier.close();
    expect(collector.events).toEqual([]);
  });

  it.each([
    ['error', 'carrier_http_500'],
    ['reset', 'carrier_reset'],
  ] as const)('%s is unknown, though the dial was received and is listed', async (outcome, reason) => {
    const { carrier } = start(outcome);
    expect(await placeCallBounded(carrier, aDial())).toEqual({ kind: 'unknown', reason });
    expect(carrier.dials()).toMatchObject([{ callRequestId: callRequestId(1), outcome }]);
    expect(await findCallBounded(carrier, query)).toMatchObject({ kind: 'found' });
  });

  it('hang ends with the timeout, and a look-up finds no call', async () => {
    const { carrier } = start('hang', IMPATIENT);
    expect(await placeCallBounded(carrier, aDial())).toEqual({ kind: 'unknown', reason: 'carrier_timeout' });
    expect(await findCallBounded(carrier, query)).toEqual({ kind: 'not_found' });
    expect(carrier.dials()).toHaveLength(1);
  });

  it('late is unknown to the client, and reported later', async () => {
    const { carrier, collector } = start('late', IMPATIENT);
    expect(await placeCallBounded(carrier, aDial())).toEqual({ kind: 'unknown', reason: 'carrier_timeout' });
    expect(await findCallBounded(carrier, query)).toEqual({ kind: 'not_found' });
    expect((await collector.first(2)).map(({ status }) => status)).toEqual(['in_progress', 'completed']);
  });

  it('silent never reports, but a look-up finds the call', async () => {
    const { carrier, collector } = start('silent', { talkMs: 0, ringMs: 0 });
    expect((await placeCallBounded(carrier, aDial())).kind).toBe('accepted');
    let found = await findCallBounded(carrier, query);
    while (found.kind === 'found' && found.event.status === 'in_progress') {
      await new Promise(setImmediate);
      found = await findCallBounded(carrier, query);
    }
    expect(found).toMatchObject({ kind: 'found', event: { status: 'completed' } });
    await carrier.close();
    expect(collector.events).toEqual([]);
  });

  it('applies timings, reports and the listing of a rule', async () => {
    const { carrier, collector } = start(undefined, IMPATIENT);
    carrier.setRules([
      { match: '*', outcome: 'hang', acceptMs: 0, ringMs: 0, talkMs: 0, reports: 'once', listed: true },
    ]);
    const result = placeCallBounded(carrier, aDial());
    expect((await collector.first(2)).map(({ status }) => status)).toEqual(['in_progress', 'completed']);
    expect(await findCallBounded(carrier, query)).toMatchObject({ kind: 'found' });
    expect((await result).kind).toBe('unknown');
  });

  it('uses the n-th of outcomes for the n-th dial to a number, and repeats the last', async () => {
    const { carrier } = start();
    carrier.setRules([{ match: '+1415*', outcomes: ['refuse', 'throttled', 'busy', 'completed'] }]);
    const dial = async (to: string) => (await placeCallBounded(carrier, aDial(to))).kind;
    for (const kind of ['refused', 'throttled', 'accepted', 'accepted', 'accepted']) {
      expect(await dial('+14155550100')).toBe(kind);
    }
    expect(await dial('+14155550101')).toBe('refused');
    const outcomes = carrier.dials().map(({ to, outcome }) => [to, outcome]);
    expect(outcomes).toEqual([
      ['+14155550100', 'refuse'],
      ['+14155550100', 'busy'],
      ['+14155550100', 'completed'],
      ['+14155550100', 'completed'],
      ['+14155550101', 'refuse'],
    ]);
  });

  it('reports the result of a rule with completed calls alone', async () => {
    const { carrier, collector } = start();
    const result = { disposition: 'call_later', callbackAt: '2027-03-28T09:00:00+01:00', optOut: true };
    carrier.setRules([{ match: '*', outcomes: ['voicemail', 'completed'], result }]);
    for (const n of [1, 2]) {
      await placeCallBounded(carrier, aDial(undefined, n));
      await collector.first(2 * n);
    }
    expect(collector.events.map((event) => [event.status, event.result])).toEqual([
      ['in_progress', undefined],
      ['voicemail', undefined],
      ['in_progress', undefined],
      ['completed', { ...result, callbackAt: new Date('2027-03-28T08:00:00Z'), data: null }],
    ]);
  });

  it('sends no request after the signal has aborted', async () => {
    const { carrier } = start();
    expect((await carrier.placeCall(aDial(), AbortSignal.abort())).kind).toBe('unknown');
    expect(carrier.dials()).toEqual([]);
  });

  it('logs every dial before its answer, also the second of a call request', async () => {
    const directory = temporaryDirectory();
    try {
      const dialLogPath = join(directory.path, 'deep', 'dials.log');
      const { carrier } = start('hang', { ...IMPATIENT, dialLogPath });
      const dials = [placeCallBounded(carrier, aDial()), placeCallBounded(carrier, aDial())];
      const records = readDialLog(dialLogPath);
      expect(records).toHaveLength(2);
      expect(Object.keys(records[0] ?? {})).toEqual([
        'at',
        'callRequestId',
        'to',
        'from',
        'outcome',
        'carrierCallId',
      ]);
      expect(new Set(records.map(({ carrierCallId }) => carrierCallId)).size).toBe(2);
      await Promise.all(dials);
    } finally {
      directory.remove();
    }
  });

  it('repeats an event when the listener throws, a limited number of times', async () => {
    const lost: [CarrierEvent, unknown][] = [];
    const onGiveUp = (event: CarrierEvent, error: unknown) => lost.push([event, error]);
    const { carrier } = start('busy', {}, { attempts: 3, backoffMs: 1, onGiveUp });
    let calls = 0;
    let healed: (() => void) | undefined;
    const done = new Promise<void>((resolve) => (healed = resolve));
    carrier.onEvent(() => {
      calls += 1;
      if (calls <= 2) throw new Error('database away');
      healed?.();
      return Promise.resolve();
    });
    await placeCallBounded(carrier, aDial());
    await done;
    expect(calls).toBe(3);

    carrier.onEvent(() => Promise.reject(new Error('still away')));
    await placeCallBounded(carrier, aDial());
    while (lost.length === 0) await new Promise(setImmediate);
    expect(lost).toMatchObject([[{ status: 'busy' }, { message: 'still away' }]]);
  });

  it('on close, reports active calls once, and open dials become unknown', async () => {
    const { carrier, collector } = start(undefined, { talkMs: 60_000 });
    await placeCallBounded(carrier, aDial('+14155550100', 1));
    await collector.first(1);
    carrier.setRules([{ match: '*', outcome: 'completed', ringMs: 60_000 }]);
    await placeCallBounded(carrier, aDial('+14155550101', 2));
    carrier.setRules([{ match: '*', outcome: 'completed', acceptMs: 60_000 }]);
    const unanswered = carrier.placeCall(aDial('+14155550102', 3), new AbortController().signal);
    await carrier.close();
    expect(await unanswered).toEqual({ kind: 'unknown', reason: 'carrier_closed' });
    expect(collector.events.map((e) => [e.callRequestId, e.status, e.reason])).toEqual([
      [callRequestId(1), 'in_progress', undefined],
      [callRequestId(1), 'completed', undefined],
      [callRequestId(2), 'failed', 'simulator_closed'],
    ]);
    expect(await placeCallBounded(carrier, aDial())).toEqual({ kind: 'refused', reason: 'simulator_closed' });
  });
});
