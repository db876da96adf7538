import { readTeamNumbers } from '../../src/phone-numbers/team-number.js';

test('a long list is parsed in parts, so that other requests are answered in between', async () => {
  const inputs = Array.from({ length: 1_000 }, (_, i) => `+1415555${String(i).padStart(4, '0')}`);
  let reading = true;
  let iterations = 0;
  const count = () => {
    if (!reading) return;
    iterations += 1;
    setImmediate(count);
  };
  count();
  const team = {
    id: '5d0f1c9e-3a4b-4c5d-8e6f-7a8b9c0d1e2f',
    defaultCountry: null,
    acceptUnknownRanges: false,
    hasErasedNumbers: false,
  };
  const { numbers, rejected } = await readTeamNumbers(team, [...inputs].reverse(), 'phoneNumbers');
  reading = false;
  expect(numbers).toEqual(inputs);
  expect(rejected).toEqual([]);
  expect(iterations).toBeGreaterThanOrEqual(10);
});
