import { Calling } from '../support/calling.js';
import { stopClock } from '../support/clock.js';
import { playExplanations, STOPPED_AT } from './support/explain-plays.js';

const calling = Calling.ofFile();

beforeAll(async () => {
  await stopClock(calling.db, STOPPED_AT);
});

test('what 500 random requests are told is what the trigger then does', async () => {
  const seed = Number(process.env.SEED ?? 20261122);
  const { disagreements, outcomes } = await playExplanations(calling, { seed, teams: 25, requests: 20 });
  expect(disagreements.slice(0, 3)).toEqual([]);
  // Every kind of answer came.
  for (const outcome of [
    'queued',
    'scheduled',
    'refused',
    'DO_NOT_CALL',
    'RECENTLY_CALLED',
    'ALREADY_SCHEDULED',
  ])
    expect([outcome, outcomes.get(outcome) ?? 0]).not.toEqual([outcome, 0]);
  expect([...outcomes.values()].reduce((sum, count) => sum + count, 0)).toBe(500);
});
