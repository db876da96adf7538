import { type Pool } from 'pg';
import { type Sabotage } from './dist-copy.js';
import { sabotageEnrollments } from './sabotage-enrollments.js';

/** The sabotages that are made in the database. */
export async function sabotageDatabase(db: Pool, sabotage: Sabotage | undefined): Promise<void> {
  if (sabotage === 'enrollment') await sabotageEnrollments(db);
  if (sabotage === 'events') await sabotageEvents(db);
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
