import { Circuits, FIRST_PAUSE, LONGEST_PAUSE } from '../../src/carriers/circuits.service.js';

let now = 0;
let circuits: Circuits;
beforeEach(() => {
  now = 0;
  circuits = new Circuits(() => now);
});

test('requests to a reachable destination are not limited', () => {
  circuits.report('a', true);
  for (let call = 0; call < 10; call += 1) expect(circuits.putOffMs('a')).toBeNull();
});

test('an unreachable destination gets single requests, with pauses that double from 5 s to 5 min', () => {
  circuits.report('a', false);
  let pause = FIRST_PAUSE;
  for (let probe = 0; probe < 9; probe += 1) {
    expect(circuits.putOffMs('a')).toBe(pause);
    now += pause - 1;
    expect(circuits.putOffMs('a')).not.toBeNull();
    now += 1;
    expect(circuits.putOffMs('a')).toBeNull();
    // While the probe is under way no other is asked for.
    expect(circuits.putOffMs('a')).toBe(FIRST_PAUSE);
    circuits.report('a', false);
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  }
  expect(pause).toBe(LONGEST_PAUSE);
});

test('the first success closes the circuit', () => {
  circuits.report('a', false);
  now += FIRST_PAUSE;
  expect(circuits.putOffMs('a')).toBeNull();
  circuits.report('a', true);
  for (let call = 0; call < 10; call += 1) expect(circuits.putOffMs('a')).toBeNull();
  circuits.report('a', false);
  expect(circuits.putOffMs('a')).toBe(FIRST_PAUSE);
});

test('requests that were active when the circuit opened do not lengthen its pause', () => {
  for (let call = 0; call < 20; call += 1) circuits.report('a', false);
  expect(circuits.putOffMs('a')).toBe(FIRST_PAUSE);
});

test('the other calls return within one pause, at the latest after 5 minutes', () => {
  circuits.report('a', false);
  const delays = Array.from({ length: 1_000 }, () => circuits.putOffMs('a') ?? 0);
  expect(Math.min(...delays)).toBe(FIRST_PAUSE);
  expect(Math.max(...delays)).toBeLessThan(2 * FIRST_PAUSE);
  const tenths = new Map<number, number>();
  for (const delay of delays) {
    const tenth = Math.floor((10 * (delay - FIRST_PAUSE)) / FIRST_PAUSE);
    tenths.set(tenth, (tenths.get(tenth) ?? 0) + 1);
  }
  for (const calls of tenths.values()) expect(Math.abs(calls - 100)).toBeLessThan(10);
  for (let probe = 0; probe < 9; probe += 1) {
    now += LONGEST_PAUSE;
    circuits.putOffMs('a');
    circuits.report('a', false);
  }
  for (let call = 0; call < 100; call += 1) expect(circuits.putOffMs('a')).toBeLessThanOrEqual(LONGEST_PAUSE);
});

test('a probe that was not sent or was lost is replaced by the next one', () => {
  circuits.report('a', false);
  now += FIRST_PAUSE;
  expect(circuits.putOffMs('a')).toBeNull();
  circuits.forgo('a');
  expect(circuits.putOffMs('a')).toBeNull();
  expect(circuits.putOffMs('a')).not.toBeNull();
  now += 60_000;
  expect(circuits.putOffMs('a')).toBeNull();
});

test('destinations have separate circuits', () => {
  circuits.report('http a.example', false);
  expect(circuits.putOffMs('http a.example')).not.toBeNull();
  expect(circuits.putOffMs('http b.example')).toBeNull();
});

test('a call that waits for something else gets the time to wait, and does not become the probe', () => {
  expect(circuits.waitMs('a')).toBeNull();
  circuits.report('a', false);
  expect(circuits.waitMs('a')).toBe(FIRST_PAUSE);
  now += FIRST_PAUSE;
  expect(circuits.waitMs('a')).toBeNull();
  expect(circuits.waitMs('a')).toBeNull();
  expect(circuits.putOffMs('a')).toBeNull();
  expect(circuits.waitMs('a')).toBe(FIRST_PAUSE);
});

test('a call that waits for something else does not become the probe if the pause ends in that moment', () => {
  circuits = new Circuits(() => now++);
  circuits.report('a', false);
  now = FIRST_PAUSE - 1;
  circuits.waitMs('a');
  expect(circuits.putOffMs('a')).toBeNull();
});
