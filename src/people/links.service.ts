import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { withActor } from '../database/actor.js';
import { type Role } from '../domain/permissions.js';
import { invalid } from '../http/app-error.js';
import { networkOf } from '../http/client-address.js';
import { AccessLink } from './access-link.entity.js';
import { emailOf } from './email.js';
import { passwordFault } from './password-rules.js';
import { Passwords } from './passwords.service.js';
import { FIND_USER, HAS_ACCOUNT, type TakenLinkRow } from './people.sql.js';
import { hashOfToken, newToken } from './secret-token.js';
import { SessionsService } from './sessions.service.js';
import { type Viewer } from './viewer.js';
import { LOCK_WELCOME, NO_OPERATOR } from './welcome.js';

export type LinkKind = AccessLink['kind'];

/** Invitations and resets are valid for a day. */
const VALID_HOURS = 24;

const FIND = `
  SELECT l.user_id AS "userId", u.email, coalesce(${HAS_ACCOUNT}, false) AS "hasAccount", l.team_id AS "teamId",
    t.name AS team, l.role
  FROM access_links l LEFT JOIN users u ON u.id = l.user_id LEFT JOIN teams t ON t.id = l.team_id
  WHERE l.token_hash = $1 AND l.kind = $2 AND l.expires_at > now() AND (l.kind <> 'welcome' OR ${NO_OPERATOR})`;

/** $3 the only user who may take it; null: any person. */
const TAKE = `
  DELETE FROM access_links
  WHERE token_hash = $1 AND kind = $2 AND expires_at > now() AND ($3::uuid IS NULL OR user_id = $3)
  RETURNING user_id, team_id, role`;

/** What a valid link says. */
export interface OpenLink {
  /** Null of a welcome link. */
  userId: string | null;
  email: string | null;
  /** Whether the person can sign in already, and therefore must, to accept the invitation. */
  hasAccount: boolean;
  teamId: string | null;
  team: string | null;
  role: Role | null;
}

/** A person who has used a link. */
export interface Person {
  id: string;
  email: string;
}

/** A link was used, or has expired, between two statements. */
class LinkGone extends Error {
  override name = 'LinkGone';
}

/**
 * Links that are used once. An invitation gives its role only when it is used: by a new person with a password of
 * their own, by a known one who is signed in. To invite an address therefore takes over no account of it, and lets no
 * third person into the team.
 */
