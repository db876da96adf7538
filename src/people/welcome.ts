import { hashOfToken, newToken } from './secret-token.js';

/** A welcome link is valid for so many minutes. */
const VALID_MINUTES = 60;

export const NO_OPERATOR = 'NOT EXISTS (SELECT FROM users WHERE operator)';

/** One first operator: the transactions of two welcome links come one after the other. */
export const LOCK_WELCOME = `SELECT pg_advisory_xact_lock(hashtext('outdial welcome'))`;

/** The part of a connection that {@link newWelcome} needs. */
interface Connection {
  query(text: string, values: unknown[]): Promise<{ rowCount: number | null }>;
}

/**
 * The path of a link with which the first operator chooses e-mail and password; it takes the place of the one before.
 *
 * @param db a connection of the owner of the tables. @returns null: there is an operator.
 */
export async function newWelcome(db: Connection): Promise<string | null> {
  const token = newToken();
  const { rowCount } = await db.query(
    `WITH earlier AS (DELETE FROM access_links WHERE kind = 'welcome')
     INSERT INTO access_links (token_hash, kind, expires_at)
     SELECT $1, 'welcome', now() + interval '${VALID_MINUTES} minutes' WHERE ${NO_OPERATOR}`,
    [hashOfToken(token)],
  );
  return rowCount === 0 ? null : `/welcome/${token}`;
}
