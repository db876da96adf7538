import { type Row } from '../support/builders.js';
import { moveClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { NEVER_MS } from '../support/calling.js';
import { startCampaign, useCampaigns } from './support/campaign-tests.js';
import { HOUR, MINUTE, PlayedCampaign, runDue } from './support/played-campaign.js';

/*
 * What people, carriers and crashes do to enrollments: the rest of the table of what happens to an
 * enrollment.
 */

const { calling, worker } = useCampaigns({ recounted: true });

const once = { steps: [{ key: 'first', after: 'PT0S' }] };

const start = (definition: object = once, campaign: Row = {}, team: Row = {}) =>
  startCampaign(calling, definition, { campaign, team });

describe('an addition to the Do Not Call list', () => {
  test('ends every live enrollment of the number exited/suppressed; its removal resumes none', async () => {
    const { caller, campaign } = await start();
    const other = await PlayedCampaign.build(calling, caller, once);
    const { id, to, contactId } = await campaign.enroll();
    const body = { contactId, campaignId: other.id };
    const answer = await calling
      .http()
      .post('/api/campaigns/enrollments')
      .set({ Authorization: `Bearer ${caller.apiKey}` })
      .send(body);
    const second = (answer.body as { enrollmentId: string }).enrollmentId;
    await other.move(second, 'pause');
    const list = `/teams/${caller.teamId}/do-not-call`;
    await calling.operated('post', list, { phoneNumbers: [to] });
    for (const one of [id, second]) {
      const row = await campaign.row(one);
      expect(row).toMatchObject({ status: 'exited', end_reason: 'suppressed', look_at: null });
      expect(row.timeline.at(-1)).toMatchObject({ kind: 'ended', endReason: 'suppressed' });
    }
    await calling.operated('delete', `${list}/${encodeURIComponent(to)}`);
    await campaign.played(worker.app, HOUR);
    expect(calling.dials(to)).toEqual([]);
    expect(await campaign.row(id)).toMatchObject({ status: 'exited' });
  });

  test.each([
    ['+541157447741', '+5491157447741'],
    ['+5491157447742', '+541157447742'],
    ['+5215512345641', '+525512345641'],
    ['+525512345642', '+5215512345642'],
  ])('of %s ends the enrollment of %s, which is the same person', async (listed, enrolled) => {
    const { caller, campaign } = await start();
    const { id, to } = await campaign.enroll({ phone_number: enrolled });
    await calling.operated('post', `/teams/${caller.teamId}/do-not-call`, { phoneNumbers: [listed] });
    expect(await campaign.row(id)).toMatchObject({ status: 'exited', end_reason: 'suppressed' });
    await campaign.played(worker.app, 0);
    expect(calling.dials(to)).toEqual([]);
  });
});

describe('pause, resume and exit', () => {
  test('a paused campaign claims no call and ends enrollments by lifetime; resuming releases each once', async () => {
    const { campaign } = await start({ ...once, caps: { lifetime: 'P1D' } });
    const waits = await campaign.enroll();
    await campaign.patch({ status: 'paused' });
    await campaign.played(worker.app, 0);
    expect(calling.dials(waits.to)).toEqual([]);
    const answer = await campaign.read(waits.id);
    expect(answer.body).toMatchObject({ status: 'active', waitingFor: 'paused', whyNot: { rule: 'paused' } });
    await campaign.played(worker.app, HOUR);
    await campaign.patch({ status: 'active' });
    await campaign.played(worker.app, HOUR + MINUTE);
    await campaign.played(worker.app, HOUR + 2 * MINUTE);
    expect(calling.dials(waits.to)).toHaveLength(1);

    await moveClock(calling.db, '0 seconds');
    const ends = await campaign.enroll();
    await campaign.patch({ status: 'paused' });
    await campaign.played(worker.app, 0);
    await campaign.played(worker.app, 24 * HOUR + MINUTE);
    expect(await campaign.row(ends.id)).toMatchObject({ status: 'exited', end_reason: 'lifetime' });
    expect(calling.dials(ends.to)).toEqual([]);
  });

  test('a paused enrollment is called after it is resumed, and an exited one is not called', async () => {
    const { campaign } = await start();
    const [one, other] = [await campaign.enroll(), await campaign.enroll()];
    await campaign.move(one.id, 'pause');
    await campaign.move(other.id, 'exit');
    await campaign.played(worker.app, 0);
    expect(await campaign.row(one.id)).toMatchObject({ status: 'paused', waiting_for: 'paused' });
    expect(await campaign.row(other.id)).toMatchObject({
      status: 'exited',
      end_reason: 'manual',
      look_at: null,
    });
    expect([...calling.dials(one.to), ...calling.dials(other.to)]).toEqual([]);
    await campaign.move(one.id, 'resume');
    await campaign.played(worker.app, MINUTE);
    expect(calling.dials(one.to)).toHaveLength(1);
    expect(calling.dials(other.to)).toEqual([]);
  });

  test('outcomes apply while the enrollment is paused', async () => {
    const { campaign } = await start();
    const { id, to } = await campaign.enroll();
    calling.setRules({ match: to, outcome: 'completed', talkMs: 300 });
    await campaign.at(worker.app, 0);
    await campaign.move(id, 'pause');
    await campaign.played(worker.app, 0);
    expect(await campaign.row(id)).toMatchObject({ status: 'completed', end_reason: 'reached' });
  });

  test('archiving a campaign ends its live enrollments exited/archived', async () => {
    const { campaign } = await start({ steps: [{ key: 'first', after: 'P1D' }] });
    const all = [await campaign.enroll(), await campaign.enroll(), await campaign.enroll()];
    await campaign.move(all[1]!.id, 'pause');
    await campaign.patch({ status: 'archived' });
    await campaign.played(worker.app, 0);
    for (const { id } of all) {
      expect(await campaign.row(id)).toMatchObject({
        status: 'exited',
        end_reason: 'archived',
        look_at: null,
      });
    }
  });
});

describe('lifetime and caps', () => {
  test('the lifetime ends the enrollment when it expires, not at the next attempt', async () => {
    const { campaign } = await start({ steps: [{ key: 'first', after: 'P3D' }], caps: { lifetime: 'P1D' } });
    const { id } = await campaign.enroll();
    await campaign.played(worker.app, 0);
    await campaign.played(worker.app, 23 * HOUR);
    expect(await campaign.row(id)).toMatchObject({ status: 'active', next_attempt_at: null });
    await campaign.played(worker.app, 24 * HOUR + MINUTE);
    expect(await campaign.row(id)).toMatchObject({ status: 'exited', end_reason: 'lifetime' });
  });

  test('`caps.maxAttempts` ends the enrollment exited/caps', async () => {
    const { campaign } = await start({
      steps: [{ key: 'first', after: 'PT0S', retry: { no_answer: ['PT13H', 'PT13H'] } }],
      caps: { maxAttempts: 2 },
    });
    const { id, to } = await campaign.enroll();
    calling.setRules({ match: to, outcome: 'no_answer' });
    await campaign.played(worker.app, 0);
    await campaign.played(worker.app, 14 * HOUR);
    expect(await campaign.row(id)).toMatchObject({ status: 'exited', end_reason: 'caps' });
    await campaign.played(worker.app, 48 * HOUR);
    expect(calling.dials(to)).toHaveLength(2);
  });
});

describe('the carrier', () => {
  test('429: the call ends failed and never pending, and its usage is released; deferred 5 s, then 10 s', async () => {
    const { caller, campaign } = await start(once, {}, { monthly_call_limit: 100 });
    const { id, to } = await campaign.enroll();
    calling.setRules({ match: to, outcome: 'throttled' });
    await campaign.at(worker.app, 0);
    await runDue(worker.app);
    const [call] = await calling.rows(caller.teamId);
    expect(call).toMatchObject({ status: 'failed', reason: 'CARRIER_THROTTLED', processed_at: null });
    expect(Object.values(await calling.usage(caller.teamId))).toEqual([0]);
    const row = await campaign.row(id);
    expect(row).toMatchObject({ status: 'active', waiting_for: 'carrier' });
    expect(row.next_attempt_at?.getTime()).toBe((call?.ended_at as Date).getTime() + 5_000);
    await campaign.played(worker.app, 6_000);
    const again = (await calling.rows(caller.teamId)).at(-1);
    expect((await campaign.row(id)).next_attempt_at?.getTime()).toBe(
      (again?.ended_at as Date).getTime() + 10_000,
    );
    calling.setRules();
    await campaign.played(worker.app, 30_000);
    expect(await campaign.row(id)).toMatchObject({ status: 'completed', end_reason: 'reached' });
    expect(Object.values(await calling.usage(caller.teamId))).toEqual([1]);
  });

  test('permanent refusal: repeated after 5 min; after three refusals failed/not_dialable', async () => {
    const { campaign } = await start();
    const { id, to } = await campaign.enroll();
    calling.setRules({ match: to, outcome: 'refuse' });
    for (let n = 0; n < 3; n += 1) await campaign.played(worker.app, n * 6 * MINUTE);
    expect(calling.dials(to)).toHaveLength(3);
    expect(await campaign.row(id)).toMatchObject({ status: 'failed', end_reason: 'not_dialable' });
  });

  test('unclear answer (`dial_unknown`): no dial until it is resolved; the delay counts from then', async () => {
    const { caller, campaign } = await start({
      steps: [{ key: 'first', after: 'PT0S', retry: { no_answer: ['PT13H'] } }],
    });
    const { id, to } = await campaign.enroll();
    calling.setRules({ match: to, outcome: 'error', reports: 'none', listed: false });
    await campaign.at(worker.app, 0);
    await runDue(worker.app);
    expect(await campaign.row(id)).toMatchObject({ status: 'active', waiting_for: 'outcome' });
    await campaign.at(worker.app, 20 * HOUR);
    expect(calling.dials(to)).toHaveLength(1);
    const [call] = await calling.rows(caller.teamId);
    const path = `/teams/${caller.teamId}/calls/${call?.id}/resolve`;
    await calling.operated('post', path, { outcome: 'no_answer' });
    calling.setRules();
    await campaign.played(worker.app, 21 * HOUR);
    expect(await campaign.row(id)).toMatchObject({ waiting_for: 'retry' });
    await campaign.played(worker.app, 34 * HOUR);
    expect(calling.dials(to)).toHaveLength(2);
  });
});

test('the key of enrollment_dials refuses a second dial from the same state', async () => {
  const { campaign } = await start();
  const { id, to } = await campaign.enroll();
  await campaign.at(worker.app, 0);
  const copy = calling.db.query(
    'INSERT INTO enrollment_dials SELECT * FROM enrollment_dials WHERE enrollment_id = $1',
    [id],
  );
  await expect(copy).rejects.toThrow('pk_enrollment_dials');
  expect(calling.dials(to)).toHaveLength(1);
});

test('a claim whose worker died becomes dial_unknown, and the enrollment waits for its outcome', async () => {
  const { caller, campaign } = await start();
  const { id, to } = await campaign.enroll();
  calling.setRules({ match: to, outcome: 'completed', talkMs: NEVER_MS, listed: false });
  await campaign.at(worker.app, 0);
  const answered = () =>
    calling.db.query<object[]>('SELECT FROM call_requests WHERE team_id = $1 AND answered_at IS NOT NULL', [
      caller.teamId,
    ]);
  await eventually(answered, ({ length }) => length === 1);
  // As if the worker had died between the claim and the dial.
  await calling.db.query(`UPDATE call_requests SET status = 'dialing' WHERE team_id = $1`, [caller.teamId]);
  await campaign.at(worker.app, HOUR);
  expect(await worker.sweep()).toMatchObject({ unknown: 1 });
  await runDue(worker.app);
  expect(await campaign.row(id)).toMatchObject({ status: 'active', waiting_for: 'outcome' });
  expect(calling.dials(to)).toHaveLength(1);
});
