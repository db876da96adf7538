import { Injectable } from '@nestjs/common';
import { SessionsService } from '../../people/sessions.service.js';
import { type BegunSession } from '../../people/sign-in.service.js';
import { type DashboardRequest, Redirect } from '../frame/form.js';
import { PageAccess } from '../frame/page-access.service.js';
import { KnownBrowsers } from './known-browsers.service.js';

/** Puts a session that has begun into its browser. */
@Injectable()
export class BrowserSession {
  constructor(
    private readonly access: PageAccess,
    private readonly browsers: KnownBrowsers,
    private readonly sessions: SessionsService,
  ) {}

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
