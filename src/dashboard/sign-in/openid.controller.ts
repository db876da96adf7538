import { Get, Logger, Post, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { notFound } from '../../http/app-error.js';
import { clientAddressOf } from '../../http/client-address.js';
import { type PageElement } from '../../http/html-page.js';
import { OpenIdProvider, ProviderAway } from '../../people/openid-provider.service.js';
import { OpenIdSignIn, type Return, type Returned } from '../../people/openid-sign-in.service.js';
import { SignInService } from '../../people/sign-in.service.js';
import {
  type DashboardRequest,
  pageAt,
  type PageRequest,
  Redirect,
  RefusedPage,
  RequestedPage,
} from '../frame/form.js';
import { PageAccess } from '../frame/page-access.service.js';
import { Needs } from '../frame/page-need.js';
import { Pages } from '../frame/page.decorator.js';
import { BrowserSession } from './browser-session.service.js';
import { type OpenIdAttempt, OpenIdAttempts } from './openid-attempts.service.js';
import { LeadingPage, ProviderAwayPage, SignInRefusedPage } from './openid.view.js';
import { waitPage } from './refusals.js';
import { waitText } from './wait-text.js';

const CALLBACK = '/login/oidc/callback';

/** Sign-in at the OpenID provider: the browser goes there, and comes back with a code. */
@Pages('')
export class OpenIdController {
  private readonly logger = new Logger(OpenIdController.name);

  constructor(
    private readonly provider: OpenIdProvider,
    private readonly openId: OpenIdSignIn,
    private readonly signIn: SignInService,
    private readonly attempts: OpenIdAttempts,
    private readonly access: PageAccess,
    private readonly browser: BrowserSession,
  ) {}

  /** @throws AppError `NOT_FOUND` where no provider is configured. */
  @Get('login/oidc')
  @Needs('public')
  async start(
    @RequestedPage() page: PageRequest,
    @Req() request: DashboardRequest,
  ): Promise<RefusedPage | Redirect> {
    this.requireProvider();
    const back = pageAt(page.parameter('back') ?? '');
    if (page.viewer !== null) return new Redirect(back);
    const begun = await this.begin(request, { purpose: 'sign-in', back });
    return begun === null ? away(page) : new Redirect(begun.url, [begun.cookie]);
  }

  /**
   * The browser may not send a form to the provider, nor be led there by the answer to a form. The answer is a page,
   * which leads on.
   *
   * @throws AppError `NOT_FOUND` where no provider is configured.
   */
  @Post('account/oidc')
  @Needs('signed-in')
  async connect(
    @RequestedPage() page: PageRequest,
    @Req() request: DashboardRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RefusedPage | PageElement> {
    this.requireProvider();
    const begun = await this.begin(request, { purpose: 'connect', back: '/account' });
    if (begun === null) return away(page);
    response.appendHeader('Set-Cookie', begun.cookie);
    response.status(200).set('Refresh', `0; url=${begun.url}`);
    return LeadingPage({ request: page, url: begun.url });
  }

  /** @throws AppError `NOT_FOUND` where no provider is configured. */
  @Get('login/oidc/callback')
  @Needs('public')
  async end(
    @RequestedPage() page: PageRequest,
    @Req() request: DashboardRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<RefusedPage | Redirect> {
    this.requireProvider();
    const attempt = this.attempts.of(request, page.viewer?.formKey ?? null);
    // The cookie of an attempt is valid for one callback.
    response.appendHeader('Set-Cookie', this.attempts.noCookie(request));
    const returned = await this.returned(request, attempt);
    if (returned.kind === 'away') return away(page);
    if (returned.kind === 'wait') {
      const text = waitText(returned.seconds);
      return waitPage(SignInRefusedPage({ request: page, text }), returned.seconds);
    }
    if (returned.kind === 'refused' || attempt === null)
      return new RefusedPage(SignInRefusedPage({ request: page }));
    if (attempt.purpose === 'connect') {
      return new Redirect(attempt.back, [this.access.noticeCookie('connected', request.binding, request)]);
    }
    const { person } = returned;
    const session = await this.signIn.identityAccepted(person, clientAddressOf(request), 'openid');
    return this.browser.intoOrToCode(request, session, { email: person.email, url: attempt.back });
  }

  private returned(request: DashboardRequest, attempt: OpenIdAttempt | null): Promise<Returned> {
    const { search } = new URL(request.originalUrl, 'http://localhost');
    const back: Return = {
      callback: new URL(this.callbackOf(request) + search),
      checks: attempt?.checks ?? null,
      address: clientAddressOf(request),
    };
    return attempt?.purpose === 'connect' && request.viewer !== null
      ? this.openId.connect(request.viewer, back)
      : this.openId.personOf(back);
  }

  /** @returns null: the provider is away. */
  private async begin(
    request: DashboardRequest,
    attempt: Pick<OpenIdAttempt, 'purpose' | 'back'>,
  ): Promise<{ url: string; cookie: string } | null> {
    try {
      const { url, checks } = await this.provider.begin(this.callbackOf(request));
      return { url, cookie: this.attempts.cookieFor({ ...attempt, checks }, request.binding, request) };
    } catch (error) {
      if (!(error instanceof ProviderAway)) throw error;
      this.logger.warn({ message: 'the OpenID provider is away', reason: error.message });
      return null;
    }
  }

  private callbackOf(request: DashboardRequest): string {
    return this.access.originOf(request) + CALLBACK;
  }

  private requireProvider(): void {
    if (!this.provider.isConfigured) throw notFound('Page');
  }
}

const away = (request: PageRequest): RefusedPage =>
  new RefusedPage(ProviderAwayPage({ request }), 503, { 'Retry-After': '10' });
