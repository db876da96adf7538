import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { withActor } from '../database/actor.js';
import { AppError, notFound } from '../http/app-error.js';
import { SecretNotOpened, type Secrets } from '../secrets/secrets.js';
import { SECRETS } from '../secrets/secrets.token.js';
import {
  acceptedStep,
  authenticatorAddress,
  hashOfRecoveryCode,
  newAuthenticatorSecret,
  newRecoveryCodes,
} from './authenticator.js';
import { Credentials, type Origin, type Outcome } from './credentials.service.js';
import { type Person } from './links.service.js';
import { SessionsService } from './sessions.service.js';
import { User } from './user.entity.js';
import { type Viewer } from './viewer.js';

/** A secret that is not confirmed by then is void. */
const CONFIRM_MINUTES = 15;

const NO_KEY =
  'A second factor cannot be turned on here, because SECRETS_KEY is not set: the operator of this installation sets it for the API';
const NO_PASSWORD =
  'A second factor is asked for after a password, and you have none: you sign in at your OpenID provider';
const IS_ON = 'A second factor is on already';
const EXPIRED = 'This took longer than 15 minutes, so the secret is void. Begin again';

const TURN_ON = `
  UPDATE users SET totp_secret = $2, totp_last_step = $3, recovery_codes = $4
  WHERE id = $1 AND totp_secret IS NULL AND password_hash IS NOT NULL`;
const TURN_OFF = `
  UPDATE users SET totp_secret = NULL, totp_last_step = NULL, recovery_codes = '{}'
  WHERE id = $1 AND totp_secret IS NOT NULL`;
const REPLACE_CODES = 'UPDATE users SET recovery_codes = $2 WHERE id = $1 AND totp_secret IS NOT NULL';

/** What a person's page says. */
export interface SecondFactorState {
  isOn: boolean;
  recoveryCodes: number;
  /** Why it cannot be turned on, as a sentence without its full stop; null: it can. */
  refusal: string | null;
}

/** A secret that a person gives to an authenticator, and that does not count before a code confirms it. */
export interface OfferedSecret {
  secret: string;
  /** `otpauth://…`, for a QR code. */
  address: string;
  /** The secret for the form that confirms it. Only this person can send it, and only for {@link CONFIRM_MINUTES}. */
  sealed: string;
}

