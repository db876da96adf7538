import { Injectable } from '@nestjs/common';
import { hash, type Options, verify } from '@node-rs/argon2';
import { FairSemaphore } from '../fairness/fair-semaphore.js';
import { AppError } from '../http/app-error.js';
import { normalPassword } from './password-rules.js';

/** Its number in the package's enumeration, which does not exist at run time. */
const ARGON2ID = 2;
/** As OWASP recommends: 19 MiB and two passes, about a tenth of a second of one core. */
const OPTIONS: Options = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * The most passwords that are hashed at a time, half of the threads that Node has for files, names and hashes, and of
 * one network. The others wait, networks by turns.
 */
const AT_A_TIME = 2;
const AT_A_TIME_OF_NETWORK = 1;
/** In milliseconds. A sign-in that has not begun by then is refused. */
const LONGEST_WAIT_MS = 5_000;

/** Of a random password. It is verified where there is no hash, so that this takes as long. */
const NOBODYS =
  '$argon2id$v=19$m=19456,t=2,p=1$DGtQ/CtHPWwljiZN00Fgtg$hXEyOdeJpVIm47CLhlreQvHBq29HJAsEN9J6VQcOWOY';

class HashingPermits extends FairSemaphore {
  protected override refusal(): Error {
    return new AppError('RATE_LIMITED', 'Too many people sign in at once. Try again in a moment');
  }
}

/** Hashes passwords with argon2id, so few at a time that guesses leave the process its threads. */
@Injectable()
export class Passwords {
  private readonly permits = new HashingPermits(AT_A_TIME, AT_A_TIME_OF_NETWORK);

  /** @param network of the client. @throws AppError `RATE_LIMITED` when too many wait. */
  hash(password: string, network: string): Promise<string> {
    return this.permits.run(network, () => hash(normalPassword(password), OPTIONS), LONGEST_WAIT_MS);
  }

  /**
   * @param stored null: there is no password, which takes as long to say as that a password is wrong.
   * @throws as {@link hash}.
   */
  async isRight(password: string, stored: string | null, network: string): Promise<boolean> {
    const work = () => verify(stored ?? NOBODYS, normalPassword(password));
    const matches = await this.permits.run(network, work, LONGEST_WAIT_MS);
    return matches && stored !== null;
  }
}
