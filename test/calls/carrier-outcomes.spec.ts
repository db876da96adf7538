import { type INestApplicationContext } from '@nestjs/common';
import { OutcomeService } from '../../src/dialing/outcome/outcome.service.js';
import { type SimulatorRule } from '../../src/carriers/simulator/rules.js';
import { Calling, NEVER_MS, reasonOf, simulatorOf } from '../support/calling.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { eventually } from '../support/eventually.js';

// One worker that takes jobs and does not sweep. Its carrier's patience is short, so that silence is soon
// over, and longer where something is reported during the silence.
const [PATIENCE_MS, LONG_PATIENCE_MS] = [250, 1_500];

const calling = Calling.ofFile();
let worker: INestApplicationContext;

beforeAll(async () => {
  worker = await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
});
beforeEach(() => setPatience(PATIENCE_MS));
afterEach(() => calling.setRules());

const setPatience = (timeoutMs: number) => void Object.assign(simulatorOf(worker), { timeoutMs });

/** A call that the carrier does not answer, while it is being dialed. */
async function placeUnanswered(): Promise<Placed> {
  setPatience(LONG_PATIENCE_MS);
  const placed = await place({ outcome: 'hang' });
  await calling.until(placed.caller, placed.id, 'dialing');
  return placed;
}

interface Placed {
  caller: Caller;
  phoneNumber: string;
  id: string;
}

/** A call to a number that the carrier treats by this rule, of a team that may place one a month. */
async function place(rule: Omit<SimulatorRule, 'match'>): Promise<Placed> {
  const caller = await buildCaller(calling.db, { monthly_call_limit: 1, number_daily_limit: 1 });
  const phoneNumber = nextNumber();
  calling.setRules({ match: phoneNumber, ...rule });
  return { caller, phoneNumber, id: await calling.accepted(caller, { phoneNumber }) };
}

async function transitions(id: string): Promise<string[]> {
  return (await calling.row(id)).history.map(({ to, cause }) => `${to} (${cause})`);
}

const used = async ({ caller }: Placed) => Object.values(await calling.usage(caller.teamId));
const CLAIMED = ['queued (triggered)', 'dialing (claimed)'];

describe('a call that the carrier accepts', () => {
  test.each(['completed', 'busy', 'no_answer', 'voicemail', 'failed'] as const)(
    'ends %s',
    async (outcome) => {
      const placed = await place({ outcome });
      const call = await calling.until(placed.caller, placed.id, outcome);
      expect(call.reason).toBe(outcome === 'failed' ? 'simulated_failure' : null);
      expect((await transitions(placed.id)).at(-1)).toBe(`${outcome} (carrier_report)`);
      const row = await calling.row(placed.id);
      expect(row.ended_at).not.toBeNull();
      expect(row.processed_at).toEqual(row.claimed_at);
      expect(row.carrier_call_id).toBe(calling.dials(placed.phoneNumber)[0]?.carrierCallId);
      expect(await used(placed)).toEqual([1]);
      const again = await calling.trigger(placed.caller, { phoneNumber: placed.phoneNumber });
      expect(reasonOf(again)).toBe('PLAN_LIMIT');
    },
  );

  test('does not change with a repeated report', async () => {
    const placed = await place({ outcome: 'duplicate' });
    await calling.until(placed.caller, placed.id, 'completed');
    await reportsTaken(placed);
    expect(await transitions(placed.id)).toEqual([
      ...CLAIMED,
      'in_progress (carrier_accepted)',
      'completed (carrier_report)',
    ]);
  });

  test('stays ended if the end is reported before the beginning', async () => {
    const placed = await place({ outcome: 'disorder' });
    await calling.until(placed.caller, placed.id, 'completed');
    await reportsTaken(placed);
    expect((await transitions(placed.id)).at(-1)).toBe('completed (carrier_report)');
    expect((await calling.get(placed.caller, placed.id)).body).toMatchObject({ status: 'completed' });
  });

  test('keeps an end that is reported before the acceptance is stored', async () => {
    const placed = await placeUnanswered();
    const event = { callRequestId: placed.id, carrierCallId: 'c-1', at: new Date() };
    const outcomes = worker.get(OutcomeService);
    expect(await outcomes.recordEvent('simulator', { ...event, status: 'completed' })).toBe(true);
    expect(await outcomes.recordEvent('simulator', { ...event, status: 'in_progress' })).toBe(false);
    expect(await outcomes.recordEvent('simulator', { ...event, status: 'failed' })).toBe(false);
    await dialEnded(placed);
    expect(await transitions(placed.id)).toEqual([...CLAIMED, 'completed (carrier_report)']);
    expect(await calling.row(placed.id)).toMatchObject({ status: 'completed', carrier_call_id: 'c-1' });
  });

  test('stays in progress if the beginning is reported before a dial without an answer ends', async () => {
    const placed = await placeUnanswered();
    const event = { callRequestId: placed.id, carrierCallId: 'c-1', at: new Date() };
    await worker.get(OutcomeService).recordEvent('simulator', { ...event, status: 'in_progress' });
    await dialEnded(placed);
    expect(await transitions(placed.id)).toEqual([...CLAIMED, 'in_progress (carrier_report)']);
  });
});

