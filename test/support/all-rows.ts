import { createHash } from 'node:crypto';
import { type DataSource } from 'typeorm';

/**
 * A hash of all rows of all tables: equal before and after what stores nothing.
 *
 * @param except tables that do not count.
 */
export async function hashOfAllRows(db: DataSource, except: readonly string[] = []): Promise<string> {
  const tables = await db.query<{ name: string }[]>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
  );
  const hash = createHash('sha256');
  for (const { name } of tables.filter((table) => !except.includes(table.name))) {
    const [row] = await db.query<{ text: string }[]>(
      `SELECT coalesce(string_agg(t::text, '|' ORDER BY t::text), '') AS text FROM ${name} t`,
    );
    hash.update(`${name}\n${row?.text}\n`);
  }
  return hash.digest('hex');
}
