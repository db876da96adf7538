import { createHash, createHmac, randomBytes } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { type Request } from 'express';
import { Config } from '../../config/config.js';
import { clientAddressOf, networkOf } from '../../http/client-address.js';
import { FailedAttempts } from '../../http/failed-attempts.js';
import { isHttps } from '../../http/https.js';
import { sameSecret } from '../../http/same-secret.js';
import { basicCredentials } from './basic-credentials.js';
import { changesSomething, isSameOrigin } from '../../http/same-origin.js';

/** The answer to a request that is not let in; `text` is its body. */
export interface AccessRefusal {
  status: 401 | 403 | 404 | 429;
  headers: Record<string, string>;
  text: string;
}

/** `visit` identifies the browser. `cookie` is the cookie to set, or null if the browser sent a valid one. */
export type AccessResult =
  { ok: true; visit: string; cookie: string | null } | { ok: false; refusal: AccessRefusal };

const COOKIE = 'outdial_staff';
const NOTICE_COOKIE = 'outdial_notice';
const NOTICE = /^([a-z]{1,20})\.([\w-]{43})$/;
const VISIT = /^[\w-]{22}\.[\w-]{43}$/;
const VISIT_SECONDS = 30 * 86_400;
/** A notice that no page has shown expires after this many seconds. */
const NOTICE_SECONDS = 60;
const CHALLENGE = 'Basic realm="Outdial operations", charset="UTF-8"';
const OFF =
  'The operations pages are switched off. To switch them on, set BULL_BOARD_PASSWORD (and BULL_BOARD_USER) and start again.';

/** After ten wrong passwords, all but one in six seconds are answered with 429. */
const LIMITS = { burst: 10, refillMs: 6_000 };

/**
 * Access to the operations pages, with the one user and password of the configuration (HTTP Basic).
 *
 * The password is checked first. Wrong passwords are limited by client address. The right password is never
 * refused, because many people may share the address of a proxy or a NAT. The signed cookie does not replace
 * the password: it binds the tokens of forms to a browser.
 */
@Injectable()
export class OperationsAccess {
  private readonly logger = new Logger(OperationsAccess.name);
  private readonly attempts = new FailedAttempts(LIMITS);
  private readonly expected: string | null;
  private readonly key: Buffer;

  constructor(config: Config) {
    const { bullBoardUser: user, bullBoardPassword: password, operatorToken } = config;
    this.expected = password === undefined ? null : `${user}:${password}`;
    // The key is the same in every process. It includes the operator's token, because a password may be
    // guessable.
    this.key = createHash('sha256')
      .update(JSON.stringify(['outdial staff', operatorToken, this.expected]))
      .digest();
  }

  /** Checks one request. The check changes only the count of failures. */
  check(request: Request): AccessResult {
    if (this.expected === null) return refused(404, OFF);
    const { authorization } = request.headers;
    if (authorization === undefined) return this.challenge('Sign in to see the operations pages.');
    if (!sameSecret(basicCredentials(authorization) ?? '', this.expected)) {
      return this.failed(networkOf(clientAddressOf(request)));
    }
    if (changesSomething(request) && !isSameOrigin(request)) {
      return refused(403, 'This request came from another site, so nothing was changed.');
    }
    const known = this.visitOf(request);
    const visit = known ?? this.newVisit();
    return {
      ok: true,
      visit,
      cookie: known === null ? cookieOf(COOKIE, visit, VISIT_SECONDS, request) : null,
    };
  }

  /** The token in the forms of one browser, so that no other site can send them. */
  formToken(visit: string): string {
    return this.sign('form', visit);
  }

  isFormToken(token: string, visit: string): boolean {
    return sameSecret(token, this.formToken(visit));
  }

  /** Sets the notice that the next page shows this browser once. @param name in lower-case letters. */
  noticeCookie(name: string, visit: string, request: Request): string {
    const value = `${name}.${this.sign('notice', `${visit} ${name}`)}`;
    return cookieOf(NOTICE_COOKIE, value, NOTICE_SECONDS, request);
  }

  /** The notice that the request's cookie names, if it was signed for this browser. */
  noticeOf(request: Request, visit: string): string | null {
    for (const value of cookiesOf(request, NOTICE_COOKIE)) {
      const [, name = '', signature = ''] = NOTICE.exec(value) ?? [];
      if (name !== '' && sameSecret(signature, this.sign('notice', `${visit} ${name}`))) return name;
    }
    return null;
  }

  /** Removes the notice after it was shown. */
  noNoticeCookie(request: Request): string {
    return cookieOf(NOTICE_COOKIE, '', 0, request);
  }

  private failed(network: string): AccessResult {
    const wait = this.attempts.fail(network);
    this.logger.warn('wrong user or password for the operations pages');
    if (wait === null) return this.challenge('Wrong user or password.');
    const text = `Too many wrong passwords. Try again in ${wait} seconds.`;
    return refused(429, text, { 'Retry-After': String(wait) });
  }

  private challenge(text: string): AccessResult {
    return refused(401, text, { 'WWW-Authenticate': CHALLENGE });
  }

  private newVisit(): string {
    const id = randomBytes(16).toString('base64url');
    return `${id}.${this.sign('visit', id)}`;
  }

  /** The visit that the request's cookie names, if its signature is valid. */
  private visitOf(request: Request): string | null {
    for (const value of cookiesOf(request, COOKIE)) {
      if (!VISIT.test(value)) continue;
      const [id = '', signature = ''] = value.split('.');
      if (sameSecret(signature, this.sign('visit', id))) return value;
    }
    return null;
  }

  private sign(what: string, text: string): string {
    return createHmac('sha256', this.key).update(`${what} ${text}`).digest('base64url');
  }
}

function refused(
  status: AccessRefusal['status'],
  text: string,
  headers: Record<string, string> = {},
): AccessResult {
  return { ok: false, refusal: { status, headers, text } };
}

/** The values of every cookie of that name. */
function cookiesOf(request: Request, name: string): string[] {
  return (request.headers.cookie ?? '').split(';').flatMap((pair) => {
    const [own, value = ''] = pair.trim().split('=');
    return own === name ? [value] : [];
  });
}

function cookieOf(name: string, value: string, seconds: number, request: Request): string {
  const secure = isHttps(request) ? '; Secure' : '';
  return `${name}=${value}; Path=/admin; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`;
}
