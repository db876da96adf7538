import { type Row } from '../support/builders.js';
import { NEVER_MS } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
import { buildProcessedCall } from '../support/number-history.js';
import { startCampaign, useCampaigns } from './support/campaign-tests.js';
import { HOUR, MINUTE, type PlayedCampaign, runDue } from './support/played-campaign.js';

/*
 * While many dials wait for a slot, everything that needs none is served: what calls and results cause, pauses,
 * ends. No test has a bound of time: the engine runs when the test calls it, and the backlog is then still there.
 */

const { calling, worker } = useCampaigns({ recounted: true });
const other = calling.idleWorkerOfFile();

const WAITING = 2_000;
const SLOTS = 5;
const once = { steps: [{ key: 'first', after: 'PT0S' }] };

const start = (definition: object = once, campaign: Row = {}, team: Row = {}) =>
  startCampaign(calling, definition, { campaign, team });

let series = 200;

/** Enrolls so many new contacts, due since some minutes. */
async function enrollBacklog(campaign: PlayedCampaign, count: number): Promise<void> {
  series += 1;
  await calling.db.query(
    `WITH contact AS (
       INSERT INTO contacts (team_id, phone_number)
       SELECT $1, '+1' || $4::integer || 2000000 + n FROM generate_series(1, $5::integer) AS n RETURNING id, team_id
     )
     INSERT INTO enrollments (team_id, campaign_id, version_id, contact_id, created_at, look_at)
     SELECT team_id, $2, $3, id, now() - interval '5 minutes', now() - interval '5 minutes' FROM contact`,
    [campaign.caller.teamId, campaign.id, campaign.versionId, series, count],
  );
}

/** Waits until no call of the team is under way; nothing is decided meanwhile. */
async function callsHaveEnded({ caller }: PlayedCampaign): Promise<void> {
  await eventually(
    () =>
      calling.db.query<object[]>(
        `SELECT FROM call_requests WHERE team_id = $1 AND status IN ('queued', 'dialing', 'in_progress')`,
        [caller.teamId],
      ),
    ({ length }) => length === 0,
  );
}

const bothRun = () => Promise.all([runDue(worker.app), runDue(other.app)]);

async function statsOf({ caller, id }: PlayedCampaign) {
  const answer = await calling.operator('get', `/teams/${caller.teamId}/campaigns/${id}/stats`);
  return answer.body as { live: number; ended: Row; waitingFor: Record<string, number>; attempts: Row };
}

describe('the results of calls are applied although dials wait', () => {
  test.each([
    ['maxConcurrentCalls of the team', {}, { max_concurrent_calls: SLOTS }],
    ['pacing.maxConcurrentCalls', { pacing: { maxConcurrentCalls: SLOTS } }, {}],
    ['pacing.callsPerMinute', { pacing: { callsPerMinute: SLOTS } }, {}],
  ])('%s', async (_, row, team) => {
    const { campaign } = await start(once, row, team);
    await enrollBacklog(campaign, WAITING);
    calling.setRules({ match: '*', outcome: 'completed', talkMs: 20 });
    const rounds = 4;
    for (let round = 0; round < rounds; round += 1) {
      await campaign.at(worker.app, round * 2 * MINUTE);
      await callsHaveEnded(campaign);
      await runDue(other.app);
    }
    calling.setRules({ match: '*', outcome: 'completed', talkMs: NEVER_MS });
    await callsHaveEnded(campaign);
    await bothRun();
    const { live, ended, attempts } = await statsOf(campaign);
    // Each call that has ended has ended its enrollment.
    expect(attempts.completed).toBeGreaterThanOrEqual(rounds * SLOTS);
    expect(ended).toEqual({ reached: attempts.completed });
    // How many dials a machine places meanwhile is its own; what counts is that some still wait, and none is lost.
    expect(live).toBe(WAITING - Number(attempts.completed));
    expect(live).toBeGreaterThan(SLOTS);
  });

  test('retries and next steps of ended calls move on', async () => {
    const definition = {
      steps: [
        { key: 'first', after: 'PT0S', retry: { busy: ['P2D'] } },
        { key: 'second', after: 'P3D' },
      ],
    };
    const { campaign } = await start(definition, {}, { max_concurrent_calls: 2 });
    const [busy, unanswered] = await campaign.enrollMany(2);
    await enrollBacklog(campaign, 500);
    calling.setRules({ match: busy!.to, outcome: 'busy' }, { match: '*', outcome: 'no_answer' });
    await calling.db.query(
      `UPDATE enrollments SET look_at = look_at - interval '1 hour' WHERE id = ANY($1)`,
      [[busy!.id, unanswered!.id]],
    );
    await campaign.at(worker.app, 0);
    await callsHaveEnded(campaign);
    calling.setRules({ match: '*', outcome: 'completed', talkMs: NEVER_MS });
    await bothRun();
    expect(await campaign.row(busy!.id)).toMatchObject({ waiting_for: 'retry', step: 'first' });
    expect(await campaign.row(unanswered!.id)).toMatchObject({ waiting_for: 'after', step: 'second' });
  });

  test('a goal and the end of a lifetime take effect', async () => {
    const definition = {
      steps: [{ key: 'first', after: 'PT0S', on: [{ disposition: 'interested', goal: true }] }],
      caps: { lifetime: 'PT1H' },
    };
    const { campaign } = await start(definition, {}, { max_concurrent_calls: 1 });
    const [first] = await campaign.enrollMany(1);
    await enrollBacklog(campaign, 500);
    calling.setRules({ match: '*', outcome: 'completed', talkMs: NEVER_MS });
    await calling.db.query(`UPDATE enrollments SET look_at = look_at - interval '1 hour' WHERE id = $1`, [
      first!.id,
    ]);
    await campaign.at(worker.app, 0);
    await campaign.report(first!.id, { disposition: 'interested' });
    await runDue(worker.app);
    expect(await campaign.row(first!.id)).toMatchObject({ status: 'completed', end_reason: 'goal' });
    // Those whose lifetime is known end; the others become known while they wait.
    const seen = (await statsOf(campaign)).waitingFor.concurrency ?? 0;
    expect(seen).toBeGreaterThan(100);
    await campaign.at(other.app, HOUR);
    expect((await statsOf(campaign)).ended.lifetime).toBeGreaterThanOrEqual(seen);
  });
});

