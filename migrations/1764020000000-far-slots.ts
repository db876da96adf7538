import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Calls remember the slot that was promised to them once they are moved, because it keeps its 24 hours however far away it is.
 * Calls that wait for such a slot already expired 7 days after acceptance, before it came: they get their 24 hours.
 */
export class FarSlots1764020000000 implements MigrationInterface {
  name = 'FarSlots1764020000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE call_requests ADD COLUMN first_runs_at timestamptz');
    // Moved calls with a slot beyond the 7 days stay as they are: that slot was not promised.
    await db.query(`
      UPDATE call_requests SET expires_at = runs_at + interval '24 hours'
      WHERE status IN ('scheduled', 'queued') AND ended_at IS NULL
        AND expires_at > now() AND expires_at < runs_at + interval '24 hours'
        AND (runs_at <= accepted_at + interval '168 hours'
          OR NOT history @> '[{"cause": "outside_calling_hours"}]')`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE call_requests DROP COLUMN first_runs_at');
  }
}
