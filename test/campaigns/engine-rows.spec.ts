import { bearer, NEVER_MS } from '../support/calling.js';
import { buildContact } from '../support/builders.js';
import { moveClock } from '../support/clock.js';
import { LockHolder } from '../support/lock-holder.js';
import { startCampaign, useCampaigns } from './support/campaign-tests.js';
import { HOUR, insertCall, MINUTE, runDue } from './support/played-campaign.js';

/* More of the table of what happens to an enrollment: versions and drafts, reports, and calls of others. */

const CALLBACK_TOKEN = 'callback-token-of-the-tests';

const { calling, worker } = useCampaigns({
  configuration: { simulatorCallbackToken: CALLBACK_TOKEN },
  recounted: true,
});

const retried = { steps: [{ key: 'first', retry: { no_answer: ['PT13H'] } }] };

async function start(definition: object = retried, team: Record<string, unknown> = {}) {
  const { caller, campaign } = await startCampaign(calling, definition, { team });
  const versions = `/teams/${caller.teamId}/campaigns/${campaign.id}/versions`;
  return { caller, campaign, versions };
}

/** What a carrier's event about the newest call of the team does. */
async function report(teamId: string, status: string, at = new Date()): Promise<void> {
  const call = (await calling.rows(teamId)).at(-1);
  const answer = await calling
    .http()
    .post('/api/carriers/simulator/events')
    .set(bearer(CALLBACK_TOKEN))
    .send({
      callRequestId: call?.id,
      carrierCallId: call?.carrier_call_id ?? null,
      status,
      at: at.toISOString(),
    });
  expect([status, answer.status]).toEqual([status, 200]);
}

test('version published: existing enrollments keep their version, and its agent places their calls', async () => {
  const { caller, campaign, versions } = await start({ ...retried, variables: { of: 'old' } });
  const { id, to } = await campaign.enroll();
  calling.setRules({ match: to, outcome: 'no_answer' });
  await campaign.played(worker.app, 0);
  const definition = { steps: [{ key: 'first', agentId: caller.agentId }], variables: { of: 'new' } };
  const draft = await calling.operated('post', versions, { definition });
  await calling.operated('post', `${versions}/${(draft.body as { id: string }).id}/publish`);
  expect(await campaign.row(id)).toMatchObject({ version_id: campaign.versionId, waiting_for: 'retry' });
  await campaign.played(worker.app, 13 * HOUR + MINUTE);
  expect(calling.dials(to)).toHaveLength(2);
  for (const call of await calling.rows(caller.teamId)) {
    const shown = await calling.operator('get', `/teams/${caller.teamId}/calls/${call.id}`);
    expect(shown.body).toMatchObject({ variables: { of: 'old' } });
  }
});

test('draft enrollments: the draft’s definition at their due time applies', async () => {
  const { caller, campaign, versions } = await start({});
  const step = { key: 'first', agentId: caller.agentId, after: 'P1D' };
  const made = await calling.operated('post', versions, { definition: { steps: [step] } });
  const draft = (made.body as { id: string }).id;
  const { id: contactId, phone_number: to } = await buildContact(calling.db, caller.teamId);
  const body = { contactId, campaignId: campaign.id, version: 'draft' };
  await calling.http().post('/api/campaigns/enrollments').set(bearer(caller.apiKey)).send(body).expect(201);
  await campaign.played(worker.app, 0);
  await campaign.played(worker.app, HOUR);
  expect(calling.dials(to)).toEqual([]);
  const sooner = { steps: [{ ...step, after: 'PT2H' }] };
  await calling.operated('patch', `${versions}/${draft}`, { definition: sooner });
  await campaign.played(worker.app, 2 * HOUR + MINUTE);
  expect(calling.dials(to)).toHaveLength(1);
});

