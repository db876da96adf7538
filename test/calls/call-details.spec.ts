import { RetentionService } from '../../src/calls/recovery/retention.service.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { type IdleWorker } from '../support/idle-worker.js';
import { moveClock } from '../support/clock.js';
import { buildStoredCall } from '../support/number-history.js';

let calling: Calling;
let worker: IdleWorker;
let caller: Caller;

beforeEach(async () => {
  calling = await Calling.start();
  worker = await calling.startIdleWorker();
  caller = await buildCaller(
    calling.db,
    {},
    { prompt_template: 'Sell {{offer}}', first_message_template: 'Hi' },
  );
});
afterEach(() => calling.close());

interface Stored {
  variables: object;
  prompt: string | null;
  decisions: unknown[];
}

/** What a call's own row has. */
async function ownRow(id: string): Promise<Stored> {
  const [row] = await calling.db.query<Stored[]>(
    'SELECT variables, prompt, decisions FROM call_requests WHERE id = $1',
    [id],
  );
  return row as Stored;
}

const detailsOf = (id: string) =>
  calling.db.query<{ generation: number; prompt: string | null; variables: object | null }[]>(
    'SELECT generation, prompt, variables FROM call_details WHERE id = $1 ORDER BY generation',
    [id],
  );

const accepted = (phoneNumber = nextNumber()) => calling.accepted(caller, { phoneNumber, offer: 'spring' });

const asOperator = async (id: string) =>
  (await calling.operator('get', `/teams/${caller.teamId}/calls/${id}`).expect(200)).body as Record<
    string,
    unknown
  >;

test('decisions, prompts and variables are stored apart from the call’s row, and readers see one call', async () => {
  const id = await accepted();
  expect(await ownRow(id)).toEqual({ variables: { offer: 'spring' }, prompt: null, decisions: [] });
  expect(await worker.fire(id)).toEqual({ kind: 'claimed' });
  expect(await ownRow(id)).toEqual({ variables: {}, prompt: null, decisions: [] });
  expect(await detailsOf(id)).toEqual([
    { generation: -1, prompt: null, variables: null },
    { generation: 0, prompt: 'Sell spring', variables: { offer: 'spring' } },
  ]);
  expect(await asOperator(id)).toMatchObject({
    variables: { offer: 'spring' },
    prompt: 'Sell spring',
    firstMessage: 'Hi',
    decisions: [expect.objectContaining({ allow: true }), expect.objectContaining({ allow: true })],
  });
  expect((await calling.get(caller, id).expect(200)).body).toMatchObject({
    prompt: 'Sell spring',
    firstMessage: 'Hi',
  });
});

test('a call that its carrier throttled gets its variables back, and the next dial stores its own', async () => {
  calling.setRules({ match: '*', outcome: 'throttled', retryAfterMs: 1_000 });
  const id = await accepted();
  await worker.fire(id);
  expect(await ownRow(id)).toMatchObject({ variables: { offer: 'spring' }, prompt: null });
  expect(await asOperator(id)).toMatchObject({
    prompt: null,
    firstMessage: null,
    variables: { offer: 'spring' },
  });
  calling.setRules();
  await calling.db.query(`UPDATE voice_agents SET prompt_template = 'Now {{offer}}'`);
  expect(await worker.fire(id, 1)).toEqual({ kind: 'claimed' });
  const call = await asOperator(id);
  expect(call).toMatchObject({ prompt: 'Now spring', variables: { offer: 'spring' } });
  expect(call.decisions).toHaveLength(3);
});

test('a call stored before the table of details existed keeps its details on its row', async () => {
  const { id } = await buildStoredCall(calling.db, caller, nextNumber(), { variables: { offer: 'winter' } });
  expect(await worker.fire(id)).toEqual({ kind: 'claimed' });
  expect(await ownRow(id)).toMatchObject({ variables: { offer: 'winter' }, prompt: 'Sell winter' });
  expect(await detailsOf(id)).toEqual([]);
  expect(await asOperator(id)).toMatchObject({ prompt: 'Sell winter', decisions: [{ allow: true }] });
});

describe('the partitions of months', () => {
  const months = async () =>
    (
      await calling.db.query<{ name: string }[]>(
        `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'call_details'::regclass ORDER BY 1`,
      )
    ).map(({ name }) => name);
  const nameOf = (at: Date) => `call_details_${at.toISOString().slice(0, 7).replace('-', '_')}`;
  const removeCalls = () => worker.app.get(RetentionService).removeCalls(new AbortController().signal);

  test('twelve are created ahead; if the clock was moved further, one of several first calls creates its own', async () => {
    expect(await months()).toHaveLength(13);
    for (const offset of ['70 months', '-30 months']) {
      await moveClock(calling.db, offset);
      const ids = await Promise.all(Array.from({ length: 5 }, () => accepted()));
      for (const id of ids) expect(await worker.fire(id)).toEqual({ kind: 'claimed' });
      const [clock] = await calling.db.query<{ now: Date }[]>('SELECT outdial_now() AS now');
      expect(await months()).toContain(nameOf((clock as { now: Date }).now));
    }
    expect(await months()).toHaveLength(15);
    await removeCalls();
    expect((await months()).length).toBeGreaterThan(15);
  });

  test('details are removed with their calls, and a partition once no team keeps a call of its month', async () => {
    const old = await accepted();
    await worker.fire(old);
    await calling.until(caller, old, 'completed');
    const month = (await months())[0] ?? '';
    const patient = await buildCaller(calling.db, { call_retention_days: 0 });
    await moveClock(calling.db, '480 days');
    // A newer call from the number, so that the old one is not its last use.
    const newer = await accepted();
    await worker.fire(newer);
    await calling.until(caller, newer, 'completed');
    // While one team keeps its calls without end, the others' are removed by themselves.
    await removeCalls();
    expect(await months()).toContain(month);
    expect(await detailsOf(old)).toEqual([]);
    await calling.db.query('UPDATE teams SET call_retention_days = 400 WHERE id = $1', [patient.teamId]);
    await removeCalls();
    expect(await months()).not.toContain(month);
  });

  test('a partition with a call that has not ended stays', async () => {
    const open = await accepted();
    const month = (await months())[0] ?? '';
    await moveClock(calling.db, '480 days');
    await removeCalls();
    expect(await months()).toContain(month);
    expect((await detailsOf(open)).length).toBe(1);
  });
});
