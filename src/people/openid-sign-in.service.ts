import { Injectable, Logger } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { withActor } from '../database/actor.js';
import { AppError } from '../http/app-error.js';
import { networkOf } from '../http/client-address.js';
import { Credentials, type Origin, type Outcome } from './credentials.service.js';
import { normalEmail } from './email.js';
import { GuessLimits } from './guess-limits.js';
import { LinksService, type Person } from './links.service.js';
import {
  IdentityRefused,
  type OpenIdChecks,
  type OpenIdIdentity,
  OpenIdProvider,
  ProviderAway,
} from './openid-provider.service.js';
import { IS_EXPECTED } from './people.sql.js';
import { SessionsService } from './sessions.service.js';
import { type BegunSession, SignInService } from './sign-in.service.js';
import { User } from './user.entity.js';
import { type Viewer } from './viewer.js';

const NO_PASSWORD =
  'You have no password, so you could not sign in any more: ask an operator for a link to choose one';

/** How a browser came back from the provider. */
export interface Return {
  callback: URL;
  /** What it kept; null: nothing, or not its own. */
  checks: OpenIdChecks | null;
  /** The client's IP address. */
  address: string;
}

/** What became of a person who came back from the provider. */
export type Returned =
  | { kind: 'accepted'; person: Person }
  /** No answer tells why. */
  | { kind: 'refused' }
  | { kind: 'away' }
  | { kind: 'wait'; seconds: number };

/**
 * Finds the person of an account at the OpenID provider. A verified e-mail address binds the two once, for a person
 * who is invited or has an account; from then on only the account counts. An operator's account is never bound by an
 * address, but by its operator, who is signed in; nor is one whose person has disconnected it.
 */
@Injectable()
export class OpenIdSignIn {
  private readonly logger = new Logger(OpenIdSignIn.name);
  private readonly guesses = new GuessLimits();

  constructor(
    private readonly dataSource: DataSource,
    private readonly provider: OpenIdProvider,
    private readonly links: LinksService,
    private readonly signIn: SignInService,
    private readonly credentials: Credentials,
    private readonly sessions: SessionsService,
    private readonly audit: AuditService,
  ) {}

  /** The person who has signed in at the provider. */
  personOf(back: Return): Promise<Returned> {
    return this.returned(back, async (identity) => {
      const found = await this.candidate(identity);
      if (found === null) throw new PersonRefused('unknown person');
      await this.as(found, back.address, (manager) => this.match(manager, found.id, identity));
      return found;
    });
  }

  /** Binds the account at the provider to the person who is signed in. */
  connect(viewer: Viewer, back: Return): Promise<Returned> {
    const person = { id: viewer.userId, email: viewer.email };
    return this.returned(back, async (identity) => {
      await this.as(person, back.address, (manager) => this.bind(manager, person.id, identity));
      return person;
    });
  }

  /**
   * Removes the account at the provider from the person, and ends all sessions of the person but a new one. The account
   * signs in again only once the person has connected it.
   *
   * @throws AppError `CONFLICT` for a person without a password, who could not sign in any more, or without an account
   *   at the provider; as {@link Credentials.password}.
   */
  async disconnect(viewer: Viewer, password: string, origin: Origin): Promise<Outcome<BegunSession>> {
    const person = { id: viewer.userId, email: viewer.email };
    const user = await this.dataSource.manager.findOneByOrFail(User, { id: person.id });
    if (user.oidcSubject === null) throw new AppError('CONFLICT', 'Your account is not connected');
    if (user.passwordHash === null) throw new AppError('CONFLICT', NO_PASSWORD);
    const outcome = await this.credentials.password(
      { email: person.email, password },
      origin,
      'password.refused',
    );
    if (outcome.kind !== 'right') return outcome;
    await this.as(person, origin.address, async (manager) => {
      await manager.update(
        User,
        { id: person.id },
        { oidcIssuer: null, oidcSubject: null, oidcDisconnected: true },
      );
      await this.sessions.endAll(person.id, manager);
      const target = { type: 'user', id: person.id };
      await this.audit.write(manager, { teamId: null, action: 'openid.disconnected', target, after: null });
    });
    return { kind: 'right', value: await this.signIn.begin(person, origin.address, 'password') };
  }

