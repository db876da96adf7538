import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Tells deliveries of bulk work apart, so that those of calls do not wait behind them. The index is built
 * concurrently, so outside a transaction. The index without `bulk` stays until no process of the version before
 * is left: see `replaced-indexes.ts`.
 */
export class BulkDeliveries1764307000000 implements MigrationInterface {
  name = 'BulkDeliveries1764307000000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      'ALTER TABLE webhook_deliveries ADD COLUMN IF NOT EXISTS bulk boolean NOT NULL DEFAULT false',
    );
    // One that a failed run left is invalid.
    await db.query('DROP INDEX CONCURRENTLY IF EXISTS ix_webhook_deliveries_pending');
    await db.query(
      `CREATE INDEX CONCURRENTLY ix_webhook_deliveries_pending ON webhook_deliveries (endpoint_id, bulk, next_at)
         WHERE status = 'pending'`,
    );
    await db.query('DROP INDEX CONCURRENTLY IF EXISTS ix_webhook_endpoints_failing');
    // For the pages and the metrics: few endpoints fail.
    await db.query(
      `CREATE INDEX CONCURRENTLY ix_webhook_endpoints_failing ON webhook_endpoints (failing_since)
         WHERE failing_since IS NOT NULL`,
    );
  }

  /** For a stopped deployment. */
  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX IF EXISTS ix_webhook_endpoints_failing');
    await db.query(
      `CREATE INDEX IF NOT EXISTS ix_webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_at)
         WHERE status = 'pending'`,
    );
    await db.query('DROP INDEX IF EXISTS ix_webhook_deliveries_pending');
    await db.query('ALTER TABLE webhook_deliveries DROP COLUMN IF EXISTS bulk');
  }
}
