import { type DataSource } from 'typeorm';

/** Runs `act` while a first request with the team's `Idempotency-Key` is not answered yet. */
export async function whileInFlight(
  db: DataSource,
  teamId: string,
  key: string,
  act: () => Promise<unknown>,
): Promise<void> {
  await db.transaction(async (first) => {
    await first.query('SELECT pg_advisory_xact_lock(idempotency_lock_key($1, $2))', [teamId, key]);
    await act();
  });
}
