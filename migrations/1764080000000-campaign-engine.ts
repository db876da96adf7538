import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The state of the campaign engine: the step and next decision of each enrollment, its dials, and the pacing
 * of campaigns. Enrollments stored before have no `look_at`, so the engine skips them. Columns without a
 * volatile default are added without a rewrite.
 */
export class CampaignEngine1764080000000 implements MigrationInterface {
  name = 'CampaignEngine1764080000000';

  async up(db: QueryRunner): Promise<void> {
    for (const statement of UP) await db.query(statement);
  }

  async down(db: QueryRunner): Promise<void> {
    for (const statement of DOWN) await db.query(statement);
  }
}

const UP = [
  `ALTER TABLE enrollments
     ADD COLUMN step text,
     ADD COLUMN waiting_for text,
     ADD COLUMN next_attempt_at timestamptz,
     ADD COLUMN look_at timestamptz,
     ADD COLUMN not_before timestamptz,
     ADD COLUMN end_reason text,
     ADD COLUMN ended_at timestamptz,
     ADD COLUMN timeline jsonb NOT NULL DEFAULT '[]'`,
  `ALTER TABLE campaigns ADD COLUMN pacing jsonb, ADD COLUMN reentry jsonb`,
  `ALTER TABLE teams ADD COLUMN retry_within_redial_window boolean NOT NULL DEFAULT false`,
  `ALTER TABLE call_requests ADD COLUMN enrollment_id uuid`,
  `CREATE TABLE enrollment_dials (
     enrollment_id uuid NOT NULL,
     seq integer NOT NULL,
     team_id uuid NOT NULL,
     campaign_id uuid NOT NULL,
     call_request_id uuid NOT NULL,
     step text NOT NULL,
     callback boolean NOT NULL DEFAULT false,
     claimed_at timestamptz NOT NULL,
     CONSTRAINT pk_enrollment_dials PRIMARY KEY (enrollment_id, seq),
     CONSTRAINT fk_enrollment_dials_campaign FOREIGN KEY (team_id, campaign_id) REFERENCES campaigns (team_id, id)
   )`,
  `CREATE INDEX ix_enrollment_dials_campaign ON enrollment_dials (campaign_id, claimed_at)`,
  `GRANT UPDATE ON enrollments TO outdial_app`,
  `GRANT SELECT, INSERT ON enrollment_dials TO outdial_app`,
];

/** Repeatable functions that came with the engine. */
const FUNCTIONS = [
  'campaign_lock_key',
  'find_expired_behind',
  'find_due_campaigns',
  'take_due_enrollments',
  'release_paused_enrollments',
  'end_archived_enrollments',
];

const DOWN = [
  `DROP FUNCTION IF EXISTS ${FUNCTIONS.join(', ')}`,
  `REVOKE UPDATE ON enrollments FROM outdial_app`,
  `DROP TABLE enrollment_dials`,
  `ALTER TABLE call_requests DROP COLUMN enrollment_id`,
  `ALTER TABLE teams DROP COLUMN retry_within_redial_window`,
  `ALTER TABLE campaigns DROP COLUMN pacing, DROP COLUMN reentry`,
  `ALTER TABLE enrollments DROP COLUMN step, DROP COLUMN waiting_for, DROP COLUMN next_attempt_at, DROP COLUMN look_at,
     DROP COLUMN not_before, DROP COLUMN end_reason, DROP COLUMN ended_at, DROP COLUMN timeline`,
];