/** Turns a person's second factor on and off: codes of an authenticator (TOTP), and recovery codes. */
@Injectable()
export class SecondFactorService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly credentials: Credentials,
    private readonly sessions: SessionsService,
    private readonly audit: AuditService,
    @Inject(SECRETS) private readonly secrets: Secrets | null,
  ) {}

  async stateOf(userId: string): Promise<SecondFactorState> {
    const user = await this.get(userId);
    const isOn = user.totpSecret !== null;
    const missing = this.secrets === null ? NO_KEY : user.passwordHash === null ? NO_PASSWORD : null;
    return { isOn, recoveryCodes: user.recoveryCodes.length, refusal: isOn ? null : missing };
  }

  /**
   * A new secret, for a person who knows the password: another at an open browser cannot lock the person out.
   * @throws AppError `CONFLICT` with why it cannot be turned on.
   */
  async begin({ userId, email }: Viewer, password: string, origin: Origin): Promise<Outcome<OfferedSecret>> {
    const secrets = await this.requireOff(userId);
    const outcome = await this.credentials.password({ email, password }, origin, 'second_factor.refused');
    if (outcome.kind !== 'right') return outcome;
    const secret = newAuthenticatorSecret();
    const until = Date.now() + CONFIRM_MINUTES * 60_000;
    const sealed = secrets.seal(JSON.stringify({ secret, until }), offerOf(userId));
    return { kind: 'right', value: { secret, address: authenticatorAddress(secret, email), sealed } };
  }

  /** The secret again, for a form whose code was wrong. @throws AppError `CONFLICT`, also if it has expired. */
  async offered({ userId, email }: Viewer, sealed: string): Promise<OfferedSecret> {
    const secret = opened(await this.requireOff(userId), userId, sealed);
    return { secret, address: authenticatorAddress(secret, email), sealed };
  }

  /**
   * Turns it on, if the code is one of the secret.
   * @returns the recovery codes, which are shown once; null: the code is wrong. @throws as {@link offered}.
   */
  async confirm(viewer: Viewer, sealed: string, code: string, address: string): Promise<string[] | null> {
    const { userId: id } = viewer;
    const secrets = await this.requireOff(id);
    const secret = opened(secrets, id, sealed);
    const step = acceptedStep(secret, code, new Date(), null);
    if (step === null) return null;
    const stored = secrets.seal(secret, { table: 'users', column: 'totp_secret', id });
    const { codes, hashes } = newCodes();
    await this.as(personOf(viewer), address, async (manager) => {
      await requireOne(manager, TURN_ON, [id, stored, step, hashes], IS_ON);
      await this.tell(manager, 'second_factor.enabled', id);
    });
    return codes;
  }

  /** Replaces the recovery codes, also those that are not used. @returns the new ones, which are shown once. */
  async replaceCodes(viewer: Viewer, code: string, origin: Origin): Promise<Outcome<string[]>> {
    const outcome = await this.credentials.code(viewer.email, code, origin, 'second_factor.refused');
    if (outcome.kind !== 'right') return outcome;
    const { codes, hashes } = newCodes();
    await this.as(personOf(viewer), origin.address, async (manager) => {
      await requireOne(manager, REPLACE_CODES, [viewer.userId, hashes], 'The second factor is off');
      await this.tell(manager, 'second_factor.recovery_codes_made', viewer.userId);
    });
    return { kind: 'right', value: codes };
  }

  async turnOff(
    viewer: Viewer,
    { password, code }: { password: string; code: string },
    origin: Origin,
  ): Promise<Outcome<null>> {
    const { email, userId } = viewer;
    // The password first, so that a wrong one uses no code.
    const known = await this.credentials.password({ email, password }, origin, 'second_factor.refused');
    if (known.kind !== 'right') return known;
    const outcome = await this.credentials.code(email, code, origin, 'second_factor.refused');
    if (outcome.kind !== 'right') return outcome;
    await this.as(personOf(viewer), origin.address, async (manager) => {
      await requireOne(manager, TURN_OFF, [userId], 'The second factor is off');
      await this.tell(manager, 'second_factor.disabled', userId);
    });
    return { kind: 'right', value: null };
  }

  /**
   * Turns it off for a person who has lost both the authenticator and the recovery codes, and ends the sessions.
   * @returns whether it was on.
   */
  async reset(userId: string): Promise<boolean> {
    return this.dataSource.transaction(async (manager) => {
      const [, affected] = await manager.query<[unknown[], number]>(TURN_OFF, [userId]);
      if (affected === 0) return false;
      await this.sessions.endAll(userId, manager);
      await this.tell(manager, 'second_factor.disabled', userId);
      return true;
    });
  }

  /** @throws AppError `CONFLICT` with why it cannot be turned on. */
  private async requireOff(userId: string): Promise<Secrets> {
    const { isOn, refusal } = await this.stateOf(userId);
    if (isOn) throw new AppError('CONFLICT', IS_ON);
    if (refusal !== null || this.secrets === null) throw new AppError('CONFLICT', refusal ?? NO_KEY);
    return this.secrets;
  }

  private async get(userId: string): Promise<User> {
    const user = await this.dataSource.manager.findOneBy(User, { id: userId });
    if (user === null) throw notFound('User');
    return user;
  }

  private as<T>(person: Person, address: string, work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const actor = { kind: 'user' as const, id: person.id, name: person.email, address };
    return withActor(() => this.dataSource.transaction(work), actor);
  }

  private async tell(manager: EntityManager, action: string, id: string): Promise<void> {
    await this.audit.write(manager, { teamId: null, action, target: { type: 'user', id } });
  }
}

/** Not the place of a stored secret: a copy of one opens as no offer. */
const offerOf = (id: string) => ({ table: 'users', column: 'totp_secret offered', id });

function opened(secrets: Secrets, userId: string, sealed: string): string {
  try {
    const offer = JSON.parse(secrets.open(sealed, offerOf(userId))) as { secret: string; until: number };
    if (offer.until > Date.now()) return offer.secret;
  } catch (error) {
    if (!(error instanceof SecretNotOpened)) throw error;
  }
  throw new AppError('CONFLICT', EXPIRED);
}

function newCodes(): { codes: string[]; hashes: string[] } {
  const codes = newRecoveryCodes();
  return { codes, hashes: codes.map(hashOfRecoveryCode) };
}

async function requireOne(
  manager: EntityManager,
  sql: string,
  values: unknown[],
  refusal: string,
): Promise<void> {
  const [, affected] = await manager.query<[unknown[], number]>(sql, values);
  if (affected !== 1) throw new AppError('CONFLICT', refusal);
}

const personOf = ({ userId, email }: Viewer): Person => ({ id: userId, email });
