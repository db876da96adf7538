import { Calling, reasonOf } from '../support/calling.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller } from '../support/call-builders.js';
import { eventually } from '../support/eventually.js';

interface ClaimedRow {
  id: string;
  phone_number: string;
  status: string;
  claimed_at: Date | null;
}

const calling = Calling.ofFile();

test('triggers of several teams and additions to the platform’s list: no call is claimed after the 201', async () => {
  await calling.startWorker();
  const callers = await Promise.all([1, 2, 3].map(() => buildCaller(calling.db)));
  const answeredAt = new Map<string, number>();
  const numbers = Array.from({ length: 24 }, nextNumber);
  const unexpected: string[] = [];
  await Promise.all(
    numbers.map(async (phoneNumber, index) => {
      const before = callers.map(async (caller) => calling.trigger(caller, { phoneNumber }));
      // Some are added at once, some when a trigger was answered, some when a call is under way.
      if (index % 3 > 0) await Promise.race(before);
      if (index % 3 > 1) {
        await eventually(
          () => Promise.resolve(calling.dials(phoneNumber)),
          (dials) => dials.length > 0,
        );
      }
      const added = await calling.operator('post', '/do-not-call', { phoneNumbers: [phoneNumber] });
      answeredAt.set(phoneNumber, Date.now());
      if (added.status !== 201) unexpected.push(`${added.status} ${added.text}`);
      for (const caller of callers) {
        const after = await calling.trigger(caller, { phoneNumber });
        if (reasonOf(after) !== 'DO_NOT_CALL') unexpected.push(after.text);
      }
      await Promise.all(before);
    }),
  );
  expect(unexpected).toEqual([]);
  const rowsOf = async () =>
    (await Promise.all(callers.map(({ teamId }) => calling.rows(teamId)))).flat() as unknown as ClaimedRow[];
  const rows = await eventually(rowsOf, (calls) =>
    calls.every(({ status }) => ['blocked', 'completed'].includes(status)),
  );
  const claimed = rows.filter(({ claimed_at: at }) => at !== null);
  const late = claimed.filter(
    ({ phone_number: number, claimed_at: at }) => (at?.getTime() ?? 0) > (answeredAt.get(number) ?? 0),
  );
  expect(late).toEqual([]);
  const dialed = calling.dials().map(({ callRequestId }) => callRequestId);
  expect(dialed.sort()).toEqual(claimed.map(({ id }) => id).sort());
  // Those that were added once a call was under way have been dialed: the test has seen both sides.
  expect(claimed.length).toBeGreaterThanOrEqual(8);
  expect(rows.length - claimed.length).toBeGreaterThanOrEqual(72);
  const [stats] = await calling.db.query<{ deadlocks: string }[]>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  expect(stats?.deadlocks).toBe('0');
});

test('overlapping additions to the platform’s list and to lists of teams do not deadlock, and add each number once', async () => {
  const callers = await Promise.all([1, 2].map(() => buildCaller(calling.db)));
  const numbers = Array.from({ length: 120 }, nextNumber);
  const answers = await Promise.all([
    calling.operator('post', '/do-not-call', { phoneNumbers: numbers }),
    calling.operator('post', '/do-not-call', { phoneNumbers: [...numbers].reverse() }),
    ...callers.map(({ teamId }) =>
      calling.operator('post', `/teams/${teamId}/do-not-call`, { phoneNumbers: numbers }),
    ),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  const [one, other] = answers.map(({ body }) => (body as { added: number }).added);
  expect((one ?? 0) + (other ?? 0)).toBe(numbers.length);
});
