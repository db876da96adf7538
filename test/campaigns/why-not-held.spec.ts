import { type WhyNot } from '../../src/campaigns/engine/why-not.js';
import { buildContact, insertRow, nextNumber, type Row } from '../support/builders.js';
import { type Caller } from '../support/call-builders.js';
import { NEVER_MS } from '../support/calling.js';
import { useCampaigns } from './support/campaign-tests.js';
import { insertCall, MINUTE } from './support/played-campaign.js';
import { reportEnd } from './support/report-end.js';
import { ONCE, oneStep, readWhyNot, type Started, startEnrolled } from './support/why-not-tests.js';
import { UNTIL_A_CHANGE } from './support/waits.js';

/*
 * An enrollment's read names the rule that keeps it from being dialed, where only a change, a call or a
 * report helps.
 */

const { calling, worker } = useCampaigns();

const start = (...given: [definition?: object, team?: Row, agent?: Row]) => startEnrolled(calling, ...given);
const whyNot = (started: Pick<Started, 'caller' | 'campaign' | 'id'>) => readWhyNot(calling, started);

/** Stores a call of the team in progress, to another number. Returns the function that ends it. */
async function otherCall(caller: Caller): Promise<() => Promise<void>> {
  const { id, phone_number: to } = await buildContact(calling.db, caller.teamId, {
    phone_number: nextNumber(),
  });
  const now = new Date();
  await insertCall(calling, caller, id, to, {
    status: 'in_progress',
    claimed_at: now,
    processed_at: now,
    caller_id: caller.callerNumber,
  });
  return async () => {
    const sql = `UPDATE call_requests SET status = 'completed', ended_at = now() WHERE contact_id = $1`;
    await calling.db.query(sql, [id]);
  };
}

type Prepare = () => Promise<Started>;

const played = async (started: Started): Promise<Started> => {
  await started.campaign.played(worker.app, 0);
  return started;
};

type ByAChange = [string, Prepare, change: (started: Started) => Promise<unknown>, evidence: object];

const byAChange: ByAChange[] = [
  [
    'draft',
    async () => {
      const started = await start();
      await started.campaign.patch({ status: 'draft' });
      return played(started);
    },
    ({ campaign }) => campaign.patch({ status: 'active' }),
    { campaign: 'draft', teamOrPlatform: false, enrollment: false },
  ],
  [
    'paused',
    async () => {
      const started = await start();
      await started.campaign.patch({ status: 'paused' });
      return played(started);
    },
    ({ campaign }) => campaign.patch({ status: 'active' }),
    { campaign: 'paused', teamOrPlatform: false, enrollment: false },
  ],
  [
    'paused',
    async () => {
      const started = await start();
      await started.campaign.move(started.id, 'pause');
      return played(started);
    },
    ({ campaign, id }) => campaign.move(id, 'resume'),
    { campaign: 'active', teamOrPlatform: false, enrollment: true },
  ],
  ...(
    [
      ['team', ({ caller }: Started) => `/teams/${caller.teamId}`],
      ['platform', () => ''],
    ] as const
  ).map(([, path]): ByAChange => [
    'paused',
    async () => {
      const started = await start();
      await calling.operated('post', `${path(started)}/pause`);
      return played(started);
    },
    (started) => calling.operated('post', `${path(started)}/resume`),
    { campaign: 'active', teamOrPlatform: true, enrollment: false },
  ]),
  [
    'COUNTRY_NOT_ALLOWED',
    async () => played(await start(ONCE, { allowed_countries: ['DE'] })),
    ({ caller }) => calling.operated('patch', `/teams/${caller.teamId}`, { allowedCountries: null }),
    {},
  ],
  [
    'NOT_WHITELISTED',
    async () => played(await start(ONCE, { whitelist_only: true })),
    ({ caller }) => calling.operated('patch', `/teams/${caller.teamId}`, { whitelistOnly: false }),
    {},
  ],
  [
    'PLAN_LIMIT',
    async () => {
      const started = await start(ONCE, { monthly_call_limit: 1 });
      const month = `${new Date().toISOString().slice(0, 7)}-01`;
      await insertRow(calling.db, 'plan_usage', { team_id: started.caller.teamId, month, used: 1 });
      return played(started);
    },
    ({ caller }) =>
      calling.db.query('UPDATE teams SET monthly_call_limit = 2 WHERE id = $1', [caller.teamId]),
    {},
  ],
  [
    'caller_id',
    async () => {
      const started = await start();
      await calling.db.query('UPDATE phone_numbers SET active = false WHERE team_id = $1', [
        started.caller.teamId,
      ]);
      return played(started);
    },
    ({ caller }) =>
      calling.db.query('UPDATE phone_numbers SET active = true WHERE team_id = $1', [caller.teamId]),
    {},
  ],
  [
    'zone',
    async () => {
      const started = await start();
      await calling.db.query(`UPDATE contacts SET timezone = 'BST' WHERE phone_number = $1`, [started.to]);
      return played(started);
    },
    ({ to }) => calling.db.query(`UPDATE contacts SET timezone = 'UTC' WHERE phone_number = $1`, [to]),
    { zone: 'BST', zoneSource: 'contact' },
  ],
];

test('each value of `waitingFor` that only a change ends is here', () => {
  expect(new Set(byAChange.map(([rule]) => rule))).toEqual(new Set(UNTIL_A_CHANGE));
});

test.each(byAChange)(
  '%s: after a change the enrollment is decided within a minute',
  async (rule, prepare, change, evidence) => {
    const started = await prepare();
    expect(await whyNot(started)).toMatchObject({ rule, evidence });
    expect((await started.campaign.read(started.id)).body).toMatchObject({ waitingFor: rule });
    await change(started);
    await started.campaign.played(worker.app, MINUTE + 5_000);
    expect(calling.dials(started.to)).toHaveLength(1);
    expect(await whyNot(started)).toBeNull();
  },
);

