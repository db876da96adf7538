import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { AppError } from './app-error.js';
import { type AddressedRequest, clientAddressOf, networkOf } from './client-address.js';
import { FailedAttempts } from './failed-attempts.js';

/**
 * Twenty failures a second let a client notice a wrong setting. They are too few to guess keys, or to make
 * the process look up many invented keys. The burst is as many failures as ten seconds grant. It suffices for
 * a backend whose key has just been revoked, or for a scanner that requests every route once.
 */
const LIMITS = { burst: 200, refillMs: 50 };

export const TOO_MANY_FAILURES = 'Too many failed authentications';

/**
 * Counts wrong keys, tokens and signatures by client address, for all surfaces together. The credential is
 * checked first and only a failure is counted, so a valid credential is not refused because of failures from
 * the same address. A request without a credential is not counted.
 */
@Injectable()
export class FailedAuthentications {
  private readonly attempts = new FailedAttempts(LIMITS);

  /**
   * Counts a request whose credential is wrong.
   *
   * @param header the name of the header with the key, token or signature, in lower case.
   * @throws AppError `RATE_LIMITED` where the address has no failures left; `Retry-After` is set on the
   *   response.
   */
  count(request: Request, header?: string): void {
    const wait = this.waitAfter(request, header);
    if (wait === null) return;
    request.res?.setHeader('Retry-After', wait);
    throw new AppError('RATE_LIMITED', TOO_MANY_FAILURES);
  }

  /**
   * Counts a failure without throwing.
   * @returns the seconds until the address may fail again; null if it had failures left, or if the request
   *   has no credential.
   */
  waitAfter(request: AddressedRequest, header = 'authorization'): number | null {
    if (request.headers[header] === undefined) return null;
    return this.attempts.fail(networkOf(clientAddressOf(request)));
  }
}
