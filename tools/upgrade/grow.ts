import { type Pool } from 'pg';

const BATCH = 20_000;

/**
 * Copies ended calls until there are so many, whatever columns the schema has: a lock is held for longer on a
 * large table.
 *
 * @param calls how many there shall be at least.
 */
export async function growCalls(db: Pool, calls: number): Promise<void> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT quote_ident(column_name) AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = 'call_requests' AND is_generated = 'NEVER' AND column_name <> 'id'
     ORDER BY ordinal_position`,
  );
  const columns = rows.map(({ name }) => name);
  const values = columns.map((name) => (name === 'accepted_at' ? `accepted_at - n * interval '1 ms'` : name));
  for (let made = 0; made < calls;) {
    const { rowCount } = await db.query(
      `INSERT INTO call_requests (id, ${columns.join(', ')})
       SELECT gen_random_uuid(), ${values.join(', ')}
       FROM (SELECT * FROM call_requests WHERE status = 'completed' LIMIT 100) one, generate_series(1, ${BATCH / 100}) AS n`,
    );
    if (!rowCount) throw new Error('no call has ended yet');
    made += rowCount;
  }
  await db.query('VACUUM ANALYZE');
}
