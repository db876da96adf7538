import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * What is found out in calls. A table beside them, because most calls have none. No foreign key names the
 * call: calls are removed in batches, and their results with them.
 */
export class CallResults1764140000000 implements MigrationInterface {
  name = 'CallResults1764140000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      `CREATE TABLE call_results (
         call_request_id uuid NOT NULL,
         team_id uuid NOT NULL,
         disposition text,
         callback_at timestamptz,
         opt_out boolean NOT NULL,
         data jsonb,
         recorded_at timestamptz NOT NULL,
         CONSTRAINT pk_call_results PRIMARY KEY (call_request_id),
         CONSTRAINT fk_call_results_team FOREIGN KEY (team_id) REFERENCES teams (id),
         CONSTRAINT ck_call_results_data CHECK (data IS NULL OR jsonb_typeof(data) = 'object')
       )`,
    );
    await db.query('GRANT SELECT, INSERT, UPDATE ON call_results TO outdial_app');
  }

  async down(db: QueryRunner): Promise<void> {
    // The function of today names the table.
    await db.query('DROP FUNCTION IF EXISTS remove_ended_calls');
    await db.query('DROP TABLE call_results');
  }
}
