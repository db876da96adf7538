import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * The days for which ended calls and events are kept, for the platform and for each team. 0 keeps them
 * without end; a team's null stands for the platform's value. The columns have constant defaults, so they are
 * added without a rewrite. Processes of the version before remove nothing.
 */
export class Retention1764090000000 implements MigrationInterface {
  name = 'Retention1764090000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      `ALTER TABLE platform_settings
         ADD COLUMN call_retention_days integer NOT NULL DEFAULT 395,
         ADD COLUMN event_retention_days integer NOT NULL DEFAULT 7,
         ADD CONSTRAINT ck_platform_settings_retention CHECK (${RETENTION})`,
    );
    await db.query(
      `ALTER TABLE teams
         ADD COLUMN call_retention_days integer,
         ADD COLUMN event_retention_days integer,
         ADD CONSTRAINT ck_teams_retention CHECK (${RETENTION})`,
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DROP FUNCTION IF EXISTS ${FUNCTIONS.join(', ')}`);
    for (const table of ['teams', 'platform_settings']) {
      await db.query(
        `ALTER TABLE ${table} DROP CONSTRAINT ck_${table}_retention,
           DROP COLUMN call_retention_days, DROP COLUMN event_retention_days`,
      );
    }
  }
}

const RETENTION = `(call_retention_days = 0 OR call_retention_days >= 31) AND event_retention_days >= 0`;

/** Repeatable functions that came with these columns. */
const FUNCTIONS = [
  'remove_ended_calls',
  'teams_with_old_calls',
  'call_retention',
  'remove_old_answers',
  'oldest_rows',
];
