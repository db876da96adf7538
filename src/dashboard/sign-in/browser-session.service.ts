import { Injectable } from '@nestjs/common';
import { SessionsService } from '../../people/sessions.service.js';
import { type BegunSession, type PendingSignIn } from '../../people/sign-in.service.js';
import { address } from '../design/address.js';
import { type DashboardRequest, Redirect } from '../frame/form.js';
import { PageAccess } from '../frame/page-access.service.js';
import { KnownBrowsers } from './known-browsers.service.js';
import { PendingSignIns } from './pending-sign-ins.service.js';

/** Puts a session that has begun into its browser. */
@Injectable()
export class BrowserSession {
  constructor(
    private readonly access: PageAccess,
    private readonly browsers: KnownBrowsers,
    private readonly pending: PendingSignIns,
    private readonly sessions: SessionsService,
  ) {}

  /** As {@link into}, or leads to the question for the code, and from there to the same page. */
  async intoOrToCode(
    request: DashboardRequest,
    begun: BegunSession | PendingSignIn,
    leads: { email: string; url: string },
  ): Promise<Redirect> {
    if ('token' in begun) return this.into(request, begun, leads);
    const cookies = this.pending.cookiesFor(begun, request);
    return new Redirect(address('/login/code', { back: leads.url }), cookies);
  }

  /**
   * Ends the sessions that the browser had, of this person or another, and leads on with the new one.
   * @param notice that the next page shows, in lower-case letters.
   */
  async into(
    request: DashboardRequest,
    { token }: BegunSession,
    { email, url, notice }: { email: string; url: string; notice?: string },
  ): Promise<Redirect> {
    for (const earlier of this.access.sessionTokensOf(request)) await this.sessions.end(earlier);
    const cookies = [this.access.sessionCookie(token, request), this.browsers.cookieFor(request, email)];
    const viewer = notice === undefined ? null : await this.sessions.viewerOf(token);
    if (notice !== undefined && viewer !== null) {
      cookies.push(this.access.noticeCookie(notice, viewer.formKey, request));
    }
    return new Redirect(url, cookies);
  }
}
