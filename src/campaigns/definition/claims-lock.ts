import { type EntityManager } from 'typeorm';

/**
 * Waits for claims and settlements of a campaign that are in progress, and prevents further ones until the
 * transaction ends. The engine reads the facts of an enrollment under this lock. So no decision uses earlier settings,
 * and no enrollment enters a step during the transaction. The caller takes the lock before it locks any row.
 *
 * @param campaignId a UUID.
 */
export async function keepClaimsOut(manager: EntityManager, campaignId: string): Promise<void> {
  await manager.query(
    'SELECT pg_advisory_xact_lock(campaign_lock_key($1)), pg_advisory_xact_lock(campaign_settling_key($1))',
    [campaignId],
  );
}