describe('what waits behind a limit', () => {
  test('a requested callback is dialed before first attempts', async () => {
    const definition = {
      steps: [{ key: 'first', after: 'PT0S', on: [{ disposition: 'later', callback: true }] }],
    };
    const team = { max_concurrent_calls: 1, retry_within_redial_window: true };
    const { campaign } = await start(definition, {}, team);
    const [asks] = await campaign.enrollMany(1);
    await calling.db.query(`UPDATE enrollments SET look_at = look_at - interval '1 hour' WHERE id = $1`, [
      asks!.id,
    ]);
    await enrollBacklog(campaign, 100);
    calling.setRules({ match: '*', outcome: 'completed', talkMs: 20 });
    await campaign.at(worker.app, 0);
    await callsHaveEnded(campaign);
    const callbackAt = new Date(Date.now() + 10 * MINUTE);
    await campaign.report(asks!.id, { disposition: 'later', callbackAt });
    await runDue(worker.app);
    await callsHaveEnded(campaign);
    expect(calling.dials(asks!.to)).toHaveLength(1);
    await campaign.at(worker.app, 11 * MINUTE);
    expect(calling.dials(asks!.to)).toHaveLength(2);
  });

  test('is told at once by a read, and soon by the counts and lists', async () => {
    const { campaign } = await start(once, {}, { max_concurrent_calls: 1 });
    await enrollBacklog(campaign, 200);
    calling.setRules({ match: '*', outcome: 'completed', talkMs: NEVER_MS });
    await campaign.at(worker.app, 0);
    expect((await statsOf(campaign)).waitingFor).toEqual({ concurrency: 199, in_call: 1 });
    const listed = await calling.operator(
      'get',
      `/teams/${campaign.caller.teamId}/campaigns/${campaign.id}/enrollments?waitingFor=concurrency&limit=1`,
    );
    const [{ id }] = (listed.body as { items: [{ id: string }] }).items;
    expect((await campaign.read(id)).body).toMatchObject({
      waitingFor: 'concurrency',
      whyNot: { rule: 'concurrency' },
    });
  });
});

describe('a pause of the campaign', () => {
  const versionsOf = ({ id }: PlayedCampaign) =>
    calling.db.query<object[]>(
      `SELECT count(*)::integer AS n, md5(string_agg(ctid::text || xmin::text, ',' ORDER BY id)) AS rows FROM enrollments WHERE campaign_id = $1`,
      [id],
    );

  test('writes no enrollment, is seen at once by reads, counts and lists, and ends without a trace', async () => {
    const { caller, campaign } = await start(once, {}, { max_concurrent_calls: 1 });
    await enrollBacklog(campaign, 300);
    calling.setRules({ match: '*', outcome: 'completed', talkMs: NEVER_MS });
    await campaign.at(worker.app, 0);
    const before = await versionsOf(campaign);
    await campaign.patch({ status: 'paused' });
    expect((await statsOf(campaign)).waitingFor).toEqual({ paused: 299, in_call: 1 });
    const list = `/teams/${caller.teamId}/campaigns/${campaign.id}/enrollments`;
    const idsOf = async (filter: string) => {
      const answer = await calling.operator('get', `${list}?waitingFor=${filter}&limit=100`);
      return (answer.body as { items: { id: string; waitingFor: string }[] }).items;
    };
    const paused = await idsOf('paused');
    expect(paused).toHaveLength(100);
    expect(new Set(paused.map(({ waitingFor }) => waitingFor))).toEqual(new Set(['paused']));
    expect(await idsOf('concurrency')).toEqual([]);
    expect(await idsOf('in_call')).toHaveLength(1);
    const { id } = paused[0]!;
    expect((await campaign.read(id)).body).toMatchObject({
      waitingFor: 'paused',
      whyNot: { rule: 'paused' },
    });
    await bothRun();
    await campaign.patch({ status: 'active' });
    expect((await statsOf(campaign)).waitingFor).toEqual({ concurrency: 299, in_call: 1 });
    expect((await campaign.read(id)).body).toMatchObject({
      waitingFor: 'concurrency',
      whyNot: { rule: 'concurrency' },
    });
    await bothRun();
    expect(await versionsOf(campaign)).toEqual(before);
  });

  test('delays nothing that calls have caused, and claims nothing', async () => {
    const { campaign } = await start(once, {}, { max_concurrent_calls: SLOTS });
    await enrollBacklog(campaign, 300);
    calling.setRules({ match: '*', outcome: 'completed', talkMs: 20 });
    await campaign.at(worker.app, 0);
    await campaign.patch({ status: 'paused' });
    await callsHaveEnded(campaign);
    expect(await bothRun()).toEqual([0, 0]);
    expect(await statsOf(campaign)).toMatchObject({ ended: { reached: SLOTS }, waitingFor: { paused: 295 } });
  });
});

