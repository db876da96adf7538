import { approachWithin } from '../../src/campaigns/engine/approach.js';
import { PacedCarrier } from '../../src/pacing/paced-carrier.js';
import { type PacingSlot, PacingStoppedError } from '../../src/pacing/pacer.js';

const SLOT: PacingSlot = { number: 7, earliest: 0, latest: Infinity };

/** A pacer whose slot comes when the test says so. */
class LatePacer {
  readonly released: PacingSlot[] = [];
  give: (slot: PacingSlot) => void = () => undefined;
  fail: (error: Error) => void = () => undefined;

  approach(): Promise<PacingSlot> {
    return new Promise((resolve, reject) => {
      this.give = resolve;
      this.fail = reject;
    });
  }

  release(_: string, slot: PacingSlot): void {
    this.released.push(slot);
  }
}

let pacer: LatePacer;
let stop: AbortController;
beforeEach(() => {
  pacer = new LatePacer();
  stop = new AbortController();
});

test('a slot that comes in time is taken', async () => {
  const approaching = approachWithin(pacer, 'simulator', stop.signal);
  pacer.give(SLOT);
  expect(await approaching).toBe(SLOT);
  expect(pacer.released).toEqual([]);
});

test('without an answer of Redis there is no slot, and a later one is released', async () => {
  expect(await approachWithin(pacer, 'simulator', stop.signal, 1)).toBeNull();
  pacer.give(SLOT);
  await new Promise(setImmediate);
  expect(pacer.released).toEqual([SLOT]);
});

test('a stop ends the wait', async () => {
  const approaching = approachWithin(pacer, 'simulator', stop.signal, 2 ** 30);
  stop.abort();
  expect(await approaching).toBeNull();
  expect(await approachWithin(pacer, 'simulator', stop.signal)).toBeNull();
});

test('a stop of the pacer is no error, any other error is thrown', async () => {
  const stopped = approachWithin(pacer, 'simulator', stop.signal);
  pacer.fail(new PacingStoppedError());
  expect(await stopped).toBeNull();
  const failed = approachWithin(pacer, 'simulator', stop.signal);
  pacer.fail(new Error('no slot'));
  await expect(failed).rejects.toThrow('no slot');
});

test('a carrier whose source of slots does not answer keeps no caller waiting', async () => {
  const silent = new PacedCarrier(10, {
    take: () => new Promise(() => undefined),
    dialLate: () => Promise.resolve(false),
  });
  const carrier = {
    approach: () => silent.take(),
    release: (_: string, slot: PacingSlot) => silent.release(slot),
  };
  expect(await approachWithin(carrier, 'simulator', stop.signal, 1)).toBeNull();
});