describe('the conversation details that a carrier reports', () => {
  const talk = async () => {
    const placed = await placeUnanswered();
    // Long enough ago for a conversation to have happened since.
    const ago = `UPDATE call_requests SET claimed_at = claimed_at - interval '1 minute' WHERE id = $1`;
    await calling.db.query(ago, [placed.id]);
    const { claimed_at } = await calling.row(placed.id);
    const after = (ms: number) => new Date((claimed_at as Date).getTime() + ms);
    const event = { callRequestId: placed.id, carrierCallId: 'c-1', at: after(3) };
    return { ...placed, after, event, outcomes: worker.get(OutcomeService) };
  };
  const shown = async (placed: Placed) => (await calling.get(placed.caller, placed.id)).body as object;

  test('are stored and shown: answer, end and duration', async () => {
    const { after, event, outcomes, ...placed } = await talk();
    await outcomes.recordEvent('simulator', { ...event, status: 'in_progress', answeredAt: after(2) });
    await outcomes.recordEvent('simulator', {
      ...event,
      status: 'completed',
      at: after(20),
      durationSeconds: 17,
    });
    const told = {
      answeredAt: after(2).toISOString(),
      endedAt: after(20).toISOString(),
      durationSeconds: 17,
    };
    expect(await shown(placed)).toMatchObject(told);
    const path = `/teams/${placed.caller.teamId}/calls/${placed.id}`;
    expect((await calling.operator('get', path)).body).toMatchObject(told);
    await dialEnded(placed);
  });

  test('are stored after the end, and do not replace stored ones', async () => {
    const { after, event, outcomes, ...placed } = await talk();
    await outcomes.recordEvent('simulator', { ...event, status: 'completed', at: after(20) });
    expect(await shown(placed)).toMatchObject({ answeredAt: null, durationSeconds: null });
    const late = { ...event, status: 'in_progress' as const, durationSeconds: 5 };
    expect(await outcomes.recordEvent('simulator', { ...late, answeredAt: after(2) })).toBe(false);
    expect(
      await outcomes.recordEvent('simulator', { ...late, answeredAt: after(9), durationSeconds: 6 }),
    ).toBe(false);
    expect(await shown(placed)).toMatchObject({
      status: 'completed',
      answeredAt: after(2).toISOString(),
      durationSeconds: 5,
    });
    await dialEnded(placed);
  });

  test('lie between the claim and now, and within the range of their columns, for any clock of the carrier', async () => {
    const { event, outcomes, ...placed } = await talk();
    const { claimed_at } = await calling.row(placed.id);
    const status = 'completed' as const;
    const [at, answeredAt] = [new Date('9999-01-01'), new Date(0)];
    await outcomes.recordEvent('simulator', { ...event, status, at, answeredAt, durationSeconds: 1e12 });
    const row = await calling.row(placed.id);
    expect(row).toMatchObject({ answered_at: claimed_at, duration_seconds: 2_147_483_647 });
    expect((row.ended_at as Date).getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
    await dialEnded(placed);
  });
});

describe('a call that the carrier refuses permanently', () => {
  test('ends failed and unprocessed, its usage is released, and the number may be called again', async () => {
    const placed = await place({ outcome: 'refuse' });
    const { caller, phoneNumber, id } = placed;
    const call = await calling.until(caller, id, 'failed');
    expect(call).toMatchObject({ reason: 'simulated_refusal', callerId: caller.callerNumber });
    expect(await transitions(id)).toEqual([...CLAIMED, 'failed (carrier_refused)']);
    expect(await calling.row(id)).toMatchObject({
      processed_at: null,
      counted_month: null,
      carrier_call_id: null,
    });
    expect(await used(placed)).toEqual([0]);
    expect(calling.dials(phoneNumber)).toHaveLength(1);
    calling.setRules();
    const again = await calling.accepted(caller, { phoneNumber });
    await calling.until(caller, again, 'completed');
    expect(calling.dials(phoneNumber)).toHaveLength(2);
  });
});

describe('a call whose outcome the carrier leaves unknown', () => {
  test.each([
    ['hang', 'carrier_timeout'],
    ['error', 'carrier_http_500'],
    ['reset', 'carrier_reset'],
  ] as const)('%s: dial_unknown, never dialed again, and it keeps counting', async (outcome, reason) => {
    const placed = await place({ outcome });
    const { caller, phoneNumber, id } = placed;
    const call = await calling.until(caller, id, 'dial_unknown');
    expect(call).toMatchObject({ reason, callerId: caller.callerNumber });
    expect(await transitions(id)).toEqual([...CLAIMED, 'dial_unknown (carrier_silent)']);
    const row = await calling.row(id);
    expect(row.processed_at).toEqual(row.claimed_at);
    expect(row.ended_at).toBeNull();
    expect(await used(placed)).toEqual([1]);
    await calling.queue.add('dial', { callRequestId: id, generation: 0 }, { jobId: `call-${id}-again` });
    await eventually(
      () => calling.queue.getJob(`call-${id}-again`),
      (job) => typeof job?.returnvalue === 'string',
    );
    expect(calling.dials(phoneNumber)).toHaveLength(1);
    await calling.db.query(
      'UPDATE teams SET monthly_call_limit = NULL, number_daily_limit = NULL WHERE id = $1',
      [caller.teamId],
    );
    expect(reasonOf(await calling.trigger(caller, { phoneNumber }))).toBe('RECENTLY_CALLED');
    expect((await calling.cancel(caller, id)).status).toBe(409);
  });

  test('late: a report resolves it', async () => {
    const placed = await place({ outcome: 'late', acceptMs: 2 * PATIENCE_MS, ringMs: 1, talkMs: 1 });
    await calling.until(placed.caller, placed.id, 'completed');
    const [, , silent, ...rest] = await transitions(placed.id);
    expect(silent).toBe('dial_unknown (carrier_silent)');
    expect(rest.at(-1)).toBe('completed (carrier_report)');
    expect(await calling.row(placed.id)).toMatchObject({ reason: null });
    expect(calling.dials(placed.phoneNumber)).toHaveLength(1);
    expect(await used(placed)).toEqual([1]);
  });
});

/** The dial's job has ended: its answer, or that there was none, is written down. */
async function dialEnded({ id }: Placed): Promise<void> {
  const job = await eventually(
    () => calling.queue.getJob(`call-${id}-0`),
    (found) => typeof found?.returnvalue === 'string',
  );
  expect(job?.returnvalue).toBe('claimed');
}

/** All reports of a call have been taken: a later call's have, and the carrier sends them in turn. */
async function reportsTaken(placed: Placed): Promise<void> {
  await dialEnded(placed);
  const later = await place({ outcome: 'completed' });
  await calling.until(later.caller, later.id, 'completed');
}
