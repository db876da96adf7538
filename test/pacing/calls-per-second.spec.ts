import { Calling } from '../support/calling.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller } from '../support/call-builders.js';
import { expectEachDialedOnce } from '../support/ended-calls.js';
import { eventually } from '../support/eventually.js';
import { PacedCarrier } from '../../src/pacing/paced-carrier.js';
import { type DialRecord } from '../../src/carriers/simulator/dial-log.js';

const LIMIT = 20;

let calling: Calling;

/**
 * The machine may hold a process up between its look at the clock and the dial, and nothing can make up for
 * it then.
 */
const dialed = jest.spyOn(PacedCarrier.prototype, 'dialed');
const heldUp = async () => {
  const made = await Promise.all(dialed.mock.results.map(({ value }) => value as Promise<boolean>));
  return made.filter((upToNow) => !upToNow).length;
};

beforeEach(async () => {
  dialed.mockClear();
  calling = await Calling.start({ simulatorCallsPerSecond: LIMIT, sweeperGraceMs: 10_000 });
});
afterEach(() => calling.close());

const times = <T>(count: number, run: () => Promise<T>) => Promise.all(Array.from({ length: count }, run));

const dialsOf = (count: number): Promise<DialRecord[]> =>
  eventually(
    () => Promise.resolve(calling.dials()),
    (dials) => dials.length >= count,
    60_000,
  );

/** By the carrier's own log. */
function mostInOneSecond(dials: DialRecord[]): number {
  const instants = dials.map(({ at }) => Date.parse(at));
  return Math.max(
    ...instants.map((start) => instants.filter((at) => at >= start && at < start + 1_000).length),
  );
}

test('two workers keep the carrier’s limit, and dial every call once', async () => {
  const caller = await buildCaller(calling.db);
  await times(100, () => calling.accepted(caller, { phoneNumber: nextNumber() }));
  await calling.startWorker();
  await calling.startWorker();
  await expectEachDialedOnce(calling, caller.teamId);
  expect(mostInOneSecond(calling.dials())).toBeLessThanOrEqual(LIMIT + (await heldUp()));
}, 120_000);

test('a call waits in its carrier’s queue, and its first job returns so', async () => {
  const caller = await buildCaller(calling.db);
  const worker = await calling.startWorker();
  const ids = await times(LIMIT * 2, () => calling.accepted(caller, { phoneNumber: nextNumber() }));
  const firstJob = await calling.queue.getJob(`call-${ids.at(-1)}-0`);
  await eventually(
    async () => (await calling.queue.getJob(firstJob?.id ?? ''))?.returnvalue as unknown,
    (value) => value === 'waits for simulator',
  );
  await dialsOf(ids.length);
  expect(worker).toBeDefined();
});

test('a firing without a pacing slot does not dial, and names its carrier', async () => {
  const caller = await buildCaller(calling.db);
  const worker = await calling.startIdleWorker();
  const id = await calling.accepted(caller, { phoneNumber: nextNumber() });
  expect(await worker.fire(id)).toEqual({ kind: 'other_carrier', carrier: 'simulator' });
  expect(await calling.row(id)).toMatchObject({ status: 'queued', claimed_at: null, generation: 0 });
  expect(calling.dials()).toEqual([]);
});

test('calls that wait in a stopped worker are dialed once by another', async () => {
  const caller = await buildCaller(calling.db);
  await times(60, () => calling.accepted(caller, { phoneNumber: nextNumber() }));
  const first = await calling.startWorker();
  await dialsOf(10);
  await first.close();
  const after = calling.dials().length;
  expect(after).toBeLessThan(60);
  await calling.startWorker();
  await expectEachDialedOnce(calling, caller.teamId);
  expect(mostInOneSecond(calling.dials())).toBeLessThanOrEqual(LIMIT + (await heldUp()));
}, 120_000);
