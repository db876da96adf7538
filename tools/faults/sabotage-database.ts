import { type Pool } from 'pg';
import { type Sabotage } from './dist-copy.js';
import { sabotageWindows } from './faults-pack.js';
import { sabotageEnrollments } from './sabotage-enrollments.js';

/** The sabotages that are made in the database. */
export async function sabotageDatabase(db: Pool, sabotage: Sabotage | undefined): Promise<void> {
  if (sabotage === 'enrollment') await sabotageEnrollments(db);
  if (sabotage === 'pack-windows') await sabotageWindows(db);
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
 * As in the engine's order of before, the results of a campaign's calls reach no enrollment until everybody was
 * called once.
 */
async function sabotageOrder(db: Pool): Promise<void> {
  await db.query(`
    CREATE FUNCTION wait_for_backlog() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$ BEGIN
      IF EXISTS (SELECT FROM enrollments e WHERE e.campaign_id = OLD.campaign_id AND e.status = 'active'
        AND NOT EXISTS (SELECT FROM enrollment_dials d WHERE d.enrollment_id = e.id)) THEN RETURN NULL;
      END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER wait_for_backlog BEFORE UPDATE ON enrollments FOR EACH ROW
      WHEN (OLD.waiting_for = 'in_call' AND NEW.waiting_for IS DISTINCT FROM 'in_call') EXECUTE FUNCTION wait_for_backlog()`);
}