  /** Whether the person can sign in at the provider of the configuration. */
  async isConnected(userId: string): Promise<boolean> {
    const user = await this.dataSource.manager.findOneBy(User, { id: userId });
    return this.provider.isIssuer(user?.oidcIssuer ?? null);
  }

  /** Failures are counted like wrong passwords of a network, and are written to the audit log. */
  private async returned(
    { callback, checks, address }: Return,
    accept: (identity: OpenIdIdentity) => Promise<Person>,
  ): Promise<Returned> {
    const attempt = this.guesses.begin([`network ${networkOf(address)}`], 'openid');
    if (typeof attempt === 'number') return { kind: 'wait', seconds: attempt };
    try {
      if (checks === null) throw new IdentityRefused('not begun in this browser');
      const person = await accept(await this.provider.identityOf(callback, checks));
      attempt.right();
      return { kind: 'accepted', person };
    } catch (error) {
      if (error instanceof ProviderAway) {
        attempt.canceled();
        this.logger.warn({ message: 'the OpenID provider is away', reason: error.message });
        return { kind: 'away' };
      }
      if (!(error instanceof IdentityRefused || error instanceof PersonRefused)) {
        attempt.canceled();
        throw error;
      }
      attempt.wrong();
      this.logger.warn({ message: 'sign-in at the OpenID provider refused', reason: error.message });
      await this.signIn.identityRefused(error instanceof PersonRefused ? error.userId : null, address);
      return { kind: 'refused' };
    }
  }

  private async candidate({ issuer, subject, verifiedEmail }: OpenIdIdentity): Promise<Person | null> {
    const bound = await this.dataSource.manager.findOneBy(User, { oidcIssuer: issuer, oidcSubject: subject });
    if (bound !== null || verifiedEmail === null) return bound;
    return this.dataSource.manager.findOneBy(User, { email: normalEmail(verifiedEmail) });
  }

  /** @throws PersonRefused */
  private async match(manager: EntityManager, userId: string, identity: OpenIdIdentity): Promise<void> {
    const user = await lockedUser(manager, userId);
    const { issuer, subject, verifiedEmail } = identity;
    const provesEmail = verifiedEmail !== null && normalEmail(verifiedEmail) === user.email;
    if (user.oidcIssuer !== issuer || user.oidcSubject !== subject) {
      if (!provesEmail) throw new PersonRefused('no verified e-mail', userId);
      if (user.oidcSubject !== null) throw new PersonRefused('bound to another account', userId);
      if (user.operator) throw new PersonRefused('an operator who has not connected the account', userId);
      if (user.oidcDisconnected) throw new PersonRefused('disconnected by the person', userId);
      const [expected] = await manager.query<unknown[]>(IS_EXPECTED, [userId]);
      if (expected === undefined) throw new PersonRefused('not invited', userId);
      await this.bind(manager, userId, identity);
    }
    if (provesEmail) await this.links.acceptAll(manager, userId);
  }

  /** @throws PersonRefused if the account is another person's. */
  private async bind(manager: EntityManager, userId: string, identity: OpenIdIdentity): Promise<void> {
    const { issuer: oidcIssuer, subject: oidcSubject } = identity;
    const other = await manager.findOneBy(User, { oidcIssuer, oidcSubject });
    if (other !== null && other.id !== userId)
      throw new PersonRefused('the account of another person', userId);
    await manager.update(User, { id: userId }, { oidcIssuer, oidcSubject, oidcDisconnected: false });
    const target = { type: 'user', id: userId };
    await this.audit.write(manager, { teamId: null, action: 'openid.connected', target, after: null });
  }

  private as<T>(
    { id, email }: Person,
    address: string,
    work: (manager: EntityManager) => Promise<T>,
  ): Promise<T> {
    return withActor(() => this.dataSource.transaction(work), { kind: 'user', id, name: email, address });
  }
}

/** The provider has proven an account that no person has here. The message is for the log. */
class PersonRefused extends Error {
  override name = 'PersonRefused';

  constructor(
    message: string,
    readonly userId: string | null = null,
  ) {
    super(message);
  }
}

async function lockedUser(manager: EntityManager, id: string): Promise<User> {
  const user = await manager.findOne(User, { where: { id }, lock: { mode: 'pessimistic_write' } });
  if (user === null) throw new PersonRefused('unknown person');
  return user;
}