test('during a pause, retryAt is null, although the time of the next attempt stands', async () => {
  const started = await start(oneStep({ after: 'PT5H' }));
  for (const pause of [
    () => started.campaign.patch({ status: 'paused' }),
    () => started.campaign.move(started.id, 'pause'),
  ]) {
    await pause();
    await played(started);
    expect(await whyNot(started)).toMatchObject({ rule: 'paused', retryAt: null });
  }
  await started.campaign.patch({ status: 'draft' });
  expect(await whyNot(started)).toMatchObject({ rule: 'draft', retryAt: null });
});

test('no_steps: an enrollment on a version without steps says so from the start, and is never called', async () => {
  for (const definition of [{}, { caps: { lifetime: 'P1D' } }]) {
    const started = await start(definition);
    const { id, campaign, to } = started;
    const why = { rule: 'no_steps', evidence: { versionId: campaign.versionId, storedUnvalidated: false } };
    expect(await whyNot(started)).toEqual({ ...why, retryAt: null });
    expect((await campaign.row(id)).waiting_for).toBe('no_steps');
    await campaign.played(worker.app, MINUTE);
    expect(await whyNot(started)).toEqual({ ...why, retryAt: null });
    expect((await campaign.row(id)).waiting_for).toBe('no_steps');
    expect(calling.dials(to)).toEqual([]);
    const list = `/teams/${started.caller.teamId}/campaigns/${campaign.id}`;
    const stats = await calling.operator('get', `${list}/stats`).expect(200);
    expect(stats.body).toMatchObject({ live: 1, waitingFor: { no_steps: 1 } });
    const waiting = await calling.operator('get', `${list}/enrollments?waitingFor=no_steps`).expect(200);
    expect(waiting.body).toMatchObject({ items: [{ id }] });
  }
});

test('concurrency: a free concurrency slot of the team lets the enrollment go on', async () => {
  const started = await start(ONCE, { max_concurrent_calls: 1 });
  const end = await otherCall(started.caller);
  await started.campaign.at(worker.app, 0);
  const evidence = { teamLimit: 1, active: 1, campaignLimit: null };
  expect(await whyNot(started)).toMatchObject({ rule: 'concurrency', evidence, retryAt: null });
  await end();
  await started.campaign.played(worker.app, MINUTE);
  expect(calling.dials(started.to)).toHaveLength(1);
});

test('concurrency: a free concurrency slot of the campaign lets the enrollment go on', async () => {
  const { caller, campaign, to: talks } = await start();
  await campaign.patch({ pacing: { maxConcurrentCalls: 1 } });
  calling.setRules({ match: talks, outcome: 'completed', talkMs: NEVER_MS });
  await campaign.at(worker.app, 0);
  const waits = { caller, campaign, ...(await campaign.enroll()) };
  await campaign.at(worker.app, 0);
  const evidence = { teamLimit: null, campaignLimit: 1, activeOfCampaign: 1 };
  expect(await whyNot(waits)).toMatchObject({ rule: 'concurrency', evidence, retryAt: null });
  await reportEnd(calling, talks);
  await campaign.played(worker.app, MINUTE);
  expect(calling.dials(waits.to)).toHaveLength(1);
});

test('in_call and result: a report lets the enrollment go on', async () => {
  const talks = await start();
  calling.setRules({ match: talks.to, outcome: 'silent' });
  await talks.campaign.at(worker.app, 0);
  const call = { seq: 1, outcome: null };
  expect(await whyNot(talks)).toMatchObject({ rule: 'in_call', evidence: { lastCall: call }, retryAt: null });
  const started = await played(await start(oneStep({ on: [{ disposition: 'yes', goal: true }] })));
  const why = await whyNot(started);
  expect(why).toMatchObject({
    rule: 'result',
    evidence: { lastCall: { outcome: 'completed' } },
    retryAt: null,
  });
  expect(why?.evidence.until).toMatch(/^\d{4}-.*Z$/);
  await started.campaign.report(started.id, { disposition: 'yes' });
  expect(await whyNot(started)).toBeNull();
});

test('outcome: a resolution by the operator lets the enrollment go on', async () => {
  const started = await start(oneStep({ retry: { no_answer: ['PT13H'] } }));
  const { caller, campaign, id, to } = started;
  calling.setRules({ match: to, outcome: 'reset' });
  await campaign.at(worker.app, 0);
  expect(await whyNot(started)).toMatchObject({
    rule: 'outcome',
    evidence: { lastCall: { outcome: 'unknown' } },
    retryAt: null,
  });
  const [call = ''] = await campaign.calls(id);
  await calling.operated('post', `/teams/${caller.teamId}/calls/${call}/resolve`, { outcome: 'no_answer' });
  expect(await whyNot(started)).toMatchObject({ rule: 'retry' });
});

test('an ended enrollment has no rule, and a team’s key reads the same as the operator', async () => {
  const started = await start(oneStep({ after: 'PT5H' }));
  await played(started);
  const read = async () => {
    const answer = await calling
      .http()
      .get(`/api/campaigns/enrollments/${started.id}`)
      .set({ Authorization: `Bearer ${started.caller.apiKey}` });
    return (answer.body as { whyNot: WhyNot | null }).whyNot;
  };
  expect(await read()).toEqual(await whyNot(started));
  await started.campaign.move(started.id, 'exit');
  expect([await read(), await whyNot(started)]).toEqual([null, null]);
});
