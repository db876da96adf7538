import { type Row } from '../support/builders.js';
import { hoursOpeningIn } from '../support/call-builders.js';
import { stopClock } from '../support/clock.js';
import { useCampaigns } from './support/campaign-tests.js';
import { HOUR, insertCall, runDue } from './support/played-campaign.js';
import { ONCE, oneStep, readWhyNot, type Started, startEnrolled } from './support/why-not-tests.js';
import { WAITING_FOR } from '../../src/domain/campaigns/decide/decision.js';
import {
  BY_PACKS,
  NEVER_WAITED_FOR,
  UNTIL_AN_INSTANT,
  UNTIL_A_CHANGE,
  UNTIL_A_REPORT,
  WITHOUT_CALLS,
} from './support/waits.js';

/*
 * `test/campaigns/support/waits.ts` lists what is here and what is in `why-not-held.spec.ts`. An enrollment's
 * read names the rule that keeps it from being dialed, its evidence, and when it is dialed: for each value of
 * `waitingFor`.
 */

const { calling, worker } = useCampaigns();

const DAY = 24 * HOUR;
const start = (...given: [definition?: object, team?: Row, agent?: Row]) => startEnrolled(calling, ...given);
const whyNot = (started: Pick<Started, 'caller' | 'campaign' | 'id'>) => readWhyNot(calling, started);

/** A processed call of the team's to the number, so long ago. */
async function calledBefore({ caller, contactId, to }: Started, ms: number): Promise<Date> {
  const at = new Date(Date.now() - ms);
  await insertCall(calling, caller, contactId, to, {
    status: 'completed',
    accepted_at: at,
    runs_at: at,
    expires_at: new Date(at.getTime() + DAY),
    claimed_at: at,
    processed_at: at,
    ended_at: at,
    caller_id: caller.callerNumber,
  });
  return at;
}

type Prepare = () => Promise<Started>;

const played = async (started: Started): Promise<Started> => {
  await started.campaign.played(worker.app, 0);
  return started;
};

const byTheClock: [string, Prepare, evidence: object][] = [
  ['after', async () => played(await start(oneStep({ after: 'PT5H' }))), { step: null, lastCall: null }],
  [
    'retry',
    async () => {
      const started = await start(oneStep({ retry: { no_answer: ['PT13H'] } }));
      calling.setRules({ match: started.to, outcome: 'no_answer' });
      return played(started);
    },
    { step: 'first', lastCall: { seq: 1, outcome: 'no_answer' } },
  ],
  [
    'callback',
    async () => {
      const started = await start(oneStep({ on: [{ disposition: 'later', callback: true }] }));
      const result = { disposition: 'later', callbackAt: new Date(Date.now() + 20 * HOUR).toISOString() };
      calling.setRules({ match: started.to, outcome: 'completed', result });
      return played(started);
    },
    { lastCall: { outcome: 'completed' } },
  ],
  [
    'hours',
    async () => played(await start(ONCE, {}, hoursOpeningIn(3))),
    { timezone: 'UTC', openForAgent: false, openForCampaign: true },
  ],
  [
    'caps',
    async () => {
      const capped = { caps: { perNumber: [{ count: 1, per: 'PT24H' }] } };
      const started = await start({ ...ONCE, ...capped });
      await calledBefore(started, 13 * HOUR);
      return played(started);
    },
    { caps: { perNumber: [{ count: 1, per: 'PT24H' }] }, callsToNumber: [1] },
  ],
  ...(
    [
      ['RECENTLY_CALLED', {}, HOUR],
      ['NUMBER_LIMIT_DAILY', { number_daily_limit: 1 }, 20 * HOUR],
      ['NUMBER_LIMIT_WEEKLY', { number_weekly_limit: 1 }, 5 * DAY],
      ['NUMBER_LIMIT_MONTHLY', { number_monthly_limit: 1 }, 20 * DAY],
    ] as const
  ).map(([rule, team, ago]): [string, Prepare, object] => [
    rule,
    async () => {
      const started = await start(ONCE, team);
      await calledBefore(started, ago);
      return played(started);
    },
    {},
  ]),
  [
    'number_busy',
    async () => {
      const started = await start();
      const { caller, contactId, to } = started;
      await insertCall(calling, caller, contactId, to, { status: 'scheduled' });
      await started.campaign.at(worker.app, 0);
      return started;
    },
    {},
  ],
  [
    'carrier',
    async () => {
      const started = await start();
      calling.setRules({ match: started.to, outcomes: ['throttled', 'completed'] });
      return played(started);
    },
    {},
  ],
  [
    'pacing',
    async () => {
      const { caller, campaign } = await start();
      await campaign.patch({ pacing: { callsPerMinute: 1 } });
      await campaign.at(worker.app, 0);
      const second = await campaign.enroll();
      return played({ caller, campaign, ...second });
    },
    { callsPerMinute: 1, startedInLastMinute: 1 },
  ],
];