test('a draft’s definition and the next decisions of its enrollments change in one transaction', async () => {
  const { caller, campaign, versions } = await start({});
  const step = { key: 'first', agentId: caller.agentId, after: 'P1D' };
  const made = await calling.operated('post', versions, { definition: { steps: [step] } });
  const draft = `${versions}/${(made.body as { id: string }).id}`;
  const { id: contactId } = await buildContact(calling.db, caller.teamId);
  const body = { contactId, campaignId: campaign.id, version: 'draft' };
  await calling.http().post('/api/campaigns/enrollments').set(bearer(caller.apiKey)).send(body).expect(201);
  const holder = await LockHolder.connect(calling);
  await holder.query('BEGIN');
  await holder.query('SELECT FROM enrollments WHERE campaign_id = $1 FOR UPDATE', [campaign.id]);
  const changed = calling.operator('patch', draft, { definition: { steps: [{ ...step, after: 'PT2H' }] } });
  const answered = changed.then(({ status }) => status);
  await holder.waited();
  await holder.query(
    `SELECT pg_cancel_backend(pid) FROM pg_locks WHERE NOT granted
       AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())`,
  );
  expect(await answered).toBe(503);
  await holder.query('ROLLBACK');
  await holder.close();
  const { definition } = (await calling.operator('get', draft)).body as { definition: unknown };
  expect(definition).toEqual({ steps: [step] });
});

test('report late, twice, contradicting: applied once; final states do not change; after the exit, the report is only in the timeline', async () => {
  const { caller, campaign } = await start();
  const { id, to } = await campaign.enroll();
  calling.setRules({ match: to, outcome: 'silent', talkMs: NEVER_MS });
  await campaign.at(worker.app, 0);
  for (const status of ['no_answer', 'no_answer', 'completed']) await report(caller.teamId, status);
  await runDue(worker.app);
  const [call] = await calling.rows(caller.teamId);
  expect(call).toMatchObject({ status: 'no_answer' });
  expect(await campaign.row(id)).toMatchObject({ status: 'active', waiting_for: 'retry' });
  const told = async () =>
    (await campaign.row(id)).timeline.filter(({ kind }) => kind === 'call').map(({ status }) => status);
  expect(await told()).toEqual(['no_answer']);

  await campaign.at(worker.app, 14 * HOUR);
  expect(calling.dials(to)).toHaveLength(2);
  await campaign.move(id, 'exit');
  await report(caller.teamId, 'no_answer', new Date(Date.now() + 14 * HOUR));
  await campaign.at(worker.app, 40 * HOUR);
  expect(await told()).toEqual(['no_answer', 'no_answer']);
  expect(await campaign.row(id)).toMatchObject({ status: 'exited', end_reason: 'manual', look_at: null });
  expect(calling.dials(to)).toHaveLength(2);
});

test('a delay counts from the call’s recorded end: the carrier’s time, bounded by the claim and the clock', async () => {
  for (const [reportedMs, fromClaim] of [
    [-HOUR, 0],
    [10 * MINUTE, 10 * MINUTE],
    [10 * HOUR, null],
  ] as const) {
    const { caller, campaign } = await start();
    const { id, to } = await campaign.enroll();
    calling.setRules({ match: to, outcome: 'silent', talkMs: NEVER_MS });
    await campaign.at(worker.app, 0);
    const [call] = await calling.rows(caller.teamId);
    const claimedAt = (call?.claimed_at as Date).getTime();
    await moveClock(calling.db, '20 minutes');
    await report(caller.teamId, 'no_answer', new Date(claimedAt + reportedMs));
    await runDue(worker.app);
    const { next_attempt_at: next } = await campaign.row(id);
    const end = ((await calling.rows(caller.teamId))[0]?.ended_at as Date).getTime();
    if (fromClaim === null) expect(end).toBeLessThan(claimedAt + HOUR);
    else expect(end).toBe(claimedAt + fromClaim);
    expect(next?.getTime()).toBe(end + 13 * HOUR);
    await moveClock(calling.db, '0 seconds');
  }
});

test('`dial_unknown`: the lifetime ends the enrollment', async () => {
  const { campaign } = await start({ ...retried, caps: { lifetime: 'P1D' } });
  const { id, to } = await campaign.enroll();
  calling.setRules({ match: to, outcome: 'error', reports: 'none', listed: false });
  await campaign.at(worker.app, 0);
  await runDue(worker.app);
  expect(await campaign.row(id)).toMatchObject({ status: 'active', waiting_for: 'outcome' });
  await campaign.at(worker.app, 24 * HOUR + MINUTE);
  expect(await campaign.row(id)).toMatchObject({ status: 'exited', end_reason: 'lifetime' });
  expect(calling.dials(to)).toHaveLength(1);
});

