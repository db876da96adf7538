import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * A team's calls in a month are counted in several rows, whose sum counts. See src/dialing/facts/plan.sql.ts.
 */
export class PlanUsageInShards1763830000000 implements MigrationInterface {
  name = 'PlanUsageInShards1763830000000';

  async up(db: QueryRunner): Promise<void> {
    for (const statement of UP) await db.query(statement);
  }

  async down(db: QueryRunner): Promise<void> {
    for (const statement of DOWN) await db.query(statement);
  }
}

const UP = [
  // One of them may be below zero: a call may be uncounted on another connection than it was counted on.
  'ALTER TABLE plan_usage DROP CONSTRAINT ck_plan_usage_used',
  'ALTER TABLE plan_usage ADD COLUMN shard integer NOT NULL DEFAULT 0',
  'ALTER TABLE plan_usage DROP CONSTRAINT pk_plan_usage',
  'ALTER TABLE plan_usage ADD CONSTRAINT pk_plan_usage PRIMARY KEY (team_id, month, shard)',
];

const DOWN = [
  `INSERT INTO plan_usage (team_id, month, shard, used)
     SELECT team_id, month, -1, greatest(sum(used), 0) FROM plan_usage GROUP BY 1, 2`,
  'DELETE FROM plan_usage WHERE shard <> -1',
  'ALTER TABLE plan_usage DROP CONSTRAINT pk_plan_usage',
  'ALTER TABLE plan_usage DROP COLUMN shard',
  'ALTER TABLE plan_usage ADD CONSTRAINT pk_plan_usage PRIMARY KEY (team_id, month)',
  'ALTER TABLE plan_usage ADD CONSTRAINT ck_plan_usage_used CHECK (used >= 0)',
];
