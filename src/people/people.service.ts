import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { type Role, type TeamRole } from '../domain/permissions.js';
import { timeZoneFault } from '../domain/zones/time-zone.js';
import { AppError, invalid, notFound } from '../http/app-error.js';
import { isUuid } from '../http/validators.js';
import { emailOf, normalEmail } from './email.js';
import { LinksService } from './links.service.js';
import { MailService } from './mail.service.js';
import { resetLetter, resetLink } from './reset-letter.js';
import { type Member, type Operator, type UserResource } from './people.dto.js';
import { passwordFault } from './password-rules.js';
import { Passwords } from './passwords.service.js';
import {
  ADD_USER,
  FIND_USER,
  LOCK_MEMBERSHIPS,
  LOCK_OPERATORS,
  MEMBERS,
  OPERATORS,
  USERS,
} from './people.sql.js';
import { SessionsService } from './sessions.service.js';
import { User } from './user.entity.js';

export { type Member, type Operator };

const LAST_ADMIN = 'The team needs an admin: make another member an admin first';
const LAST_OPERATOR = 'The platform needs an operator: invite another first';
/** Passwords of the command line have no network. */
const NO_NETWORK = '';

/** What an invitation gives: a role in a team, or the platform. */
export type Grant = { operator: true } | { teamId: string; role: TeamRole };

/** A link for a person. */
export interface SentLink {
  userId: string;
  /** The whole address. It is shown once. */
  link: string;
  /** Whether it was sent to the person by e-mail, too. */
  sent: boolean;
}

/**
 * The people who sign in, and their roles. Each change is a transaction. A change of a role ends the person's sessions.
 * Origins are the beginnings of links, such as `https://outdial.example.com`.
 */