test('number limits: the dial is deferred until the previous call leaves the window', async () => {
  const { caller, campaign } = await start(undefined, { number_weekly_limit: 1 });
  const { id, to, contactId } = await campaign.enroll();
  const processedAt = new Date(Date.now() - 24 * HOUR);
  await insertCall(calling, caller, contactId, to, {
    status: 'completed',
    claimed_at: processedAt,
    processed_at: processedAt,
    ended_at: processedAt,
    caller_id: caller.callerNumber,
    accepted_at: processedAt,
    runs_at: processedAt,
  });
  await campaign.played(worker.app, 0);
  const row = await campaign.row(id);
  expect(row).toMatchObject({ status: 'active', waiting_for: 'NUMBER_LIMIT_WEEKLY' });
  expect(row.next_attempt_at?.getTime()).toBe(processedAt.getTime() + 7 * 24 * HOUR);
  expect(calling.dials(to)).toEqual([]);
  await campaign.played(worker.app, 6 * 24 * HOUR + MINUTE);
  expect(calling.dials(to)).toHaveLength(1);
});

test('another call to the number under way: the dial is deferred until that call has ended', async () => {
  const { caller, campaign } = await start();
  const { id, to, contactId } = await campaign.enroll();
  const long = new Date(Date.now() - 13 * HOUR);
  const row = { claimed_at: long, processed_at: long, accepted_at: long, runs_at: long };
  await insertCall(calling, caller, contactId, to, {
    ...row,
    status: 'in_progress',
    carrier: 'simulator',
    caller_id: caller.callerNumber,
  });
  await campaign.at(worker.app, 0);
  expect(await campaign.row(id)).toMatchObject({ status: 'active', waiting_for: 'number_busy' });
  expect(calling.dials(to)).toEqual([]);
  await report(caller.teamId, 'completed');
  await campaign.played(worker.app, 2 * MINUTE);
  expect(calling.dials(to)).toHaveLength(1);
});

test('a permanent refusal by the carrier is handled as `failed` where `retry.failed` is set, and is not counted as an attempt', async () => {
  const { caller, campaign } = await start({ steps: [{ key: 'first', retry: { failed: ['PT1H'] } }] });
  const { id, to } = await campaign.enroll();
  calling.setRules({ match: to, outcome: 'refuse' });
  await campaign.at(worker.app, 0);
  await runDue(worker.app);
  const row = await campaign.row(id);
  expect(row).toMatchObject({ status: 'active', waiting_for: 'retry' });
  const [call] = await calling.rows(caller.teamId);
  expect(row.next_attempt_at?.getTime()).toBe((call?.ended_at as Date).getTime() + HOUR);
  const path = `/teams/${caller.teamId}/campaigns/${campaign.id}/enrollments/${id}`;
  expect((await calling.operator('get', path)).body).toMatchObject({ attempts: 0 });
});

test('archived: takes effect at once, also for a due enrollment', async () => {
  const { caller, campaign } = await start();
  const { id, to } = await campaign.enroll();
  await calling.operated('post', `/teams/${caller.teamId}/campaigns/${campaign.id}/archive`);
  await campaign.played(worker.app, 0);
  expect(calling.dials(to)).toEqual([]);
  expect(await campaign.row(id)).toMatchObject({ status: 'exited', end_reason: 'archived' });
});

test('campaign paused: calls under way finish and count; due times do not change', async () => {
  const { campaign } = await start();
  const [calls, waits] = [await campaign.enroll(), await campaign.enroll()];
  calling.setRules(
    { match: calls.to, outcome: 'no_answer', talkMs: 300 },
    { match: waits.to, outcome: 'no_answer' },
  );
  await campaign.at(worker.app, 0);
  await campaign.patch({ status: 'paused' });
  await campaign.played(worker.app, 0);
  const due = await campaign.row(waits.id);
  await campaign.played(worker.app, HOUR);
  for (const { id, to } of [calls, waits]) {
    expect(await campaign.row(id)).toMatchObject({ status: 'active' });
    expect(calling.dials(to)).toHaveLength(1);
  }
  expect((await campaign.row(waits.id)).next_attempt_at).toEqual(due.next_attempt_at);
  await campaign.patch({ status: 'active' });
  await campaign.played(worker.app, 13 * HOUR + 2 * MINUTE);
  await campaign.played(worker.app, 13 * HOUR + 3 * MINUTE);
  for (const { to } of [calls, waits]) expect(calling.dials(to)).toHaveLength(2);
});
