import { Injectable, Logger } from '@nestjs/common';
import { type Request } from 'express';
import { Config } from '../../config/config.js';
import { actAs } from '../../database/actor.js';
import { clientAddressOf, networkOf } from '../../http/client-address.js';
import { cookiesOf } from '../../http/cookies.js';
import { FailedAttempts } from '../../http/failed-attempts.js';
import { changesSomething, isSameOrigin } from '../../http/same-origin.js';
import { sameSecret } from '../../http/same-secret.js';
import { SESSION_COOKIE } from '../../people/session-cookie.js';
import { SessionsService } from '../../people/sessions.service.js';
import { basicCredentials } from './basic-credentials.js';

/** The answer to a request that is not let in; `text` is its body. */
export interface AccessRefusal {
  status: 401 | 403 | 404 | 429;
  headers: Record<string, string>;
  text: string;
}

const CHALLENGE = 'Basic realm="Outdial operations", charset="UTF-8"';
const OFF =
  'Sign in at /login as an operator to see the queue. Or set BULL_BOARD_PASSWORD (and BULL_BOARD_USER) and start again.';

/** After ten wrong passwords, all but one in six seconds are answered with 429. */
const LIMITS = { burst: 10, refillMs: 6_000 };

/**
 * Access to the board: with the session of an operator, or with the one user and password of the configuration (HTTP
 * Basic).
 *
 * Wrong passwords are limited by client address. The right password is never refused, because many people may share
 * the address of a proxy or a NAT. The board has no form tokens, so changes are accepted only from its own origin.
 */
@Injectable()
export class OperationsAccess {
  private readonly logger = new Logger(OperationsAccess.name);
  private readonly attempts = new FailedAttempts(LIMITS);
  private readonly expected: string | null;
  private readonly user: string;

  constructor(
    { bullBoardUser: user, bullBoardPassword: password }: Config,
    private readonly sessions: SessionsService,
  ) {
    this.user = user;
    this.expected = password === undefined ? null : `${user}:${password}`;
  }

  /** Checks one request; null: it is let in. The check changes only the count of failures, and names the actor. */
  async refusalOf(request: Request): Promise<AccessRefusal | null> {
    const refusal = (await this.isOperator(request)) ? null : this.refusalByPassword(request);
    if (refusal !== null) return refusal;
    if (changesSomething(request) && !isSameOrigin(request)) {
      return refused(403, 'This request came from another site, so nothing was changed.');
    }
    return null;
  }

  /** Whether the browser is signed in to the dashboard as an operator. */
  private async isOperator(request: Request): Promise<boolean> {
    for (const token of cookiesOf(request, SESSION_COOKIE)) {
      const viewer = await this.sessions.viewerOf(token);
      if (viewer === null) continue;
      const { userId: id, email: name, operator } = viewer;
      if (operator) actAs({ kind: 'user', id, name, address: clientAddressOf(request) });
      return operator;
    }
    return false;
  }

  private refusalByPassword(request: Request): AccessRefusal | null {
    if (this.expected === null) return refused(404, OFF);
    const { authorization } = request.headers;
    if (authorization === undefined) return challenge('Sign in to see the queue.');
    if (sameSecret(basicCredentials(authorization) ?? '', this.expected)) {
      actAs({ kind: 'token', id: null, name: this.user, address: clientAddressOf(request) });
      return null;
    }
    const wait = this.attempts.fail(networkOf(clientAddressOf(request)));
    this.logger.warn('wrong user or password for the board');
    if (wait === null) return challenge('Wrong user or password.');
    const text = `Too many wrong passwords. Try again in ${wait} seconds.`;
    return refused(429, text, { 'Retry-After': String(wait) });
  }
}

const challenge = (text: string) => refused(401, text, { 'WWW-Authenticate': CHALLENGE });

function refused(
  status: AccessRefusal['status'],
  text: string,
  headers: Record<string, string> = {},
): AccessRefusal {
  return { status, headers, text };
}
