import { type MigrationInterface, type QueryRunner } from 'typeorm';

/** What staff look at: when the sweeper of each worker last ran, and which calls ended today. */
export class SweeperRuns1763740000000 implements MigrationInterface {
  name = 'SweeperRuns1763740000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      `CREATE TABLE sweeper_runs (
         worker text NOT NULL,
         started_at timestamptz NOT NULL,
         ran_at timestamptz NOT NULL,
         duration_ms integer NOT NULL,
         repaired_at timestamptz,
         woken integer NOT NULL,
         expired integer NOT NULL,
         unknown integer NOT NULL,
         resolved integer NOT NULL,
         CONSTRAINT pk_sweeper_runs PRIMARY KEY (worker)
       )`,
    );
    await db.query(
      'CREATE INDEX ix_call_requests_ended ON call_requests (ended_at) WHERE ended_at IS NOT NULL',
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX ix_call_requests_ended');
    await db.query('DROP TABLE sweeper_runs');
  }
}
