import { type DataSource } from 'typeorm';

/**
 * Moves the clock by which rules are evaluated, in one test's own database. Every process on that database
 * sees it; real time goes on beneath.
 *
 * @param offset a Postgres interval, such as `2 hours` or `-1 day`.
 */
export async function moveClock(db: DataSource, offset: string): Promise<void> {
  await db.query(
    `CREATE OR REPLACE FUNCTION outdial_now() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE
       AS $$ SELECT clock_timestamp() + interval '${offset.replaceAll("'", '')}' $$`,
  );
}

/** Stops that clock at one instant (ISO 8601). */
export async function stopClock(db: DataSource, instant: string): Promise<void> {
  await db.query(
    `CREATE OR REPLACE FUNCTION outdial_now() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE
       AS $$ SELECT timestamptz '${new Date(instant).toISOString()}' $$`,
  );
}

/** Sets that clock to an instant (ISO 8601), from where it goes on. */
export async function setClock(db: DataSource, instant: string): Promise<void> {
  await moveClock(db, `${Date.parse(instant) - Date.now()} milliseconds`);
}