@Injectable()
export class PeopleService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly links: LinksService,
    private readonly sessions: SessionsService,
    private readonly passwords: Passwords,
    private readonly mail: MailService,
    private readonly audit: AuditService,
  ) {}

  /** The members of a team, and who is invited to it. */
  members(teamId: string): Promise<Member[]> {
    return this.dataSource.query<Member[]>(MEMBERS, [teamId]);
  }

  /**
   * Invites a person to a team. Who is invited already gets a new link, and the earlier one is void.
   * @throws AppError `INVALID_REQUEST` for the e-mail, `CONFLICT` for a member, `NOT_FOUND` for the team.
   */
  invite(teamId: string, email: string, role: TeamRole, origin: string): Promise<SentLink> {
    return this.inviteTo({ teamId, role }, email, origin);
  }

  /**
   * Changes the role of a member, or of an open invitation.
   * @throws AppError `CONFLICT` for the last admin, `NOT_FOUND`.
   */
  async setRole(teamId: string, userId: string, role: TeamRole): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      if (await this.isMember(manager, teamId, userId, role !== 'admin')) {
        await manager.query(`UPDATE memberships SET role = $3 WHERE team_id = $1 AND user_id = $2`, [
          teamId,
          userId,
          role,
        ]);
        await this.sessions.endAll(userId, manager);
        return;
      }
      const changed = await this.changeInvitation(
        manager,
        'UPDATE access_links SET role = $3 WHERE team_id = $1 AND user_id = $2 AND expires_at > now() RETURNING 1',
        [teamId, userId, role],
      );
      if (!changed) throw notFound('Member');
      await this.tell(manager, 'invitation.changed', userId, teamId, role);
    });
  }

  /**
   * Removes a member from a team, or withdraws an invitation.
   * @throws AppError `CONFLICT` for the last admin, `NOT_FOUND`.
   */
  async remove(teamId: string, userId: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const isMember = await this.isMember(manager, teamId, userId, true);
      if (isMember) {
        await manager.query('DELETE FROM memberships WHERE team_id = $1 AND user_id = $2', [teamId, userId]);
        await this.sessions.endAll(userId, manager);
      }
      const withdrawn = await this.changeInvitation(
        manager,
        'DELETE FROM access_links WHERE team_id = $1 AND user_id = $2 RETURNING 1',
        [teamId, userId],
      );
      if (withdrawn) await this.tell(manager, 'invitation.withdrawn', userId, teamId, null);
      if (!isMember && !withdrawn) throw notFound('Member');
    });
  }

  /** The operators of the platform, and who is invited to be one. */
  operators(): Promise<Operator[]> {
    return this.dataSource.query<Operator[]>(OPERATORS);
  }

  /** @throws AppError `INVALID_REQUEST` for the e-mail, `CONFLICT` for an operator. */
  inviteOperator(email: string, origin: string): Promise<SentLink> {
    return this.inviteTo({ operator: true }, email, origin);
  }

  /**
   * Makes an operator a person with roles in teams only, or withdraws an invitation.
   * @throws AppError `CONFLICT` for the last operator, `NOT_FOUND`.
   */
  async removeOperator(userId: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const isOperator = await this.isOperator(manager, userId);
      if (isOperator) {
        await manager.query('UPDATE users SET operator = false WHERE id = $1', [userId]);
        await this.sessions.endAll(userId, manager);
      }
      const withdrawn =
        isUuid(userId) &&
        (await this.changeInvitation(
          manager,
          `DELETE FROM access_links WHERE role = 'operator' AND user_id = $1 RETURNING 1`,
          [userId],
        ));
      if (withdrawn) await this.tell(manager, 'invitation.withdrawn', userId, null, null);
      if (!isOperator && !withdrawn) throw notFound('Operator');
    });
  }

  /**
   * A link with which a person chooses a new password. Operators only: an admin of one team could else take over what
   * a member may do in another.
   * @throws AppError `NOT_FOUND`.
   */
  async reset(userId: string, origin: string): Promise<SentLink> {
    const [token, email] = await this.dataSource.transaction(async (manager) => {
      const user = await this.get(userId, manager);
      await this.tell(manager, 'password.reset', userId, null, null);
      return [await this.links.make(manager, { kind: 'reset', userId }), user.email] as const;
    });
    const link = resetLink(origin, token);
    return { userId, link, sent: await this.mail.send(resetLetter(email, link)) };
  }

  /**
   * A person with a password, and with a role at once.
   * @throws AppError `INVALID_REQUEST` for the e-mail or the password, `CONFLICT` for a known e-mail, `NOT_FOUND` for
   *   the team.
   */
  async create(grant: Grant, typed: string, password: string): Promise<UserResource> {
    const email = emailOf(typed);
    const fault = passwordFault(password, email);
    if (fault !== null) throw invalid(`password ${fault}`);
    const passwordHash = await this.passwords.hash(password, NO_NETWORK);
    return this.dataSource.transaction(async (manager) => {
      const operator = 'operator' in grant;
      const [added] = await manager.query<{ id: string }[]>(
        `INSERT INTO users (email, operator, password_hash) VALUES ($1, $2, $3)
         ON CONFLICT ON CONSTRAINT uq_users_email DO NOTHING RETURNING id`,
        [email, operator, passwordHash],
      );
      if (added === undefined) throw new AppError('CONFLICT', 'There is a user with this e-mail address');
      if (!operator) {
        await this.requireTeam(manager, grant.teamId);
        await manager.query('INSERT INTO memberships (user_id, team_id, role) VALUES ($1, $2, $3)', [
          added.id,
          grant.teamId,
          grant.role,
        ]);
      }
      return this.get(added.id, manager);
    });
  }

  /**
   * Sets the zone in which a person reads times. @param timezone null: the zone of each team.
   * @throws AppError `INVALID_REQUEST` for the zone.
   */
  async setTimeZone(userId: string, timezone: string | null): Promise<void> {
    const fault = timezone === null ? null : timeZoneFault(timezone);
    if (fault !== null) throw invalid(`timezone ${fault}`);
    await this.dataSource.transaction((manager) => manager.update(User, { id: userId }, { timezone }));
  }

  /** All people, by e-mail address. */
  users(): Promise<UserResource[]> {
    return this.dataSource.query<UserResource[]>(USERS, [null]);
  }

  /** @throws AppError `NOT_FOUND`. */
  async get(userId: string, manager: EntityManager = this.dataSource.manager): Promise<UserResource> {
    const [found] = isUuid(userId) ? await manager.query<UserResource[]>(USERS, [userId]) : [];
    if (found === undefined) throw notFound('User');
    return found;
  }

  /** @throws AppError `NOT_FOUND`. */
  async idOf(email: string): Promise<string> {
    const [found] = await this.dataSource.query<{ id: string }[]>(FIND_USER, [normalEmail(email)]);
    if (found === undefined) throw notFound('User');
    return found.id;
  }

  /** Removes a person with all roles, sessions and links. @throws AppError `CONFLICT`, `NOT_FOUND`. */
  async removeUser(userId: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await this.get(userId, manager);
      await this.isOperator(manager, userId);
      await manager.query('DELETE FROM users WHERE id = $1', [userId]);
    });
  }

  private async inviteTo(grant: Grant, typed: string, origin: string): Promise<SentLink> {
    const email = emailOf(typed);
    const { teamId, role } = 'operator' in grant ? { teamId: undefined, role: 'operator' as const } : grant;
    const { userId, token, to } = await this.dataSource.transaction(async (manager) => {
      const team = teamId === undefined ? 'the platform' : await this.requireTeam(manager, teamId);
      await manager.query(ADD_USER, [email]);
      const [user] = await manager.query<{ id: string }[]>(FIND_USER, [email]);
      if (user === undefined) throw new Error('no user was added');
      const { operator, memberships } = await this.get(user.id, manager);
      const hasIt = role === 'operator' ? operator : memberships.some((one) => one.teamId === teamId);
      if (hasIt)
        throw new AppError(
          'CONFLICT',
          `This person is ${role === 'operator' ? 'an operator' : 'in the team'} already`,
        );
      await this.tell(manager, 'invitation.made', user.id, teamId ?? null, role);
      const made = await this.links.make(manager, { kind: 'invite', userId: user.id, teamId, role });
      return { userId: user.id, token: made, to: team };
    });
    const link = `${origin}/invite/${token}`;
    const text = `You are invited to ${to} on Outdial, as ${role === 'operator' ? 'an operator' : role}. Accept within a day:\n\n${link}\n`;
    const sent = await this.mail.send({ to: email, subject: `You are invited to ${to} on Outdial`, text });
    return { userId, link, sent };
  }

  /** @returns the name of the team. @throws AppError `NOT_FOUND`. */
  private async requireTeam(manager: EntityManager, teamId: string): Promise<string> {
    const [team] = isUuid(teamId)
      ? await manager.query<{ name: string }[]>('SELECT name FROM teams WHERE id = $1', [teamId])
      : [];
    if (team === undefined) throw notFound('Team');
    // A letter has it within a line.
    return team.name.replace(/\s+/g, ' ');
  }

  /** @param loses whether the change takes the role of an admin. @throws AppError `CONFLICT` for the last admin. */
  private async isMember(
    manager: EntityManager,
    teamId: string,
    userId: string,
    loses: boolean,
  ): Promise<boolean> {
    if (!isUuid(teamId) || !isUuid(userId)) throw notFound('Member');
    const rows = await manager.query<{ user_id: string; role: TeamRole }[]>(LOCK_MEMBERSHIPS, [teamId]);
    const admins = rows.filter((row) => row.role === 'admin');
    if (loses && admins.length === 1 && admins[0]?.user_id === userId)
      throw new AppError('CONFLICT', LAST_ADMIN);
    return rows.some((row) => row.user_id === userId);
  }

  /** @throws AppError `CONFLICT` for the last operator. */
  private async isOperator(manager: EntityManager, userId: string): Promise<boolean> {
    const rows = await manager.query<{ id: string }[]>(LOCK_OPERATORS);
    const isOne = rows.some(({ id }) => id === userId);
    if (isOne && rows.length === 1) throw new AppError('CONFLICT', LAST_OPERATOR);
    return isOne;
  }

  private async changeInvitation(manager: EntityManager, sql: string, values: unknown[]): Promise<boolean> {
    const [, affected] = await manager.query<[unknown[], number]>(sql, values);
    return affected > 0;
  }

  private async tell(
    manager: EntityManager,
    action: string,
    userId: string,
    teamId: string | null,
    role: Role | null,
  ): Promise<void> {
    const after = role === null ? null : { role };
    await this.audit.write(manager, { teamId, action, target: { type: 'user', id: userId }, after });
  }
}
