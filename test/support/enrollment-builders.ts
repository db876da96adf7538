import { type DataSource } from 'typeorm';
import { buildAgent, buildCall, insertRow, nextNumber } from './builders.js';

/** A call of an enrollment: its status, or `refused` for one that was claimed and certainly not dialed. */
export type DialStatus =
  'in_progress' | 'completed' | 'no_answer' | 'busy' | 'voicemail' | 'failed' | 'dial_unknown' | 'refused';

/** The calls of an enrollment, as the engine leaves them. @returns their ids. */
export async function buildDials(
  db: DataSource,
  enrollment: { id: string; team: string; campaignId: string; contactId: string },
  statuses: readonly DialStatus[],
): Promise<string[]> {
  const { id, team, campaignId, contactId } = enrollment;
  const { id: agent } = await buildAgent(db, team);
  const now = new Date();
  const calls: string[] = [];
  for (const [index, status] of statuses.entries()) {
    const keys = { team_id: team, agent_id: agent, contact_id: contactId, phone_number: nextNumber() };
    const { id: call } = await buildCall(db, keys, {
      status: status === 'refused' ? 'failed' : status,
      processed_at: status === 'refused' ? null : now,
      claimed_at: now,
      caller_id: nextNumber(),
      enrollment_id: id,
    });
    await insertRow(db, 'enrollment_dials', {
      enrollment_id: id,
      seq: index + 1,
      team_id: team,
      campaign_id: campaignId,
      call_request_id: call,
      step: 'first',
      claimed_at: now,
    });
    calls.push(call);
  }
  await db.query('UPDATE enrollments SET calls = $2 WHERE id = $1', [id, countOf(statuses)]);
  return calls;
}

/** As the engine counts them. */
function countOf(statuses: readonly DialStatus[]): Record<string, number> {
  const names: Partial<Record<DialStatus, string>> = { in_progress: 'under_way', dial_unknown: 'unknown' };
  const counts: Record<string, number> = {};
  for (const status of statuses.filter((one) => one !== 'refused')) {
    const name = names[status] ?? status;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
