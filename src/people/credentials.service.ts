import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { type Actor, withActor } from '../database/actor.js';
import { networkOf } from '../http/client-address.js';
import { normalEmail } from './email.js';
import { GuessLimits } from './guess-limits.js';
import { Passwords } from './passwords.service.js';
import { SecondFactorCodes } from './second-factor-codes.service.js';
import { User } from './user.entity.js';

/** Where a try comes from. */
export interface Origin {
  /** The client's IP address. */
  address: string;
  /** The id of a browser in which this account was signed in before; null: another browser. */
  browser: string | null;
}

/** What became of a try. */
export type Outcome<T> =
  | { kind: 'right'; value: T }
  /** The account is unknown, or what was typed is wrong; no answer of a sign-in tells which. */
  | { kind: 'wrong' }
  | { kind: 'wait'; seconds: number };

interface Checked {
  user: User | null;
  isRight: boolean;
}

/**
 * Checks passwords and codes of second factors, and limits how many can be tried. Both have the same counts. A person
 * with a second factor has proven nothing by the password alone, so that only a code forgets the failures: who knows
 * the password could else try codes without end.
 */
@Injectable()
export class Credentials {
  private readonly guesses = new GuessLimits();

  constructor(
    private readonly dataSource: DataSource,
    private readonly passwords: Passwords,
    private readonly codes: SecondFactorCodes,
    private readonly audit: AuditService,
  ) {}

  /** @param refused the action of the audit log for a failure. @throws as {@link Passwords.isRight}. */
  password(
    { email, password }: { email: string; password: string },
    origin: Origin,
    refused: string,
  ): Promise<Outcome<User>> {
    const check = async (): Promise<Checked> => {
      const user = await this.find(email);
      const network = networkOf(origin.address);
      return { user, isRight: await this.passwords.isRight(password, user?.passwordHash ?? null, network) };
    };
    return this.limited(email, origin, refused, check, ({ totpSecret }) => totpSecret === null);
  }

  /**
   * Uses a code, or a recovery code, of a person with a second factor.
   * @param refused as for {@link password}. @throws AppError as {@link SecondFactorCodes.use}.
   */
  code(email: string, code: string, origin: Origin, refused: string): Promise<Outcome<User>> {
    const check = async (): Promise<Checked> => {
      const user = await this.find(email);
      return { user, isRight: user !== null && (await this.codes.use(user, code, origin.address)) };
    };
    return this.limited(email, origin, refused, check, () => true);
  }

  private async limited(
    email: string,
    { address, browser }: Origin,
    refused: string,
    check: () => Promise<Checked>,
    isProof: (user: User) => boolean,
  ): Promise<Outcome<User>> {
    const network = networkOf(address);
    const account = createHash('sha256').update(normalEmail(email)).digest('base64');
    // A browser that is known has a count of its own, so that guesses elsewhere do not make its person wait.
    const names =
      browser === null ? [`account ${account}`, `network ${network}`] : [`browser ${browser} ${account}`];
    const attempt = this.guesses.begin(names, account);
    if (typeof attempt === 'number') return { kind: 'wait', seconds: attempt };
    let checked: Checked;
    try {
      checked = await check();
    } catch (error) {
      attempt.canceled();
      throw error;
    }
    const { user, isRight } = checked;
    if (isRight && user !== null) {
      if (isProof(user)) attempt.right();
      else attempt.canceled();
      return { kind: 'right', value: user };
    }
    attempt.wrong();
    await this.refused(refused, user?.id ?? null, address);
    return { kind: 'wrong' };
  }

  private find(email: string): Promise<User | null> {
    return this.dataSource.manager.findOneBy(User, { email: normalEmail(email) });
  }

  async refused(action: string, userId: string | null, address: string): Promise<void> {
    const unknown: Actor = { kind: 'system', id: null, name: null, address };
    const change = { teamId: null, action, target: { type: 'user', id: userId } };
    await withActor(() => this.audit.note(change), unknown);
  }
}
