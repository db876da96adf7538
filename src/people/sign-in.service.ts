import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { type Actor, withActor } from '../database/actor.js';
import { invalid } from '../http/app-error.js';
import { networkOf } from '../http/client-address.js';
import { normalEmail } from './email.js';
import { GuessLimits } from './guess-limits.js';
import { type Person } from './links.service.js';
import { passwordFault } from './password-rules.js';
import { Passwords } from './passwords.service.js';
import { SessionsService } from './sessions.service.js';
import { User } from './user.entity.js';
import { type Viewer } from './viewer.js';

/** Where a try comes from. */
export interface Origin {
  /** The client's IP address. */
  address: string;
  /** The id of a browser in which this account was signed in before; null: another browser. */
  browser: string | null;
}

/** What became of a try with a password. */
export type Outcome<T> =
  | { kind: 'right'; value: T }
  /** The account is unknown, or the password is wrong; no answer tells which. */
  | { kind: 'wrong' }
  | { kind: 'wait'; seconds: number };

/** A session that has begun. The token goes into the browser's cookie. */
export interface BegunSession {
  token: string;
}

/** Signs people in and out, and limits how many passwords can be tried. */
@Injectable()
export class SignInService {
  private readonly guesses = new GuessLimits();

  constructor(
    private readonly dataSource: DataSource,
    private readonly passwords: Passwords,
    private readonly sessions: SessionsService,
    private readonly audit: AuditService,
  ) {}

  async withPassword(
    sent: { email: string; password: string },
    origin: Origin,
  ): Promise<Outcome<BegunSession>> {
    const outcome = await this.checked(sent, origin, 'session.refused');
    if (outcome.kind !== 'right') return outcome;
    return { kind: 'right', value: await this.passwordAccepted(outcome.value, origin.address) };
  }

  /** Begins the session of a person whose password was right, or who has just chosen one. */
  passwordAccepted(person: Person, address: string): Promise<BegunSession> {
    return this.begin(person, address, 'password');
  }

  /** @param by how the person has signed in, for the audit log. */
  async begin(person: Person, address: string, by: string): Promise<BegunSession> {
    return this.as(person, address, async (manager) => {
      const token = await this.sessions.begin(person.id, manager);
      await manager.query('UPDATE users SET last_sign_in_at = now() WHERE id = $1', [person.id]);
      await this.tell(manager, 'session.begun', person.id, { by });
      return { token };
    });
  }

  /** Ends the sessions of this browser. @param tokens of its cookies. */
  async signOut(viewer: Viewer, tokens: readonly string[], address: string): Promise<void> {
    await this.as(personOf(viewer), address, async (manager) => {
      for (const token of tokens) await this.sessions.end(token, manager);
      await this.tell(manager, 'session.ended', viewer.userId, null);
    });
  }

  async signOutEverywhere(viewer: Viewer, address: string): Promise<void> {
    await this.as(personOf(viewer), address, async (manager) => {
      await this.sessions.endAll(viewer.userId, manager);
      await this.tell(manager, 'session.ended', viewer.userId, { everywhere: true });
    });
  }

  /**
   * Changes the person's own password, and ends all sessions of the person but a new one.
   * @throws AppError `INVALID_REQUEST` for the new password.
   */
  async changePassword(
    viewer: Viewer,
    { current, chosen }: { current: string; chosen: string },
    origin: Origin,
  ): Promise<Outcome<BegunSession>> {
    const fault = passwordFault(chosen, viewer.email);
    if (fault !== null) throw invalid(`password ${fault}`);
    const sent = { email: viewer.email, password: current };
    const outcome = await this.checked(sent, origin, 'password.refused');
    if (outcome.kind !== 'right') return outcome;
    const person = outcome.value;
    const passwordHash = await this.passwords.hash(chosen, networkOf(origin.address));
    await this.as(person, origin.address, async (manager) => {
      await manager.update(User, { id: person.id }, { passwordHash });
      await manager.query(`DELETE FROM access_links WHERE kind = 'reset' AND user_id = $1`, [person.id]);
      await this.sessions.endAll(person.id, manager);
      await this.tell(manager, 'password.changed', person.id, null);
    });
    return { kind: 'right', value: await this.begin(person, origin.address, 'password') };
  }

  /** Whether the person has a password to change. */
  async hasPassword(userId: string): Promise<boolean> {
    const user = await this.dataSource.manager.findOneBy(User, { id: userId });
    return user?.passwordHash != null;
  }

  /** The person whose e-mail and password these are. A failure is written to the audit log as `refused`. */
  private async checked(
    { email, password }: { email: string; password: string },
    { address, browser }: Origin,
    refused: string,
  ): Promise<Outcome<Person>> {
    const network = networkOf(address);
    const account = createHash('sha256').update(normalEmail(email)).digest('base64');
    // A browser that is known has a count of its own, so that guesses elsewhere do not make its person wait.
    const names =
      browser === null ? [`account ${account}`, `network ${network}`] : [`browser ${browser} ${account}`];
    const attempt = this.guesses.begin(names, account);
    if (typeof attempt === 'number') return { kind: 'wait', seconds: attempt };
    let user: User | null;
    let isRight: boolean;
    try {
      user = await this.dataSource.manager.findOneBy(User, { email: normalEmail(email) });
      isRight = await this.passwords.isRight(password, user?.passwordHash ?? null, network);
    } catch (error) {
      attempt.canceled();
      throw error;
    }
    if (isRight && user !== null) {
      attempt.right();
      return { kind: 'right', value: user };
    }
    attempt.wrong();
    await this.refused(refused, user?.id ?? null, address);
    return { kind: 'wrong' };
  }

  private async refused(action: string, userId: string | null, address: string): Promise<void> {
    const unknown: Actor = { kind: 'system', id: null, name: null, address };
    await withActor(
      () => this.dataSource.transaction((manager) => this.tell(manager, action, userId, null)),
      unknown,
    );
  }

  private as<T>(person: Person, address: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const actor: Actor = { kind: 'user', id: person.id, name: person.email, address };
    return withActor(() => this.dataSource.transaction(work), actor);
  }

  private async tell(
    manager: EntityManager,
    action: string,
    userId: string | null,
    after: Record<string, unknown> | null,
  ): Promise<void> {
    await this.audit.write(manager, { teamId: null, action, target: { type: 'user', id: userId }, after });
  }
}

const personOf = ({ userId, email }: Viewer): Person => ({ id: userId, email });
