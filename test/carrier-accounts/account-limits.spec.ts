import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling, NEVER_MS } from '../support/calling.js';
import { expectEachDialedOnce } from '../support/ended-calls.js';
import { eventually } from '../support/eventually.js';
import { useCampaigns } from '../campaigns/support/campaign-tests.js';
import { PlayedCampaign, runDue } from '../campaigns/support/played-campaign.js';
import { readWhyNot } from '../campaigns/support/why-not-tests.js';

/* How many calls a limited carrier account has at a time and a second, for all of its agents and workers. */

const configuration = { secretsKey: 'secrets-key-of-the-tests' };
const { calling, worker } = useCampaigns({ configuration });
const other = calling.idleWorkerOfFile();

const ENDLESS = { match: '*', outcome: 'completed', talkMs: NEVER_MS } as const;
const times = <T>(count: number, run: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));

/** Gives the caller's agent an account with limits. The simulator needs no credentials. */
async function limited(limits: object, of = calling): Promise<Caller & { accountId: string }> {
  const caller = await buildCaller(of.db, { max_concurrent_calls: null });
  const credentials = { apiKey: 'key_of_the_account' };
  const answer = await of
    .http()
    .post('/api/carrier-accounts')
    .set(bearer(caller.apiKey))
    .send({ name: 'Main', carrier: 'retell', credentials, ...limits });
  expect(answer.body).toMatchObject(limits);
  const accountId = (answer.body as { id: string }).id;
  await of.db.query(`UPDATE carrier_accounts SET carrier = 'simulator' WHERE id = $1`, [accountId]);
  await of.db.query('UPDATE voice_agents SET carrier_account_id = $1 WHERE id = $2', [
    accountId,
    caller.agentId,
  ]);
  return { ...caller, accountId };
}

const calls = (caller: Caller, count: number, of = calling) =>
  times(count, () => of.accepted(caller, { phoneNumber: nextNumber() }));
const statuses = async (caller: Caller) => (await calling.rows(caller.teamId)).map(({ status }) => status);
const counted = (all: string[], one: string) => all.filter((each) => each === one).length;
const fireAll = (ids: string[]) =>
  times(ids.length, async (n) => (await (n % 2 === 0 ? worker : other).fire(ids[n] ?? '')).kind);
/** The calls of the carrier end without a report. */
const end = (caller: Caller) =>
  calling.db.query(
    `UPDATE call_requests SET status = 'completed', ended_at = now() WHERE team_id = $1 AND status = 'in_progress'`,
    [caller.teamId],
  );

beforeEach(() => calling.setRules(ENDLESS));

describe('maxConcurrent', () => {
  test('parallel firings of two workers claim as many calls as it allows, and put the others off', async () => {
    const caller = await limited({ maxConcurrent: 3 });
    const ids = await calls(caller, 30);
    const kinds = await fireAll(ids);
    expect([counted(kinds, 'claimed'), counted(kinds, 'put_off')]).toEqual([3, 27]);
    const waiting = (await calling.rows(caller.teamId)).filter(({ status }) => status === 'queued');
    expect(waiting).toHaveLength(27);
    for (const row of waiting) expect(row).toMatchObject({ generation: 0, reason: null, claimed_at: null });
    // Each has a turn of its own.
    expect(new Set(waiting.map(({ woken_at: at }) => Number(at))).size).toBe(27);
    await end(caller);
    const again = await fireAll(waiting.map(({ id }) => id));
    expect(counted(again, 'claimed')).toBe(3);
  });

  test('other accounts of the team and other teams do not wait for it', async () => {
    const [full, free] = [await limited({ maxConcurrent: 1 }), await buildCaller(calling.db)];
    const ids = await calls(full, 10);
    const others = await calls(free, 10);
    const [kinds, unlimited] = await Promise.all([fireAll(ids), fireAll(others)]);
    expect(counted(kinds, 'claimed')).toBe(1);
    expect(counted(unlimited, 'claimed')).toBe(10);
    await calling.db.query('UPDATE voice_agents SET carrier_account_id = NULL WHERE id = $1', [full.agentId]);
    const [fresh = ''] = await calls(full, 1);
    expect((await worker.fire(fresh)).kind).toBe('claimed');
  });

  test('enrollments wait for concurrency, with the account as evidence, and behind triggered calls', async () => {
    const caller = await limited({ maxConcurrent: 2 });
    const campaign = await PlayedCampaign.build(calling, caller, {
      steps: [{ key: 'first', after: 'PT0S' }],
    });
    const all = await campaign.enrollMany(8);
    for (let time = 0; time < 3; time += 1) await Promise.all([runDue(worker.app), runDue(other.app)]);
    expect(await statuses(caller)).toEqual(['in_progress', 'in_progress']);
    const waiting = (await Promise.all(all.map(({ id }) => campaign.row(id)))).filter(
      ({ waiting_for: why }) => why === 'concurrency',
    );
    expect(waiting).toHaveLength(6);
    const id = String(waiting[0]?.id);
    expect(await readWhyNot(calling, { caller, campaign, id })).toMatchObject({
      rule: 'concurrency',
      evidence: { accountLimit: 2, activeOfAccount: 2, carrierAccountId: caller.accountId },
    });
    const [triggered = ''] = await calls(caller, 1);
    expect((await worker.fire(triggered)).kind).toBe('put_off');
    await calling.db.query(
      `UPDATE carrier_account_turns SET calls_wait_until = now() + interval '1 hour' WHERE account_id = $1`,
      [caller.accountId],
    );
    await end(caller);
    await runDue(worker.app);
    expect(counted(await statuses(caller), 'in_progress')).toBe(0);
    expect((await worker.fire(triggered)).kind).toBe('claimed');
  });
});

