import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Endpoints of teams, and the deliveries of events to them. A delivery has no foreign keys: the statements
 * that write it take its team and its endpoint from the endpoint's own row, a thousand times a second.
 */
export class Webhooks1764220000000 implements MigrationInterface {
  name = 'Webhooks1764220000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      `CREATE TABLE webhook_endpoints (
         id uuid NOT NULL DEFAULT gen_random_uuid(),
         team_id uuid NOT NULL,
         url text NOT NULL,
         types text[],
         description text,
         secret text NOT NULL,
         previous_secret text,
         previous_until timestamptz,
         disabled_at timestamptz,
         disabled_reason text,
         failing_since timestamptz,
         held_until timestamptz,
         deleted_at timestamptz,
         created_at timestamptz NOT NULL DEFAULT now(),
         CONSTRAINT pk_webhook_endpoints PRIMARY KEY (id),
         CONSTRAINT fk_webhook_endpoints_team FOREIGN KEY (team_id) REFERENCES teams (id),
         CONSTRAINT ck_webhook_endpoints_disabled CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL)),
         CONSTRAINT ck_webhook_endpoints_types CHECK (cardinality(types) > 0)
       )`,
    );
    await db.query('CREATE INDEX ix_webhook_endpoints_team ON webhook_endpoints (team_id)');
    await db.query(
      'CREATE INDEX ix_webhook_endpoints_disabled ON webhook_endpoints (disabled_at) WHERE disabled_at IS NOT NULL',
    );
    // A claim changes no indexed column, and the new version of the row fits into the same page.
    await db.query(
      `CREATE TABLE webhook_deliveries (
         id uuid NOT NULL,
         team_id uuid NOT NULL,
         endpoint_id uuid NOT NULL,
         event_id uuid NOT NULL,
         position bigint,
         sequence bigint,
         subject bigint,
         type text NOT NULL,
         status text NOT NULL DEFAULT 'pending',
         attempts integer NOT NULL DEFAULT 0,
         failures integer NOT NULL DEFAULT 0,
         next_at timestamptz,
         claimed_until timestamptz,
         attempted_at timestamptz,
         response_code integer,
         answer text,
         error text,
         duration_ms integer,
         created_at timestamptz NOT NULL,
         CONSTRAINT pk_webhook_deliveries PRIMARY KEY (id),
         CONSTRAINT uq_webhook_deliveries_event UNIQUE (endpoint_id, event_id),
         CONSTRAINT ck_webhook_deliveries_status CHECK (status IN ('pending', 'delivered', 'failed')),
         CONSTRAINT ck_webhook_deliveries_due CHECK ((status = 'pending') = (next_at IS NOT NULL))
       ) WITH (fillfactor = 80)`,
    );
    await db.query(
      `CREATE INDEX ix_webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_at) WHERE status = 'pending'`,
    );
    await db.query(
      'CREATE INDEX ix_webhook_deliveries_subject ON webhook_deliveries (subject) WHERE subject IS NOT NULL',
    );
    await db.query('GRANT SELECT, INSERT, UPDATE ON webhook_endpoints, webhook_deliveries TO outdial_app');
    // It inserts deliveries from now on and returns more.
    await db.query('DROP FUNCTION IF EXISTS number_events');
  }

  async down(db: QueryRunner): Promise<void> {
    // The functions of today name the tables.
    await db.query(
      `DROP FUNCTION IF EXISTS number_events, subject_of_event, claim_webhook_deliveries, measure_webhooks, find_due_webhook_endpoints,
         finish_webhook_attempts, remove_webhook_deliveries`,
    );
    await db.query('DROP TABLE webhook_deliveries');
    await db.query('DROP TABLE webhook_endpoints');
  }
}
