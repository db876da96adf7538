import { type DataSource } from 'typeorm';

/** The text of every row of every table, as a dump has it. */
export async function dump(db: DataSource): Promise<string> {
  const tables = await db.query<{ name: string }[]>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY 1`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await db.query<{ text: string }[]>(`SELECT t::text AS text FROM ${name} t`);
    texts.push(...rows.map(({ text }) => text));
  }
  return texts.join('\n');
}

interface StoredEndpoint {
  secret: string;
  previous: string | null;
}

/** The columns of an endpoint's secrets. */
export async function storedOf(db: DataSource, id: string): Promise<StoredEndpoint> {
  const [row] = await db.query<StoredEndpoint[]>(
    'SELECT secret, previous_secret AS previous FROM webhook_endpoints WHERE id = $1',
    [id],
  );
  if (row === undefined) throw new Error('no endpoint');
  return row;
}

/** Stores the endpoint's secret as it was stored before there was a key. */
export async function storePlain(db: DataSource, id: string, secret: string): Promise<void> {
  await db.query('UPDATE webhook_endpoints SET secret = $2 WHERE id = $1', [id, secret]);
}
