import { type EntityManager } from 'typeorm';

/**
 * Waits for the claims of a campaign that are in progress and keeps out further ones until the transaction
 * ends. Claims hold the lock shared, so none runs under earlier settings, and no enrollment enters a step
 * meanwhile. A transaction takes the lock before any row.
 *
 * @param campaignId a UUID.
 */
export async function keepClaimsOut(manager: EntityManager, campaignId: string): Promise<void> {
  await manager.query('SELECT pg_advisory_xact_lock(campaign_lock_key($1))', [campaignId]);
}
