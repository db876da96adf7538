import { Calling } from '../support/calling.js';
import { stopClock } from '../support/clock.js';
import { playExplanations, STOPPED_AT } from '../calls/support/explain-plays.js';

const seed = Number(process.env.SEED ?? 20261122);

test('what 5,000 random requests are told is what the trigger then does', async () => {
  const calling = await Calling.start();
  try {
    await stopClock(calling.db, STOPPED_AT);
    const { disagreements, outcomes } = await playExplanations(calling, { seed, teams: 250, requests: 20 });
    process.stdout.write(`explanations: seed ${seed}: ${JSON.stringify([...outcomes])}\n`);
    expect(disagreements.slice(0, 3)).toEqual([]);
  } finally {
    await calling.close();
  }
});
