import { type Role } from '../domain/permissions.js';

/** The most rows of a list of people. */
export const MOST_PEOPLE = 1_000;

/** Whether a person has a way to sign in, so that a link of an invitation alone gives no access. */
export const HAS_ACCOUNT = '(u.password_hash IS NOT NULL OR u.oidc_subject IS NOT NULL)';

/** The members of a team, then the people who are invited. $1 team. */
export const MEMBERS = `
  SELECT u.id AS "userId", u.email, m.role, false AS invited, m.created_at AS "since",
    u.last_sign_in_at AS "lastSignInAt", NULL::timestamptz AS "expiresAt"
  FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.team_id = $1
  UNION ALL
  SELECT u.id, u.email, l.role, true, l.created_at, u.last_sign_in_at, l.expires_at
  FROM access_links l JOIN users u ON u.id = l.user_id
  WHERE l.team_id = $1 AND l.expires_at > now()
  ORDER BY invited, email LIMIT ${MOST_PEOPLE}`;

/** The operators, then the people who are invited to be one. */
export const OPERATORS = `
  SELECT u.id AS "userId", u.email, false AS invited, u.created_at AS "since", u.last_sign_in_at AS "lastSignInAt",
    NULL::timestamptz AS "expiresAt"
  FROM users u WHERE u.operator
  UNION ALL
  SELECT u.id, u.email, true, l.created_at, u.last_sign_in_at, l.expires_at
  FROM access_links l JOIN users u ON u.id = l.user_id
  WHERE l.role = 'operator' AND l.expires_at > now()
  ORDER BY invited, email LIMIT ${MOST_PEOPLE}`;

/** One person, or all. $1 user or null. */
export const USERS = `
  SELECT u.id, u.email, u.operator, ${HAS_ACCOUNT} AS "hasAccount", u.created_at AS "createdAt",
    u.last_sign_in_at AS "lastSignInAt",
    coalesce((SELECT json_agg(json_build_object('teamId', t.id, 'team', t.name, 'role', m.role) ORDER BY t.name, t.id)
      FROM memberships m JOIN teams t ON t.id = m.team_id WHERE m.user_id = u.id), '[]'::json) AS memberships
  FROM users u WHERE $1::uuid IS NULL OR u.id = $1
  ORDER BY u.email LIMIT ${MOST_PEOPLE}`;

/** A person without a password, unless the address is known. $1 e-mail. */
export const ADD_USER =
  'INSERT INTO users (email) VALUES ($1) ON CONFLICT ON CONSTRAINT uq_users_email DO NOTHING';
/** $1 e-mail. */
export const FIND_USER = 'SELECT id FROM users WHERE email = $1';

/** Locks a person who has a password, so that of two requests for a link at once one finds the other's. $1 e-mail. */
export const LOCK_FORGETFUL =
  'SELECT id FROM users WHERE email = $1 AND password_hash IS NOT NULL FOR NO KEY UPDATE';

/** A link for a new password that was made a moment ago, and may still be on its way. $1 user. */
export const RECENT_RESET = `
  SELECT 1 FROM access_links
  WHERE user_id = $1 AND kind = 'reset' AND expires_at > now() AND created_at > now() - interval '10 minutes'`;

/** Whether a person has an account, a role or an open invitation. $1 user. */
export const IS_EXPECTED = `
  SELECT 1 FROM users u
  WHERE u.id = $1 AND (${HAS_ACCOUNT} OR u.operator
    OR EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id)
    OR EXISTS (SELECT FROM access_links l WHERE l.user_id = u.id AND l.kind = 'invite' AND l.expires_at > now()))`;

/** Locks the memberships of a team, so that two changes at once do not each leave the other's admin. $1 team. */
export const LOCK_MEMBERSHIPS =
  'SELECT user_id, role FROM memberships WHERE team_id = $1 ORDER BY user_id FOR UPDATE';

/** As {@link LOCK_MEMBERSHIPS}, for operators. */
export const LOCK_OPERATORS = 'SELECT id FROM users WHERE operator ORDER BY id FOR UPDATE';

/** The row of a link that was taken. */
export interface TakenLinkRow {
  user_id: string | null;
  team_id: string | null;
  role: Role | null;
}
