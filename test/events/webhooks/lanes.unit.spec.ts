import { LANE_WIDTH, Lanes, type Wanted } from '../../../src/events/webhooks/delivery/lanes.js';

const CAPACITY = 100;

let lanes: Lanes;
beforeEach(() => {
  lanes = new Lanes(CAPACITY);
});

/** Claims what is wanted; each endpoint has as many deliveries as it is asked for. */
function claimAll(): Wanted[] {
  const wanted = lanes.wanted();
  for (const one of wanted) lanes.claimed(one, one.count);
  return wanted;
}

const total = (wanted: Wanted[]) => wanted.reduce((sum, { count }) => sum + count, 0);

/** Requests of an endpoint that all end at once, until its lane has its full width. */
function widen(endpointId: string): void {
  for (let n = 0; n < LANE_WIDTH; n += 1) {
    const count = total(claimAll().filter((one) => one.endpointId === endpointId));
    for (let m = 0; m < count; m += 1) lanes.ended(endpointId, true);
  }
}

test('a lane begins with one request, and each success adds one, up to ten', () => {
  lanes.wake('a', 'team');
  const widths: number[] = [];
  for (let n = 0; n < 6; n += 1) {
    const count = total(claimAll());
    widths.push(count);
    for (let m = 0; m < count; m += 1) lanes.ended('a', true);
  }
  expect(widths).toEqual([1, 2, 4, 8, 10, 10]);
});

test('a failure halves the width', () => {
  lanes.wake('a', 'team');
  widen('a');
  expect(total(claimAll())).toBe(10);
  for (let n = 0; n < 10; n += 1) lanes.ended('a', false);
  expect(total(claimAll())).toBe(1);
});

test('an endpoint without further deliveries is not claimed again until it is woken', () => {
  lanes.wake('a', 'team');
  const [wanted] = lanes.wanted();
  lanes.claimed(wanted!, 0);
  expect(lanes.inFlight).toBe(0);
  expect(lanes.wanted()).toEqual([]);
  lanes.wake('a', 'team');
  expect(lanes.wanted()).toEqual([{ endpointId: 'a', count: 1 }]);
});

test('a wake-up during the claim is not lost, and neither is a claim that failed', () => {
  lanes.wake('a', 'team');
  const [first] = lanes.wanted();
  lanes.wake('a', 'team');
  lanes.claimed(first!, 0);
  const [second] = lanes.wanted();
  expect(second).toEqual({ endpointId: 'a', count: 1 });
  lanes.claimed(second!, null);
  expect(lanes.wanted()).toEqual([{ endpointId: 'a', count: 1 }]);
});

test('endpoints that hang leave room for others: of their own team, and of every other team', () => {
  for (let n = 0; n < 20; n += 1) {
    lanes.wake(`a${n}`, 'a');
    widen(`a${n}`);
  }
  while (total(claimAll()) > 0);
  expect(lanes.inFlight).toBe(CAPACITY / 2);
  lanes.wake('b', 'b');
  expect(claimAll()).toEqual([{ endpointId: 'b', count: 1 }]);
});

test('endpoints whose last request failed have half of the capacity, however many teams they are of', () => {
  const hang = () => {
    for (let team = 0; team < 30; team += 1) {
      for (let n = 0; n < 20; n += 1) lanes.wake(`${team}-${n}`, `team ${team}`);
    }
    const hanging: Wanted[] = [];
    for (let wanted = claimAll(); wanted.length > 0; wanted = claimAll()) hanging.push(...wanted);
    return hanging;
  };
  // The next free permit is for a team that has none.
  const [first, ...others] = hang();
  expect(lanes.inFlight).toBe(CAPACITY);
  lanes.wake('late', 'late');
  lanes.ended(first!.endpointId, false);
  expect(claimAll().map(({ endpointId }) => endpointId)).not.toContain(first!.endpointId);
  for (const { endpointId } of others) lanes.ended(endpointId, false);
  for (let round = 0; round < 20; round += 1) {
    for (const { endpointId } of hang()) lanes.ended(endpointId, false);
  }
  hang();
  expect(lanes.inFlight).toBeLessThanOrEqual(CAPACITY / 2 + 1);
  lanes.wake('healthy', 'healthy');
  expect(claimAll()).toContainEqual({ endpointId: 'healthy', count: 1 });
});

test('few free permits are shared among endpoints', () => {
  for (const id of ['a', 'b', 'c']) {
    lanes.wake(id, id);
    widen(id);
  }
  const small = new Lanes(4);
  for (const id of ['a', 'b', 'c']) small.wake(id, id);
  expect(small.wanted().map(({ count }) => count)).toEqual([1, 1, 1]);
});

test('nothing of an endpoint is kept once its requests have ended', () => {
  lanes.wake('a', 'team');
  const [wanted] = lanes.wanted();
  lanes.claimed(wanted!, 0);
  lanes.ended('a', true);
  lanes.wake('a', 'team');
  widen('a');
  const [again] = lanes.wanted();
  lanes.claimed(again!, 0);
  expect(lanes.inFlight).toBe(0);
  lanes.wake('a', 'team');
  expect(lanes.wanted()).toEqual([{ endpointId: 'a', count: 1 }]);
});
