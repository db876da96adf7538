import { readTeamNumbers } from '../../src/phone-numbers/team-number.js';
import { Team } from '../../src/teams/team.entity.js';

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
  const { numbers, rejected } = await readTeamNumbers(new Team(), [...inputs].reverse(), 'phoneNumbers');
  reading = false;
  expect(numbers).toEqual(inputs);
  expect(rejected).toEqual([]);
  expect(iterations).toBeGreaterThanOrEqual(10);
});
