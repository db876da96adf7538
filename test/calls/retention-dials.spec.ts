import { DialsOfRemovedCalls1764160000000 } from '../../migrations/1764160000000-dials-of-removed-calls.js';
import { RetentionService } from '../../src/calls/recovery/retention.service.js';
import { PlayedCampaign } from '../campaigns/support/played-campaign.js';
import { buildCampaign, buildContact, buildEnrollment, insertRow } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { buildProcessedCall } from '../support/number-history.js';

/* The rows of `enrollment_dials` go with their calls, once their enrollment has ended. */

const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();

const removeCalls = () => worker.app.get(RetentionService).removeCalls(new AbortController().signal);

/** An enrollment with a call so many days ago, and one a day after. */
async function enrollmentOf(caller: Caller, status: string, days: number) {
  const campaign = await buildCampaign(calling.db, caller.teamId);
  const { id: contactId, phone_number: to } = await buildContact(calling.db, caller.teamId);
  const { id } = await buildEnrollment(
    calling.db,
    {
      team_id: caller.teamId,
      campaign_id: campaign.id,
      contact_id: contactId,
      version_id: campaign.current_version_id,
    },
    { status, calls: { no_answer: 2 } },
  );
  for (const seq of [1, 2]) {
    const call = await buildProcessedCall(calling.db, caller, to, `${days - seq + 1} days`, {
      status: 'no_answer',
      enrollment_id: id,
    });
    await insertRow(calling.db, 'enrollment_dials', {
      enrollment_id: id,
      seq,
      team_id: caller.teamId,
      campaign_id: campaign.id,
      call_request_id: call,
      step: 'first',
      claimed_at: new Date(Date.now() - days * 86_400_000),
    });
  }
  return { id, campaignId: campaign.id };
}

async function dialsOf({ id }: { id: string }): Promise<number[]> {
  const sql = 'SELECT seq FROM enrollment_dials WHERE enrollment_id = $1 ORDER BY seq';
  return (await calling.db.query<{ seq: number }[]>(sql, [id])).map(({ seq }) => seq);
}

test('those of ended enrollments go with their calls; those of live ones and of calls that are kept stay', async () => {
  const caller = await buildCaller(calling.db, { call_retention_days: 31 });
  const [ended, half, live] = [
    await enrollmentOf(caller, 'completed', 90),
    await enrollmentOf(caller, 'exited', 31.5),
    await enrollmentOf(caller, 'active', 90),
  ];
  // Otherwise the last call from the number would stay.
  await buildProcessedCall(calling.db, caller, '+14155550188', '1 day');
  expect(await removeCalls()).toBe(3);
  expect(await dialsOf(ended)).toEqual([]);
  expect(await dialsOf(half)).toEqual([2]);
  expect(await dialsOf(live)).toEqual([1, 2]);
  const path = `/teams/${caller.teamId}/campaigns/${ended.campaignId}/enrollments/${ended.id}`;
  expect((await calling.operator('get', path)).body).toMatchObject({ attempts: 2 });
});

test('what earlier versions have left is removed by the migration, and idle enrollments are decided again', async () => {
  const caller = await buildCaller(calling.db, { call_retention_days: 31 });
  const [ended, live] = [
    await enrollmentOf(caller, 'completed', 90),
    await enrollmentOf(caller, 'active', 90),
  ];
  const kept = await enrollmentOf(caller, 'failed', 10);
  await calling.db.query(
    `DELETE FROM call_requests WHERE id IN (SELECT call_request_id FROM enrollment_dials WHERE enrollment_id = ANY($1))`,
    [[ended.id, live.id]],
  );
  const campaign = await PlayedCampaign.build(calling, caller, { steps: [{ key: 'first' }] });
  const [idle, waits] = [await campaign.enroll(), await campaign.enroll()];
  await calling.db.query('UPDATE voice_agents SET deleted_at = now() WHERE id = $1', [caller.agentId]);
  await calling.db.query('UPDATE enrollments SET look_at = NULL WHERE id = $1', [idle.id]);
  await calling.db.query(
    `UPDATE enrollments SET look_at = NULL, waiting_for = 'paused', status = 'paused' WHERE id = $1`,
    [waits.id],
  );
  const runner = calling.db.createQueryRunner();
  await new DialsOfRemovedCalls1764160000000().up(runner).finally(() => runner.release());
  expect(await dialsOf(ended)).toEqual([]);
  expect(await dialsOf(live)).toEqual([1, 2]);
  expect(await dialsOf(kept)).toEqual([1, 2]);
  expect(await campaign.row(waits.id)).toMatchObject({ look_at: null });
  await campaign.at(worker.app, 0);
  expect(await campaign.row(idle.id)).toMatchObject({ status: 'failed', end_reason: 'not_dialable' });
});