test('each value of `waitingFor` is here or among those that a change or a report ends', () => {
  expect(new Set(byTheClock.map(([rule]) => rule))).toEqual(new Set(UNTIL_AN_INSTANT));
  const all = [
    ...UNTIL_AN_INSTANT,
    ...UNTIL_A_CHANGE,
    ...UNTIL_A_REPORT,
    ...NEVER_WAITED_FOR,
    ...WITHOUT_CALLS,
    ...BY_PACKS,
  ];
  expect(all.toSorted()).toEqual([...WAITING_FOR].sort());
});

test.each(byTheClock)('%s: retryAt is when the engine dials', async (rule, prepare, evidence) => {
  const started = await prepare();
  const why = await whyNot(started);
  expect(why).toMatchObject({ rule, evidence });
  const { campaign, to, id } = started;
  expect((await campaign.row(id)).waiting_for).toBe(rule);
  const before = calling.dials(to).length;
  const retryAt = Date.parse(why?.retryAt ?? '');
  await stopClock(calling.db, new Date(retryAt - 1).toISOString());
  await runDue(worker.app);
  expect(calling.dials(to)).toHaveLength(before);
  await stopClock(calling.db, new Date(retryAt).toISOString());
  await runDue(worker.app);
  expect(calling.dials(to)).toHaveLength(before + 1);
});

test('the evidence of the re-dial window leaves out the attempts that the team exempts', async () => {
  const started = await start(oneStep({ retry: { busy: ['PT1M'] } }), { retry_within_redial_window: true });
  calling.setRules({ match: started.to, outcomes: ['busy', 'completed'] });
  await played(started);
  const last = await calledBefore(started, HOUR);
  await stopClock(calling.db, new Date(Date.now() + 120_000).toISOString());
  await runDue(worker.app);
  expect(await whyNot(started)).toMatchObject({
    rule: 'RECENTLY_CALLED',
    evidence: { lastProcessedAt: last.toISOString() },
    retryAt: new Date(last.getTime() + 12 * HOUR).toISOString(),
  });
});

test('a rule that ends outside calling hours: retryAt is the next opening, and the engine dials then', async () => {
  const started = await start(ONCE, { number_daily_limit: 1 });
  await calledBefore(started, 20 * HOUR);
  // The agent is open now, and again in six hours; the limit ends in four.
  const time = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString().slice(11, 16);
  const windows = [
    { start: time(-1), end: time(1) },
    { start: time(6), end: time(7) },
  ];
  const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  await calling.db.query(`UPDATE voice_agents SET calling_hours = $2, timezone = 'UTC' WHERE id = $1`, [
    started.caller.agentId,
    Object.fromEntries(days.map((day) => [day, windows])),
  ]);
  await played(started);
  const why = await whyNot(started);
  expect(why).toMatchObject({ rule: 'NUMBER_LIMIT_DAILY' });
  const retryAt = Date.parse(why?.retryAt ?? '');
  expect(new Date(retryAt).toISOString().slice(11, 16)).toBe(windows[1]?.start);
  await stopClock(calling.db, new Date(retryAt - 1).toISOString());
  await runDue(worker.app);
  expect(calling.dials(started.to)).toHaveLength(0);
  await stopClock(calling.db, new Date(retryAt).toISOString());
  await runDue(worker.app);
  expect(calling.dials(started.to)).toHaveLength(1);
});
