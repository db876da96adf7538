import { Calling } from '../support/calling.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { moveClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';

const calling = Calling.ofFile();

beforeAll(async () => {
  await calling.startWorker();
});
beforeEach(() => moveClock(calling.db, '0'));

/** Waits until a call's wake-up has come and gone. */
async function wakeUpEnded(callRequestId: string): Promise<unknown> {
  const job = await eventually(
    () => calling.queue.getJob(`call-${callRequestId}-0`),
    (found) => typeof found?.returnvalue === 'string',
  );
  return job?.returnvalue;
}

async function acceptSome(caller: Caller, count = 5): Promise<{ ids: string[]; numbers: string[] }> {
  const numbers = Array.from({ length: count }, nextNumber);
  const ids = await Promise.all(numbers.map((phoneNumber) => calling.accepted(caller, { phoneNumber })));
  return { ids, numbers };
}

describe.each(['the team', 'everything'])('a pause of %s', (whose) => {
  const path = (caller: Caller) => (whose === 'the team' ? `/teams/${caller.teamId}` : '');
  const pause = (caller: Caller) => calling.operated('post', `${path(caller)}/pause`);
  const resume = (caller: Caller) => calling.operated('post', `${path(caller)}/resume`);

  test('stops claims and loses no call; after resuming, the calls are dialed', async () => {
    const caller = await buildCaller(calling.db);
    await pause(caller);
    const { ids, numbers } = await acceptSome(caller);
    for (const id of ids) expect(await wakeUpEnded(id)).toBe('ignored: paused');
    // Long after their grace the sweeper has still not woken them.
    await moveClock(calling.db, '1 hour');
    const other = await buildCaller(calling.db);
    const [witness] = (await acceptSome(other, 1)).ids as [string];
    if (whose === 'the team') await calling.until(other, witness, 'completed');
    else expect(await wakeUpEnded(witness)).toBe('ignored: paused');
    for (const id of ids) {
      expect(await calling.row(id)).toMatchObject({ status: 'queued', generation: 0, wakes: 0 });
    }
    expect(numbers.flatMap((number) => calling.dials(number))).toEqual([]);
    await resume(caller);
    for (const id of ids) await calling.until(caller, id, 'completed');
    for (const number of numbers) expect(calling.dials(number)).toHaveLength(1);
  });

  test('does not stop cancellation', async () => {
    const caller = await buildCaller(calling.db);
    await pause(caller);
    const { ids } = await acceptSome(caller, 1);
    await calling.cancel(caller, ids[0] as string).expect(200);
    await resume(caller);
  });
});
