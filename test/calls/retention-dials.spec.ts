import { RetentionService } from '../../src/calls/recovery/retention.service.js';
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
