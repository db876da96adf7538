import { createHash, createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { Config } from '../../config/config.js';
import { cookiesOf, cookieText } from '../../http/cookies.js';
import { UUID } from '../../domain/uuid.js';
import { isHttps } from '../../http/https.js';
import { sameSecret } from '../../http/same-secret.js';
import { SESSION_COOKIE } from '../../people/session-cookie.js';
import { LONGEST_DAYS } from '../../people/session-limits.js';
import { SessionsService } from '../../people/sessions.service.js';
import { type Viewer } from '../../people/viewer.js';

export { SESSION_COOKIE };

const VISIT_COOKIE = 'outdial_visit';
const NOTICE_COOKIE = 'outdial_notice';
const NOTICE = /^([a-z]{1,20})\.([\w-]{43})$/;
const VISIT = /^[\w-]{22}\.[\w-]{43}$/;
const VISIT_SECONDS = 30 * 86_400;
/** A notice that no page has shown expires after this many seconds. */
const NOTICE_SECONDS = 60;
/** The hosts at which browsers keep `Secure` cookies over plain HTTP, or need none. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * The cookies of the pages. The session's cookie names the person; before sign-in, the visit's cookie binds the
 * tokens of forms to a browser.
 */
@Injectable()
export class PageAccess {
  private readonly key: Buffer;

  constructor(
    private readonly config: Config,
    private readonly sessions: SessionsService,
  ) {
    // The same in every process.
    this.key = createHash('sha256')
      .update(JSON.stringify(['outdial pages', config.operatorToken]))
      .digest();
  }

  /**
   * The person who is signed in in this browser. What the script of an open page asks for is no use of the session,
   * which would else never be idle.
   */
  async viewerOf(request: Request): Promise<Viewer | null> {
    const isUse = request.headers['hx-request'] === undefined;
    for (const token of cookiesOf(request, SESSION_COOKIE)) {
      const viewer = await this.sessions.viewerOf(token, isUse);
      if (viewer !== null) return viewer;
    }
    return null;
  }

  /** Notes the team whose page a person opens, or that an operator opens one of the platform. */
  async noteOpened(request: Request, viewer: Viewer): Promise<void> {
    const { method, headers, params, path } = request;
    // Parts of an open page, and its events, are asked for by its script.
    const isOpened = method === 'GET' && headers['hx-request'] === undefined && !path.endsWith('/live');
    const teamId = typeof params.teamId === 'string' ? params.teamId : null;
    // What is no id is no team, and its page says so.
    if (teamId !== null && !UUID.test(teamId)) return;
    if (isOpened && (teamId !== null || /^\/platform(?:\/|$)/.test(path)))
      await this.sessions.noteTeam(viewer, teamId);
  }

  /** @param token as `SessionsService.begin` returns it. */
  sessionCookie(token: string, request: Request): string {
    return this.cookie(SESSION_COOKIE, token, LONGEST_DAYS * 86_400, request);
  }

  noSessionCookie(request: Request): string {
    return this.cookie(SESSION_COOKIE, '', 0, request);
  }

  /** What binds the forms of this browser before sign-in, and the cookie to set; null: the browser has it. */
  visitOf(request: Request): { visit: string; cookie: string | null } {
    for (const value of cookiesOf(request, VISIT_COOKIE)) {
      const [id = '', signature = ''] = value.split('.');
      if (VISIT.test(value) && sameSecret(signature, this.sign('visit', id)))
        return { visit: value, cookie: null };
    }
    const id = randomBytes(16).toString('base64url');
    const visit = `${id}.${this.sign('visit', id)}`;
    return { visit, cookie: this.cookie(VISIT_COOKIE, visit, VISIT_SECONDS, request) };
  }

  /** The token in the forms of one browser, so that no other site can send them. @param binding of the browser. */
  formToken(binding: string): string {
    return this.sign('form', binding);
  }

  isFormToken(token: string, binding: string): boolean {
    return sameSecret(token, this.formToken(binding));
  }

  /** Sets the notice that the next page shows this browser once. @param name in lower-case letters. */
  noticeCookie(name: string, binding: string, request: Request): string {
    const value = `${name}.${this.sign('notice', `${binding} ${name}`)}`;
    return this.cookie(NOTICE_COOKIE, value, NOTICE_SECONDS, request);
  }

  /** The notice that the request's cookie names, if it was signed for this browser. */
  noticeOf(request: Request, binding: string): string | null {
    for (const value of cookiesOf(request, NOTICE_COOKIE)) {
      const [, name = '', signature = ''] = NOTICE.exec(value) ?? [];
      if (name !== '' && sameSecret(signature, this.sign('notice', `${binding} ${name}`))) return name;
    }
    return null;
  }

  /** Removes the notice after it was shown. */
  noNoticeCookie(request: Request): string {
    return this.cookie(NOTICE_COOKIE, '', 0, request);
  }

  /** The token of the viewer's session; undefined: the browser names no such session. */
  tokenOf(request: Request, viewer: Viewer): string | undefined {
    return this.sessionTokensOf(request).find((token) => this.sessions.isOf(token, viewer));
  }

  /** The tokens of the sessions that this browser names. */
  sessionTokensOf(request: Request): string[] {
    return cookiesOf(request, SESSION_COOKIE).filter((token) => token !== '');
  }

  /** The beginning of links to pages, such as `https://outdial.example.com`. */
  originOf(request: Request): string {
    const { publicUrl } = this.config;
    return publicUrl ?? `${isHttps(request) ? 'https' : 'http'}://${request.headers.host ?? 'localhost'}`;
  }

  /** Whether this browser will not send the session's cookie back, because it came without encryption. */
  losesCookies(request: Request): boolean {
    return this.isSecure(request) && !isHttps(request);
  }

  private isSecure(request: Request): boolean {
    if (isHttps(request)) return true;
    return this.config.nodeEnv === 'production' && !LOOPBACK.test(request.headers.host ?? '');
  }

  /** A cookie of this site, which no script reads. */
  cookie(name: string, value: string, seconds: number, request: Request): string {
    return cookieText({ name, value, path: '/', seconds, sameSite: 'Lax', secure: this.isSecure(request) });
  }

  /** A signature that only this deployment makes. @param what it is for, so that no signature serves two ends. */
  sign(what: string, text: string): string {
    return createHmac('sha256', this.key).update(`${what} ${text}`).digest('base64url');
  }
}
