import { type Pool } from 'pg';
import { repeatableScripts } from '../../src/database/repeatable.js';

/** Each lock under which an enrollment is read again and decided is as good as held. */
const WITHOUT_LOCKS: [lock: string, instead: string][] = [
  ['FOR UPDATE SKIP LOCKED', ''],
  [
    'try_locks(a.team_id, a.number, a.exclusively)',
    `CASE WHEN a.exclusively THEN 'exclusive' ELSE 'shared' END`,
  ],
  ['pg_try_advisory_xact_lock(campaign_lock_key(l.campaign_id))', 'true'],
  ['pg_try_advisory_xact_lock_shared(campaign_lock_key(l.campaign_id))', 'true'],
];

/**
 * Takes the key of `enrollment_dials` away, and the locks of the engine. Two workers then decide one
 * enrollment by the same facts. Either protection suffices: the locks let only one of them read, and the key
 * refuses the second dial.
 */
export async function sabotageEnrollments(db: Pool): Promise<void> {
  let text = repeatableScripts().find(({ name }) => name === 'take_due_dials')?.text ?? '';
  for (const [lock, instead] of WITHOUT_LOCKS) {
    if (!text.includes(lock)) throw new Error(`take_due_dials is not as its sabotage expects it: no ${lock}`);
    text = text.replace(lock, instead);
  }
  await db.query(text);
  await db.query('ALTER TABLE enrollment_dials DROP CONSTRAINT pk_enrollment_dials');
  await db.query('CREATE INDEX ON enrollment_dials (enrollment_id, seq)');
}
