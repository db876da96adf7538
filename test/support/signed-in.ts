import { randomUUID } from 'node:crypto';
import { type DataSource } from 'typeorm';
import { SESSION_COOKIE } from '../../src/dashboard/frame/page-access.service.js';
import { type TeamRole } from '../../src/domain/permissions.js';
import { hashOfToken, newToken } from '../../src/people/secret-token.js';
import { insertRow } from './builders.js';

/**
 * A new person with a session. Without `operator` and `teamId`, the person is in no team.
 *
 * @param who `role` is the person's in the team; by default, `admin`.
 * @returns `cookie` as a browser sends it.
 */
export async function signedIn(
  db: DataSource,
  who: { operator?: boolean; teamId?: string; role?: TeamRole },
): Promise<{ cookie: string; userId: string; email: string }> {
  const { operator = false, teamId, role = 'admin' } = who;
  const email = `person-${randomUUID()}@example.com`;
  const { id: userId } = await insertRow<{ id: string }>(db, 'users', { email, operator });
  if (teamId !== undefined) {
    await insertRow(db, 'memberships', { user_id: userId, team_id: teamId, role });
  }
  const token = newToken();
  await insertRow(db, 'sessions', { token_hash: hashOfToken(token), user_id: userId });
  return { cookie: `${SESSION_COOKIE}=${token}`, userId, email };
}
