import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { hashOfToken, newToken } from './secret-token.js';
import { IDLE_HOURS, LONGEST_DAYS } from './session-limits.js';
import { type Viewer } from './viewer.js';

const IS_OPEN = `s.last_seen_at > now() - interval '${IDLE_HOURS} hours'
  AND s.created_at > now() - interval '${LONGEST_DAYS} days'`;

const FIND = `
  SELECT u.id, u.email, u.operator, u.timezone, u.last_team_id, s.last_seen_at < now() - interval '1 minute' AS stale,
    coalesce((SELECT json_agg(json_build_object('teamId', t.id, 'team', t.name, 'role', m.role) ORDER BY t.name, t.id)
      FROM memberships m JOIN teams t ON t.id = m.team_id WHERE m.user_id = u.id), '[]'::json) AS memberships
  FROM sessions s JOIN users u ON u.id = s.user_id
  WHERE s.token_hash = $1 AND ${IS_OPEN}`;

interface FoundRow {
  id: string;
  email: string;
  operator: boolean;
  timezone: string | null;
  last_team_id: string | null;
  stale: boolean;
  memberships: Viewer['memberships'];
}

/** Sessions of browsers. A change of a person's rights holds from the next request on. */
@Injectable()
export class SessionsService {
  constructor(private readonly dataSource: DataSource) {}

  /** @returns the token for the cookie. */
  async begin(userId: string, manager: EntityManager = this.dataSource.manager): Promise<string> {
    const token = newToken();
    await manager.query('INSERT INTO sessions (token_hash, user_id) VALUES ($1, $2)', [
      hashOfToken(token),
      userId,
    ]);
    return token;
  }

  /** Which of these sessions are open. It is no use of them. */
  async areOpen(tokens: readonly string[]): Promise<ReadonlySet<string>> {
    const hashes = new Map(tokens.map((token) => [hashOfToken(token)?.toString('hex'), token]));
    const rows = await this.dataSource.query<{ hash: string }[]>(
      `SELECT encode(s.token_hash, 'hex') AS hash FROM sessions s WHERE s.token_hash = ANY ($1) AND ${IS_OPEN}`,
      [[...hashes.keys()].map((hash) => Buffer.from(hash ?? '', 'hex'))],
    );
    return new Set(rows.map(({ hash }) => hashes.get(hash) ?? ''));
  }

  /** Whether the token is of the viewer's session. */
  isOf(token: string, { formKey }: Viewer): boolean {
    return formKeyOf(token) === formKey;
  }

  /** The person of an open session. @param isUse whether the session is used, and does not end for a while. */
  async viewerOf(token: string, isUse = true): Promise<Viewer | null> {
    const hash = hashOfToken(token);
    if (hash === null) return null;
    const [found] = await this.dataSource.query<FoundRow[]>(FIND, [hash]);
    if (found === undefined) return null;
    // Written once a minute, so that pages do not write with every request.
    if (found.stale && isUse) {
      await this.dataSource.query('UPDATE sessions SET last_seen_at = now() WHERE token_hash = $1', [hash]);
    }
    const { id, email, operator, timezone, last_team_id: lastTeamId, memberships } = found;
    return { userId: id, email, operator, timezone, lastTeamId, memberships, formKey: formKeyOf(token) };
  }

  /** Notes whose pages a person sees, where that changed. @param teamId null: the platform's. */
  async noteTeam({ userId, lastTeamId }: Viewer, teamId: string | null): Promise<void> {
    if (teamId?.toLowerCase() === lastTeamId || (teamId === null && lastTeamId === null)) return;
    await this.dataSource.query('UPDATE users SET last_team_id = $2 WHERE id = $1', [userId, teamId]);
  }

  async end(token: string, manager: EntityManager = this.dataSource.manager): Promise<void> {
    const hash = hashOfToken(token);
    if (hash !== null) await manager.query('DELETE FROM sessions WHERE token_hash = $1', [hash]);
  }

  /** Of all browsers of a person. */
  async endAll(userId: string, manager: EntityManager = this.dataSource.manager): Promise<void> {
    await manager.query('DELETE FROM sessions WHERE user_id = $1', [userId]);
  }
}

const formKeyOf = (token: string): string =>
  createHmac('sha256', token).update('outdial forms').digest('base64url');
