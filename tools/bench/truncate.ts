import { type Pool } from 'pg';

const MAX_ATTEMPTS = 10;

/**
 * Empties tables. Beside a running deployment, whose statements lock tables in another order, Postgres may
 * find a deadlock. The tables are then tried again.
 *
 * @param tables at least one, with the tables that refer to them.
 */
export async function truncate(db: Pick<Pool, 'query'>, tables: readonly string[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await db.query(`TRUNCATE ${tables.join(', ')} CASCADE`);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== '40P01' || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
