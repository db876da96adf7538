import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { type Actor, withActor } from '../database/actor.js';
import { invalid } from '../http/app-error.js';
import { networkOf } from '../http/client-address.js';
import { Credentials, type Origin, type Outcome } from './credentials.service.js';
import { type Person } from './links.service.js';
import { passwordFault } from './password-rules.js';
import { Passwords } from './passwords.service.js';
import { SessionsService } from './sessions.service.js';
import { User } from './user.entity.js';
import { type Viewer } from './viewer.js';

export { type Origin, type Outcome };

/** A session that has begun. The token goes into the browser's cookie. */
export interface BegunSession {
  token: string;
}

/** What has proven who the person is, before the code. */
export const PROOFS = ['password', 'openid'] as const;
export type Proof = (typeof PROOFS)[number];

/** A sign-in that waits for a code, after a proof of who the person is. It gives no access. */
export interface PendingSignIn {
  userId: string;
  by: Proof;
  /** Changes with the password, the account at the provider, and the second factor: the sign-in is then void. */
  mark: string;
}

/** Signs people in and out. */
@Injectable()
export class SignInService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly credentials: Credentials,
    private readonly passwords: Passwords,
    private readonly sessions: SessionsService,
    private readonly audit: AuditService,
  ) {}

  async withPassword(
    sent: { email: string; password: string },
    origin: Origin,
  ): Promise<Outcome<BegunSession | PendingSignIn>> {
    const outcome = await this.credentials.password(sent, origin, 'session.refused');
    if (outcome.kind !== 'right') return outcome;
    return { kind: 'right', value: await this.passwordAccepted(outcome.value, origin.address) };
  }

  /**
   * Begins the session of a person whose password was right, or who has just chosen one; or the wait for the code, if
   * the person has a second factor.
   */
  passwordAccepted(person: Person, address: string): Promise<BegunSession | PendingSignIn> {
    return this.identityAccepted(person, address, 'password');
  }

  /** As {@link passwordAccepted}, for any proof of who the person is. */
  async identityAccepted(person: Person, address: string, by: Proof): Promise<BegunSession | PendingSignIn> {
    const user = await this.dataSource.manager.findOneByOrFail(User, { id: person.id });
    if (user.totpSecret !== null) return { userId: user.id, by, mark: markOf(user) };
    return this.begin(person, address, by);
  }

  /** Writes to the audit log that a proof other than a password was refused. @param userId null: of no known person. */
  identityRefused(userId: string | null, address: string): Promise<void> {
    return this.credentials.refused('session.refused', userId, address);
  }

  /** The person whose code is waited for; null: the sign-in is void. */
  async awaited({ userId, mark }: Pick<PendingSignIn, 'userId' | 'mark'>): Promise<Person | null> {
    const user = await this.dataSource.manager.findOneBy(User, { id: userId });
    return user !== null && user.totpSecret !== null && markOf(user) === mark ? user : null;
  }

  /**
   * @param person as {@link awaited} returns it. @param by what was proven before the code.
   * @throws AppError as `SecondFactorCodes.use`.
   */
  async withCode(
    person: Person,
    { code, by }: { code: string; by: Proof },
    origin: Origin,
  ): Promise<Outcome<BegunSession>> {
    const outcome = await this.credentials.code(person.email, code, origin, 'session.refused');
    if (outcome.kind !== 'right') return outcome;
    return { kind: 'right', value: await this.begin(person, origin.address, `${by} and code`) };
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
    const outcome = await this.credentials.password(sent, origin, 'password.refused');
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

/** The secret is sealed with random bytes, so that the hash tells nothing. */
const markOf = ({ passwordHash, oidcIssuer, oidcSubject, totpSecret }: User): string =>
  createHash('sha256')
    .update(JSON.stringify([passwordHash, oidcIssuer, oidcSubject, totpSecret]))
    .digest('base64url')
    .slice(0, 22);
