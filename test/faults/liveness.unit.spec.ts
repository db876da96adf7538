import { Beats, BOUNDS, type Owed } from '../../tools/faults/liveness.js';

const result = (key: string): Owed => ({ kind: 'result', key, id: key });
const wakeUp = (key: string): Owed => ({ kind: 'wake-up', key, id: key });

/** In how many beats something is owed without a pause until it is told of; null: it never is. */
function toldAfter(one: Owed, beats = new Beats()): number | null {
  for (let count = 0; count < 1_000; count += 1) if (beats.beat([one]).length > 0) return count;
  return null;
}

test('what does not move within its bound is told once', () => {
  const beats = new Beats();
  expect(toldAfter(result('one'), beats)).toBe(BOUNDS.result);
  expect(toldAfter(result('one'), beats)).toBeNull();
  expect(toldAfter(wakeUp('two'))).toBe(BOUNDS['wake-up']);
});

test('what moves in time is not late, and is counted from the start when it is owed again', () => {
  const beats = new Beats();
  for (let round = 0; round < 3; round += 1) {
    for (let count = 0; count < BOUNDS.result; count += 1) expect(beats.beat([result('one')])).toEqual([]);
    expect(beats.isWaiting).toBe(true);
    expect(beats.beat([])).toEqual([]);
    expect(beats.isWaiting).toBe(false);
  }
});

test('only what is watched is told of and waited for', () => {
  const beats = new Beats(new Set(['one']));
  expect(toldAfter(result('another'), beats)).toBeNull();
  expect(beats.isWaiting).toBe(false);
  expect(toldAfter(result('one'), beats)).toBe(BOUNDS.result);
  expect(beats.isWaiting).toBe(false);
});