describe('callsPerSecond', () => {
  test('gives parallel firings turns of their own, and claims at most a quarter of a second ahead', async () => {
    const caller = await limited({ callsPerSecond: 0.5 });
    const results = await times(4, async (n) => {
      const [id = ''] = await calls(caller, 1);
      return (n % 2 === 0 ? worker : other).fire(id);
    });
    const delays = results.flatMap((result) => (result.kind === 'put_off' ? [result.delayMs] : []));
    expect(
      counted(
        results.map(({ kind }) => kind),
        'claimed',
      ),
    ).toBe(1);
    const [first = 0, second = 0, third = 0] = delays.sort((a, b) => a - b);
    expect(first).toBeGreaterThan(1_000);
    expect(second - first).toBeGreaterThan(1_000);
    expect(third - second).toBeGreaterThan(1_000);
  });
});

describe('with two workers', () => {
  let running: Calling;
  beforeEach(async () => {
    running = await Calling.start(configuration);
  });
  afterEach(() => running.close());

  test('every call is dialed once, no sooner than the limits allow', async () => {
    const [most, perSecond, count] = [2, 8, 14];
    const caller = await limited({ maxConcurrent: most, callsPerSecond: perSecond }, running);
    const free = await buildCaller(running.db);
    await Promise.all([calls(caller, count, running), calls(free, 4, running)]);
    await Promise.all([running.startWorker(), running.startWorker()]);
    running.setRules({ match: '*', outcome: 'completed' });
    await expectEachDialedOnce(running, free.teamId);
    await expectEachDialedOnce(running, caller.teamId);
    const rows = await running.rows(caller.teamId);
    const ends = new Map(rows.map((row) => [row.id, Number(row.ended_at)]));
    const dials = running
      .dials()
      .filter(({ callRequestId }) => ends.has(callRequestId))
      .map(({ callRequestId, at }) => ({ at: Date.parse(at), endedAt: ends.get(callRequestId) ?? Infinity }))
      .sort((a, b) => a.at - b.at);
    // A dial may be late on a busy machine, and never early.
    const firstClaim = Math.min(...rows.map(({ claimed_at: at }) => Number(at)));
    for (const [n, { at }] of dials.entries()) {
      expect(at - firstClaim).toBeGreaterThanOrEqual((n * 1_000) / perSecond - 5);
      const active = dials.filter((one) => one.at <= at && one.endedAt > at);
      expect(active.length).toBeLessThanOrEqual(most);
    }
  }, 120_000);

  test('a campaign is dialed to its end', async () => {
    const caller = await limited({ maxConcurrent: 2, callsPerSecond: 20 }, running);
    const definition = { steps: [{ key: 'first', after: 'PT0S' }] };
    const campaign = await PlayedCampaign.build(running, caller, definition);
    await campaign.enrollMany(12);
    await Promise.all([running.startWorker(), running.startWorker()]);
    running.setRules({ match: '*', outcome: 'completed' });
    await eventually(
      () => running.rows(caller.teamId),
      (rows) => rows.length === 12,
      100_000,
    );
    await expectEachDialedOnce(running, caller.teamId);
  }, 120_000);
});
