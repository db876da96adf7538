import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * A rescheduled call stores the opening that its answer named, because it expires 24 hours after that
 * opening. Calls that wait for an opening more than 7 days away would expire before it; they get their 24
 * hours, too.
 */
export class FarSlots1764020000000 implements MigrationInterface {
  name = 'FarSlots1764020000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE call_requests ADD COLUMN first_runs_at timestamptz');
    // Rescheduled calls with an opening beyond the 7 days stay as they are: no answer named that opening.
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
