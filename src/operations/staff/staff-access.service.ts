import { createHash, createHmac, randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { Injectable, Logger } from '@nestjs/common';
import { type Request } from 'express';
import { Config } from '../../config/config.js';
import { sameSecret } from '../../http/same-secret.js';
import { basicCredentials } from './basic-credentials.js';
import { FailedAttempts } from './failed-attempts.js';
import { changesSomething, isSameOrigin } from './same-origin.js';

/** Why staff's pages are not shown; `text` is for people. */
export interface StaffRefusal {
  status: 401 | 403 | 404 | 429;
  headers: Record<string, string>;
  text: string;
}

/** `cookie` is what a browser that came for the first time shall keep; `visit` names this browser from then on. */
export type StaffVerdict =
  { ok: true; visit: string; cookie: string | null } | { ok: false; refusal: StaffRefusal };

const COOKIE = 'outdial_staff';
const VISIT = /^[\w-]{22}\.[\w-]{43}$/;
const CHALLENGE = 'Basic realm="Outdial operations", charset="UTF-8"';
const OFF =
  'The operations pages are switched off. To switch them on, set BULL_BOARD_PASSWORD (and BULL_BOARD_USER) and start again.';

/**
 * Who may see the pages of operations: whoever knows the one user and password of the configuration (HTTP Basic).
 *
 * Failures are limited by address. A browser that was let in once keeps a signed cookie and has a limit of its own, so
 * that nobody who works here is shut out by what others try from behind the same proxy. The cookie alone lets nobody
 * in; it also carries what forms are protected with.
 */
@Injectable()
export class StaffAccess {
  private readonly logger = new Logger(StaffAccess.name);
  private readonly attempts = new FailedAttempts();
  private readonly expected: string | null;
  private readonly key: Buffer;

  constructor(config: Config) {
    const { bullBoardUser: user, bullBoardPassword: password, operatorToken } = config;
    this.expected = password === undefined ? null : `${user}:${password}`;
    // The same in every process. The operator's token is in it, because people choose passwords that can be guessed.
    this.key = createHash('sha256')
      .update(JSON.stringify(['outdial staff', operatorToken, this.expected]))
      .digest();
  }

  /** Judges one request, without changing anything but the count of failures. */
  judge(request: Request): StaffVerdict {
    if (this.expected === null) return refused(404, OFF);
    const known = this.visitOf(request);
    const visitor = known ?? addressOf(request);
    const { authorization } = request.headers;
    if (authorization === undefined) return this.challenge('Sign in to see the operations pages.');
    const wait = this.attempts.waitSeconds(visitor);
    if (wait > 0) {
      const text = `Too many wrong passwords. Try again in ${wait} seconds.`;
      return refused(429, text, { 'Retry-After': String(wait) });
    }
    if (!sameSecret(basicCredentials(authorization) ?? '', this.expected)) {
      this.attempts.failed(visitor);
      this.logger.warn('wrong user or password for the operations pages');
      return this.challenge('Wrong user or password.');
    }
    if (changesSomething(request) && !isSameOrigin(request)) {
      return refused(403, 'This request came from another site, so nothing was changed.');
    }
    const visit = known ?? this.newVisit();
    return { ok: true, visit, cookie: known === null ? cookieOf(visit, request) : null };
  }

  /** What the forms of one browser carry, so that no other site can send them. */
  formToken(visit: string): string {
    return this.sign('form', visit);
  }

  isFormToken(token: string, visit: string): boolean {
    return sameSecret(token, this.formToken(visit));
  }

  private challenge(text: string): StaffVerdict {
    return refused(401, text, { 'WWW-Authenticate': CHALLENGE });
  }

  private newVisit(): string {
    const id = randomBytes(16).toString('base64url');
    return `${id}.${this.sign('visit', id)}`;
  }

  /** The visit that the request's cookie names, if we signed it. */
  private visitOf(request: Request): string | null {
    for (const pair of (request.headers.cookie ?? '').split(';')) {
      const [name, value = ''] = pair.trim().split('=');
      if (name !== COOKIE || !VISIT.test(value)) continue;
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
  status: StaffRefusal['status'],
  text: string,
  headers: Record<string, string> = {},
): StaffVerdict {
  return { ok: false, refusal: { status, headers, text } };
}

function cookieOf(visit: string, request: Request): string {
  // Behind a proxy only its word tells; a client that lies harms its own cookie.
  const secure = request.secure || request.headers['x-forwarded-proto'] === 'https';
  return `${COOKIE}=${visit}; Path=/admin; Max-Age=${30 * 86_400}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
}

/** Of IPv6 the half that a network has to itself: its other half is anybody's choice. */
function addressOf(request: Request): string {
  const address = request.socket.remoteAddress ?? '';
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const groups = head.split(':');
  return tail === undefined || groups.length >= 4 ? groups.slice(0, 4).join(':') : `${head}::`;
}
