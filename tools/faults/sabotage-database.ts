import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Pool } from 'pg';
import { repositoryRoot } from '../services/paths.js';
import { type Sabotage } from './dist-copy.js';
import { sabotageEnrollments } from './sabotage-enrollments.js';

/** The sabotages that are made in the database. */
export async function sabotageDatabase(db: Pool, sabotage: Sabotage | undefined): Promise<void> {
  if (sabotage === 'enrollment') await sabotageEnrollments(db);
  if (sabotage === 'events') await sabotageEvents(db);
  if (sabotage === 'engine-order') await sabotageOrder(db);
}

/**
 * Events have their numbers when they are written, before the commit: transactions that take longer appear
 * behind others. Some take 0.3 seconds longer, so that a few hundred calls suffice; the sequencer does not
 * mind how long transactions take. It also makes the deliveries of webhooks, so that these are lost.
 */
async function sabotageEvents(db: Pool): Promise<void> {
  await db.query(`
    DELETE FROM event_gaps;
    CREATE FUNCTION number_at_once() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$ BEGIN
      INSERT INTO event_batches (team_id, last, positions) VALUES (NEW.team_id, NEW.position, ARRAY[NEW.position]);
      IF random() < 0.03 THEN PERFORM pg_sleep(0.3); END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER number_at_once AFTER INSERT ON events FOR EACH ROW EXECUTE FUNCTION number_at_once()`);
}

/**
 * The engine's order of before: what a call has caused waits behind the dials that are due. A campaign settles
 * nothing while one of its enrollments waits for a concurrency slot.
 */
async function sabotageOrder(db: Pool): Promise<void> {
  const settles = 'e.settle_at IS NOT NULL AND e.settle_at <= clock.now';
  const behind = `${settles} AND NOT EXISTS (SELECT FROM enrollments d
    WHERE d.campaign_id = p.id AND d.status = 'active' AND (d.waiting_for IS NULL OR d.waiting_for = 'concurrency'))`;
  const file = join(repositoryRoot(), 'src/database/functions/find_settling_campaigns.sql');
  const text = await readFile(file, 'utf8');
  if (!text.includes(settles)) throw new Error('find_settling_campaigns is not as its sabotage expects it');
  await db.query(text.replace(settles, behind));
}
