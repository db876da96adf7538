import { type Response } from 'supertest';
import { Calling, reasonOf } from '../support/calling.js';
import { type IdleWorker } from '../support/idle-worker.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { eventually } from '../support/eventually.js';
import { randomFrom } from '../support/random.js';

const calling = Calling.ofFile();

const addToDoNotCall = (caller: Caller, phoneNumbers: string[]) =>
  calling.operated('post', `/teams/${caller.teamId}/do-not-call`, { phoneNumbers });

interface ClaimedRow {
  id: string;
  phone_number: string;
  status: string;
  claimed_at: Date | null;
}

describe('with a worker that dials', () => {
  test('triggers and additions to the Do Not Call list: no call is claimed after the 201', async () => {
    await calling.startWorker();
    const caller = await buildCaller(calling.db);
    const answeredAt = new Map<string, number>();
    const numbers = Array.from({ length: 24 }, nextNumber);
    const trigger = (phoneNumber: string) => calling.trigger(caller, { phoneNumber });
    await Promise.all(
      numbers.map(async (phoneNumber, index) => {
        const before = [trigger(phoneNumber), trigger(phoneNumber)];
        // Some are added at once, some when a trigger was answered, some when the call is under way.
        if (index % 3 > 0) await Promise.race(before);
        if (index % 3 > 1)
          await eventually(
            () => Promise.resolve(calling.dials(phoneNumber)),
            (dials) => dials.length > 0,
          );
        await addToDoNotCall(caller, [phoneNumber]);
        answeredAt.set(phoneNumber, Date.now());
        expect(reasonOf(await trigger(phoneNumber))).toBe('DO_NOT_CALL');
        await Promise.all(before);
      }),
    );
    const rows = await eventually(
      async () => (await calling.rows(caller.teamId)) as unknown as ClaimedRow[],
      (calls) => calls.every(({ status }) => ['blocked', 'completed'].includes(status)),
    );
    const claimed = rows.filter(({ claimed_at }) => claimed_at !== null);
    for (const { phone_number, claimed_at } of claimed) {
      expect(claimed_at?.getTime()).toBeLessThanOrEqual(answeredAt.get(phone_number) ?? 0);
    }
    expect(
      calling
        .dials()
        .map(({ callRequestId }) => callRequestId)
        .sort(),
    ).toEqual(claimed.map(({ id }) => id).sort());
    // Those that were added once their call was under way have been dialed: the test has seen both sides.
    expect(claimed.length).toBeGreaterThanOrEqual(8);
    expect(rows.length - claimed.length).toBeGreaterThanOrEqual(24);
  });

  test('parallel triggers for many numbers, each sent several times: one dial each', async () => {
    const caller = await buildCaller(calling.db);
    const numbers = Array.from({ length: 30 }, nextNumber);
    const answers = await Promise.all(
      [...numbers, ...numbers, ...numbers].map((phoneNumber) => calling.trigger(caller, { phoneNumber })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    await eventually(
      () => Promise.resolve(numbers.filter((number) => calling.dials(number).length === 0)),
      (undialed) => undialed.length === 0,
    );
    for (const number of numbers) expect(calling.dials(number)).toHaveLength(1);
  });
});

describe('a mix of requests', () => {
  const OPERATIONS = 300;
  const AT_ONCE = 16;

  test.each([1, 2])(
    'with seed %d leads to no deadlock, no unexpected answer, and correct counts',
    async (seed) => {
      const own = await Calling.start();
      try {
        const worker = await own.startIdleWorker();
        await mixedRun(own, worker, seed);
      } finally {
        await own.close();
      }
      // For machines that are busy with something else.
    },
    90_000,
  );

  async function mixedRun(own: Calling, worker: IdleWorker, seed: number): Promise<void> {
    const random = randomFrom(seed);
    const limited = await buildCaller(own.db, { monthly_call_limit: 40 });
    const free = await buildCaller(own.db);
    const numbers = Array.from({ length: 30 }, nextNumber);
    const accepted: { caller: Caller; id: string }[] = [];
    const unexpected: string[] = [];
    const check = (answer: Response, ...allowed: number[]) => {
      const reason = reasonOf(answer) ?? '';
      const broken = ['SERVICE_UNAVAILABLE', 'INTERNAL'].includes(reason) || !allowed.includes(answer.status);
      if (broken) unexpected.push(`${answer.status} ${answer.text}`);
    };
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
    const someNumbers = () => Array.from({ length: 4 }, () => pick(numbers));

    async function operation(): Promise<void> {
      const [kind, caller] = [random(), pick([limited, free])];
      const known = accepted.length === 0 ? undefined : pick(accepted);
      const list = `/teams/${caller.teamId}/do-not-call`;
      if (kind < 0.45 || known === undefined) {
        const answer = await own.trigger(caller, { phoneNumber: pick(numbers) });
        check(answer, 200, 429, 500);
        const { callRequestId } = answer.body as { callRequestId?: string };
        if (callRequestId !== undefined) accepted.push({ caller, id: callRequestId });
      } else if (kind < 0.55) check(await own.cancel(known.caller, known.id), 200, 409);
      else if (kind < 0.75) await worker.fire(known.id, (await own.row(known.id)).generation);
      else if (kind < 0.83) check(await own.operator('post', list, { phoneNumbers: someNumbers() }), 201);
      else if (kind < 0.91) {
        const path = `${list}/${encodeURIComponent(pick(numbers))}`;
        check(await own.operator('delete', path), 204, 404);
      } else if (kind < 0.95) {
        const monthlyCallLimit = caller === limited ? 40 + Math.floor(random() * 40) : pick([null, 1000]);
        check(await own.operator('patch', `/teams/${caller.teamId}`, { monthlyCallLimit }), 200);
      } else await worker.sweep();
    }

    let left = OPERATIONS;
    const lane = async () => {
      while (left > 0) {
        left -= 1;
        await operation();
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));

    expect(unexpected).toEqual([]);
    const [stats] = await own.db.query<{ deadlocks: string }[]>(
      'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(stats?.deadlocks).toBe('0');
    const dialed = own.dials().map(({ callRequestId }) => callRequestId);
    expect(new Set(dialed).size).toBe(dialed.length);
    expect(dialed.length).toBeGreaterThan(5);
    // The unlimited team's usage is not kept; a limit that is set counts it again.
    await own.operated('patch', `/teams/${free.teamId}`, { monthlyCallLimit: 1000 });
    for (const { teamId } of [limited, free]) {
      const counted = (await own.rows(teamId)).filter(({ counted_month }) => counted_month !== null);
      expect(Object.values(await own.usage(teamId))).toEqual([counted.length]);
    }
  }
});
