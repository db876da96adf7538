import { NumberIds, type NumberList } from '../../src/carriers/number-ids.js';

const ONE = '+14155550101';
const TWO = '+14155550102';
const MINUTE = 60_000;

function stand() {
  const stand = {
    now: 0,
    lists: [] as string[],
    numbers: new Map([[ONE, 'number-1']]),
    answer: null as NumberList | null,
    ids: null as unknown as NumberIds,
  };
  stand.ids = new NumberIds({
    list: (credential) => {
      stand.lists.push(credential);
      return Promise.resolve(stand.answer ?? { kind: 'numbers', ids: new Map(stand.numbers) });
    },
    isRefusal: (value) => value === 'refused',
    timeoutMs: 1_000,
    now: () => stand.now,
  });
  return stand;
}

const { signal } = new AbortController();
const id = (value: string) => ({ kind: 'id', id: value });
const none = (kind: string, reason: string) => ({ kind: 'none', result: { kind, reason } });

test('numbers are listed once for many dials, for each account, and again after five minutes', async () => {
  const { ids, lists, ...rest } = stand();
  const both = await Promise.all([ids.idOf(ONE, 'key-a', signal), ids.idOf(ONE, 'key-a', signal)]);
  expect(both).toEqual([id('number-1'), id('number-1')]);
  await ids.idOf(ONE, 'key-a', signal);
  expect(lists).toEqual(['key-a']);
  await ids.idOf(ONE, 'key-b', signal);
  expect(lists).toEqual(['key-a', 'key-b']);
  expect(rest.now).toBe(0);
});

test('a list that is five minutes old is read again, and used if it cannot be', async () => {
  const world = stand();
  await world.ids.idOf(ONE, 'key', signal);
  world.now = 5 * MINUTE;
  world.numbers.set(ONE, 'number-new');
  expect(await world.ids.idOf(ONE, 'key', signal)).toEqual(id('number-new'));
  world.now = 10 * MINUTE;
  world.answer = { kind: 'failed', answer: { kind: 'broken', reason: 'carrier_timeout' } };
  expect(await world.ids.idOf(ONE, 'key', signal)).toEqual(id('number-new'));
  expect(world.lists).toHaveLength(3);
});

test('a number that the list does not have is refused, and looked for again a little later', async () => {
  const world = stand();
  expect(await world.ids.idOf(TWO, 'key', signal)).toEqual(none('refused', 'carrier_number_unknown'));
  world.numbers.set(TWO, 'number-2');
  expect(await world.ids.idOf(TWO, 'key', signal)).toEqual(none('refused', 'carrier_number_unknown'));
  world.now = 20_000;
  expect(await world.ids.idOf(TWO, 'key', signal)).toEqual(id('number-2'));
  expect(world.lists).toHaveLength(2);
});

const answered = (status: number, value: unknown = {}): NumberList => ({
  kind: 'failed',
  answer: { kind: 'answer', status, headers: {}, value },
});

test.each([
  [answered(401, 'refused'), 'refused', 'carrier_unauthorized'],
  [answered(401, 'of a proxy'), 'unreachable', 'carrier_http_401'],
  [answered(429), 'throttled', 'carrier_throttled'],
  [answered(503), 'unreachable', 'carrier_http_503'],
  [answered(200), 'unreachable', 'carrier_unreadable'],
  [
    { kind: 'failed', answer: { kind: 'unreachable', reason: 'carrier_unreachable' } },
    'unreachable',
    'carrier_unreachable',
  ],
  [
    { kind: 'failed', answer: { kind: 'broken', reason: 'carrier_timeout' } },
    'unreachable',
    'carrier_timeout',
  ],
] as [NumberList, string, string][])(
  'without a list, of which %j came, nothing is dialed',
  async (list, kind, reason) => {
    const world = stand();
    world.answer = list;
    expect(await world.ids.idOf(ONE, 'key', signal)).toMatchObject(none(kind, reason));
  },
);

test('after an abort nothing is listed', async () => {
  const { ids, lists } = stand();
  expect(await ids.idOf(ONE, 'key', AbortSignal.abort())).toEqual(none('unreachable', 'carrier_timeout'));
  expect(lists).toEqual([]);
});