@Injectable()
export class LinksService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly passwords: Passwords,
    private readonly sessions: SessionsService,
    private readonly audit: AuditService,
  ) {}

  /** @returns the token of a new link, which takes the place of the earlier one for the same. */
  async make(
    manager: EntityManager,
    link: { kind: 'invite' | 'reset'; userId: string; teamId?: string; role?: Role },
  ): Promise<string> {
    const { kind, userId, teamId = null, role = null } = link;
    await manager.query(
      `DELETE FROM access_links WHERE user_id = $1 AND kind = $2 AND team_id IS NOT DISTINCT FROM $3::uuid`,
      [userId, kind, teamId],
    );
    const token = newToken();
    const expiresAt = new Date(Date.now() + VALID_HOURS * 3_600_000);
    await manager.insert(AccessLink, {
      tokenHash: hashOfToken(token) ?? undefined,
      kind,
      userId,
      teamId,
      role,
      expiresAt,
    });
    return token;
  }

  /** @returns null for a link that is not valid, or not any more. It stays valid. */
  async find(kind: LinkKind, token: string): Promise<OpenLink | null> {
    const [found] = await this.dataSource.query<OpenLink[]>(FIND, [hashOfToken(token), kind]);
    return found ?? null;
  }

  /**
   * Makes the first operator.
   * @returns null if the link is not valid, or not any more.
   * @throws AppError `INVALID_REQUEST` for the e-mail or the password, with which the link stays valid.
   */
  async welcome(
    token: string,
    sent: { email: string; password: string },
    address: string,
  ): Promise<Person | null> {
    if ((await this.find('welcome', token)) === null) return null;
    const email = emailOf(sent.email);
    // An invitation may have named the address before.
    const [{ id } = { id: randomUUID() }] = await this.dataSource.query<{ id: string }[]>(FIND_USER, [email]);
    const person = { id, email };
    const passwordHash = await this.hashOf(sent.password, person.email, address);
    return this.use(person, address, async (manager) => {
      await manager.query(LOCK_WELCOME);
      const [free] = await manager.query<unknown[]>(`SELECT 1 WHERE ${NO_OPERATOR}`);
      if (free === undefined) throw new LinkGone();
      await this.take(manager, 'welcome', token, null);
      await manager.query(
        `INSERT INTO users (id, email, operator, password_hash) VALUES ($1, $2, true, $3)
         ON CONFLICT ON CONSTRAINT pk_users
         DO UPDATE SET operator = true, password_hash = excluded.password_hash`,
        [id, email, passwordHash],
      );
      await this.sessions.endAll(id, manager);
      await manager.query(`DELETE FROM access_links WHERE kind = 'welcome' OR user_id = $1`, [id]);
      await this.told(manager, id, 'welcome', 'operator', null);
      return person;
    });
  }

  /**
   * Sets the password that a person has chosen, and ends the person's sessions.
   * @returns null if the link is not valid, or not any more, or needs a sign-in.
   * @throws AppError `INVALID_REQUEST` for the password, with which the link stays valid.
   */
  async choosePassword(
    kind: 'invite' | 'reset',
    token: string,
    password: string,
    address: string,
  ): Promise<Person | null> {
    const link = await this.find(kind, token);
    if (link === null || link.userId === null || link.email === null) return null;
    if (kind === 'invite' && link.hasAccount) return null;
    const person = { id: link.userId, email: link.email };
    const passwordHash = await this.hashOf(password, person.email, address);
    return this.use(person, address, async (manager) => {
      const taken = await this.take(manager, kind, token, person.id);
      // Another invitation may have been used meanwhile.
      const unless = kind === 'reset' ? '' : `AND NOT ${HAS_ACCOUNT}`;
      const [, affected] = await manager.query<[unknown[], number]>(
        `UPDATE users u SET password_hash = $2 WHERE u.id = $1 ${unless}`,
        [person.id, passwordHash],
      );
      if (affected !== 1) throw new LinkGone();
      await this.sessions.endAll(person.id, manager);
      await manager.query(`DELETE FROM access_links WHERE user_id = $1 AND kind = 'reset'`, [person.id]);
      await this.give(manager, person.id, taken);
      await this.told(manager, person.id, kind, taken.role, taken.team_id);
      return person;
    });
  }

  /**
   * Gives a person who is signed in what the invitation is for, and ends the person's sessions.
   * @returns whether the link was valid, and the person's.
   */
  async accept(token: string, viewer: Viewer, address: string): Promise<boolean> {
    const person = { id: viewer.userId, email: viewer.email };
    const accepted = await this.use(person, address, async (manager) => {
      const taken = await this.take(manager, 'invite', token, person.id);
      await this.give(manager, person.id, taken);
      await this.sessions.endAll(person.id, manager);
      await this.told(manager, person.id, 'invite', taken.role, taken.team_id);
      return person;
    });
    return accepted !== null;
  }

  /**
   * Gives a person all that open invitations are for, without a link: the person's e-mail address is proven otherwise.
   * An invitation to be an operator stays open, because an address alone makes no operator. If a role was given, the
   * person's sessions end.
   * @param manager of the transaction in which the person signs in.
   */
  async acceptAll(manager: EntityManager, userId: string): Promise<void> {
    const [taken] = await manager.query<[TakenLinkRow[], number]>(
      `DELETE FROM access_links WHERE kind = 'invite' AND user_id = $1 AND expires_at > now() AND role <> 'operator'
       RETURNING user_id, team_id, role`,
      [userId],
    );
    for (const link of taken) {
      await this.give(manager, userId, link);
      await this.told(manager, userId, 'invite', link.role, link.team_id);
    }
    if (taken.length > 0) await this.sessions.endAll(userId, manager);
  }

  /** Runs the transaction of a person who uses a link. @returns null if the link is gone. */
  private async use(
    person: Person,
    address: string,
    work: (manager: EntityManager) => Promise<Person>,
  ): Promise<Person | null> {
    try {
      return await withActor(() => this.dataSource.transaction(work), {
        kind: 'user',
        id: person.id,
        name: person.email,
        address,
      });
    } catch (error) {
      if (error instanceof LinkGone) return null;
      throw error;
    }
  }

  private async take(
    manager: EntityManager,
    kind: LinkKind,
    token: string,
    userId: string | null,
  ): Promise<TakenLinkRow> {
    const [[taken]] = await manager.query<[TakenLinkRow[], number]>(TAKE, [hashOfToken(token), kind, userId]);
    if (taken === undefined) throw new LinkGone();
    return taken;
  }

  private async give(manager: EntityManager, userId: string, link: TakenLinkRow): Promise<void> {
    if (link.role === 'operator') {
      await manager.query('UPDATE users SET operator = true WHERE id = $1', [userId]);
    } else if (link.role !== null) {
      await manager.query(
        `INSERT INTO memberships (user_id, team_id, role) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
        [userId, link.team_id, link.role],
      );
    }
  }

  private async told(
    manager: EntityManager,
    userId: string,
    kind: LinkKind,
    role: Role | null,
    teamId: string | null,
  ): Promise<void> {
    const after = { kind, ...(role !== null && { role }) };
    await this.audit.write(manager, {
      teamId,
      action: 'link.used',
      target: { type: 'user', id: userId },
      after,
    });
  }

  private async hashOf(password: string, email: string, address: string): Promise<string> {
    const fault = passwordFault(password, email);
    if (fault !== null) throw invalid(`password ${fault}`);
    return this.passwords.hash(password, networkOf(address));
  }
}
