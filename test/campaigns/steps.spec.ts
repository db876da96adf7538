import { type SimulatorOutcome } from '../../src/carriers/simulator/rules.js';
import { buildCaller } from '../support/call-builders.js';
import { useCampaigns } from './support/campaign-tests.js';
import { HOUR, PlayedCampaign } from './support/played-campaign.js';

/*
 * What a definition says of steps, retries and routes, played by a worker on a moved clock. The simulator's
 * dial log is the witness.
 */

const { calling, worker } = useCampaigns();

/** More than a delay of the definitions below, so that each look is after the next attempt is due. */
const LOOK_EVERY = 14 * HOUR;

/** Plays an enrollment whose calls have these outcomes; the last one repeats. */
async function play(definition: Record<string, unknown>, outcomes: SimulatorOutcome[], looks: number) {
  const campaign = await PlayedCampaign.build(calling, await buildCaller(calling.db), definition);
  const { id, to } = await campaign.enroll();
  calling.setRules({ match: to, outcomes });
  for (let look = 0; look < looks; look += 1) await campaign.played(worker.app, look * LOOK_EVERY);
  const steps = await calling.db.query<{ step: string }[]>(
    'SELECT step FROM enrollment_dials WHERE enrollment_id = $1 ORDER BY seq',
    [id],
  );
  const dials = calling.dials(to);
  expect(dials).toHaveLength(steps.length);
  const { status, end_reason: endReason } = await campaign.row(id);
  return {
    steps: steps.map(({ step }) => step),
    outcomes: dials.map((dial) => dial.outcome),
    status,
    endReason,
  };
}

const D = 'PT13H';

describe('retry.<outcome> lists the delays of that outcome, and so its budget', () => {
  test.each<[string, object, SimulatorOutcome[], calls: number]>([
    ['each outcome has its own budget', { no_answer: [D], busy: [D] }, ['no_answer', 'busy', 'no_answer'], 3],
    ['an outcome that is not listed is not retried', { no_answer: [D] }, ['busy'], 1],
    ['voicemail and failed', { voicemail: [D], failed: [D] }, ['voicemail', 'failed', 'failed'], 3],
    ['none', {}, ['no_answer'], 1],
    ['failed and busy cover neither a decline nor a block', { failed: [D], busy: [D] }, ['declined'], 1],
    [
      'declined and network_blocked',
      { declined: [D], network_blocked: [D] },
      ['declined', 'network_blocked', 'failed'],
      3,
    ],
  ])('%s', async (_, retry, outcomes, calls) => {
    const played = await play({ steps: [{ key: 'first', retry }] }, outcomes, 5);
    expect(played.outcomes).toHaveLength(calls);
    expect(played).toMatchObject({ status: 'completed', endReason: 'no_response' });
  });

  test('maxAttempts counts the step’s first call', async () => {
    const step = { key: 'first', retry: { no_answer: [D, D, D] }, maxAttempts: 2 };
    const played = await play({ steps: [step] }, ['no_answer'], 4);
    expect(played).toMatchObject({ steps: ['first', 'first'], endReason: 'no_response' });
  });
});

describe('on: the first match wins', () => {
  const second = { key: 'second', after: D };
  const third = { key: 'third', after: D };
  test.each<[string, Record<string, unknown>, SimulatorOutcome[], steps: string[], endReason: string]>([
    [
      'no_response can end the enrollment reached, though a step follows',
      { on: [{ outcome: 'no_response', end: 'reached' }] },
      ['no_answer'],
      ['first'],
      'reached',
    ],
    [
      'no_response can skip a step; a later entry of the same condition is not used',
      {
        on: [
          { outcome: 'no_response', next: 'third' },
          { outcome: 'no_response', end: 'no_response' },
        ],
      },
      ['no_answer', 'completed'],
      ['first', 'third'],
      'reached',
    ],
    [
      'retries come before on',
      { retry: { no_answer: [D] }, on: [{ outcome: 'no_response', end: 'no_response' }] },
      ['no_answer'],
      ['first', 'first'],
      'no_response',
    ],
    [
      'completed can lead to another step',
      { on: [{ outcome: 'completed', next: 'second' }] },
      ['completed'],
      ['first', 'second'],
      'reached',
    ],
    [
      'without a match completed ends reached',
      { on: [{ outcome: 'no_response', end: 'no_response' }] },
      ['completed'],
      ['first'],
      'reached',
    ],
    [
      'without a match everything else goes to the next step, and behind the last ends no_response',
      {},
      ['busy', 'failed', 'voicemail'],
      ['first', 'second', 'third'],
      'no_response',
    ],
  ])('%s', async (_, first, outcomes, steps, endReason) => {
    const played = await play({ steps: [{ key: 'first', ...first }, second, third] }, outcomes, 4);
    expect(played).toMatchObject({ steps, status: 'completed', endReason });
  });
});