describe('what has happened comes before an exit', () => {
  const interested = { disposition: 'interested', goal: true };

  /** An enrollment whose call is completed, and nothing decided since. */
  async function reached(definition: object = once, contact: Row = {}) {
    const { caller, campaign } = await start(definition);
    const one = await campaign.enroll(contact);
    calling.setRules({ match: '*', outcome: 'completed', talkMs: 20 });
    await campaign.at(worker.app, 0);
    await callsHaveEnded(campaign);
    expect(await campaign.row(one.id)).toMatchObject({ status: 'active', waiting_for: 'in_call' });
    return { caller, campaign, one };
  }

  test('the archive of the campaign', async () => {
    const { campaign, one } = await reached();
    const waits = await campaign.enroll();
    await campaign.patch({ status: 'archived' });
    await bothRun();
    expect(await campaign.row(one.id)).toMatchObject({ status: 'completed', end_reason: 'reached' });
    expect(await campaign.row(waits.id)).toMatchObject({ status: 'exited', end_reason: 'archived' });
  });

  test('the archive of a campaign that becomes active again', async () => {
    const { campaign, one } = await reached();
    const waits = await campaign.enroll();
    await campaign.patch({ status: 'archived' });
    await campaign.patch({ status: 'active' });
    expect(await campaign.row(one.id)).toMatchObject({ status: 'completed', end_reason: 'reached' });
    expect(await campaign.row(waits.id)).toMatchObject({ status: 'exited', end_reason: 'archived' });
  });

  test('an exit by the operator or the team is 409', async () => {
    const { caller, campaign, one } = await reached();
    const path = `/teams/${caller.teamId}/campaigns/${campaign.id}/enrollments/${one.id}/exit`;
    const answer = await calling.operator('post', path);
    expect([answer.status, answer.body]).toEqual([
      409,
      { error: 'The enrollment is completed and cannot become exited' },
    ]);
    expect(await campaign.row(one.id)).toMatchObject({ status: 'completed', end_reason: 'reached' });
  });

  test('an addition to the Do Not Call list', async () => {
    const { caller, campaign, one } = await reached();
    await calling.operated('post', `/teams/${caller.teamId}/do-not-call`, { phoneNumbers: [one.to] });
    expect(await campaign.row(one.id)).toMatchObject({ status: 'completed', end_reason: 'reached' });
  });

  test('an addition or an opt-out that names the other form of the number', async () => {
    const added = await reached(once, { phone_number: '+5491157447751' });
    await calling.operated('post', `/teams/${added.caller.teamId}/do-not-call`, {
      phoneNumbers: ['+541157447751'],
    });
    const optedOut = await reached(once, { phone_number: '+5491157447752' });
    const call = await buildProcessedCall(calling.db, optedOut.caller, '+541157447752', '1 hour');
    await calling.report(optedOut.caller, call, { optOut: true }).expect(200);
    for (const { campaign, one } of [added, optedOut])
      expect(await campaign.row(one.id)).toMatchObject({ status: 'completed', end_reason: 'reached' });
  });

  test('the opt-out of a result, which can reach the goal, too', async () => {
    const plain = await reached();
    await plain.campaign
      .report(plain.one.id, { optOut: true })
      .then(({ status }) => expect(status).toBe(200));
    expect(await plain.campaign.row(plain.one.id)).toMatchObject({
      status: 'completed',
      end_reason: 'reached',
    });
    const { campaign, one } = await reached({ steps: [{ key: 'first', after: 'PT0S', on: [interested] }] });
    await campaign.report(one.id, { disposition: 'interested', optOut: true });
    expect(await campaign.row(one.id)).toMatchObject({ status: 'completed', end_reason: 'goal' });
  });

  test('the end of the lifetime', async () => {
    const { campaign, one } = await reached({ ...once, caps: { lifetime: 'PT1H' } });
    await campaign.at(worker.app, 2 * HOUR);
    expect(await campaign.row(one.id)).toMatchObject({ status: 'completed', end_reason: 'reached' });
  });
});
