import { type Calling } from './calling.js';
import { eventually } from './eventually.js';

const ENDED = ['completed', 'failed'];

/**
 * Waits until all calls of the team have ended, and expects one dial of each. A call whose worker was held up
 * by the machine for more than five seconds after the claim is not dialed. It has ended `failed` with the
 * reason `NOT_DIALED`.
 */
export async function expectEachDialedOnce(calling: Calling, teamId: string): Promise<void> {
  const rows = await eventually(
    () => calling.rows(teamId),
    (all) => all.every(({ status }) => ENDED.includes(status)),
    100_000,
  );
  const due = rows.filter(({ reason }) => reason !== 'NOT_DIALED').map(({ id }) => id);
  const dialed = calling.dials().map(({ callRequestId }) => callRequestId);
  const ofTeam = dialed.filter((id) => rows.some((row) => row.id === id));
  expect(ofTeam.sort()).toEqual(due.sort());
}
