import { Get, Post, Req } from '@nestjs/common';
import { AppError } from '../../http/app-error.js';
import { clientAddressOf } from '../../http/client-address.js';
import { type PageElement } from '../../http/html-page.js';
import { SignInService } from '../../people/sign-in.service.js';
import {
  type DashboardRequest,
  Form,
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
import { KnownBrowsers } from './known-browsers.service.js';
import { waitPage } from './refusals.js';
import { SignInPages } from './sign-in-pages.service.js';
import { waitText } from './wait-text.js';

type Sent = ReadonlyMap<string, string>;

const WRONG = 'E-mail or password is wrong.';

/** Sign-in and sign-out. */
@Pages('')
export class SignInController {
  constructor(
    private readonly signIn: SignInService,
    private readonly access: PageAccess,
    private readonly browsers: KnownBrowsers,
    private readonly browser: BrowserSession,
    private readonly pages: SignInPages,
  ) {}

  @Get('login')
  @Needs('public')
  form(@RequestedPage() page: PageRequest, @Req() request: DashboardRequest): PageElement | Redirect {
    const back = pageAt(page.parameter('back') ?? '');
    if (page.viewer !== null) return new Redirect(back);
    return this.pages.page(request, { page, back });
  }

  @Post('login')
  @Needs('public')
  async send(
    @RequestedPage() page: PageRequest,
    @Form() form: Sent,
    @Req() request: DashboardRequest,
  ): Promise<RefusedPage | Redirect> {
    const email = form.get('email') ?? '';
    const back = pageAt(form.get('back') ?? '');
    const origin = this.browsers.originOf(request, email);
    const outcome = await this.signIn
      .withPassword({ email, password: form.get('password') ?? '' }, origin)
      .catch(tooMany);
    if (outcome.kind === 'right')
      return this.browser.intoOrToCode(request, outcome.value, { email, url: back });
    const refusal = outcome.kind === 'wait' ? waitText(outcome.seconds) : WRONG;
    const shown = this.pages.page(request, { page, back, email, refusal });
    return outcome.kind === 'wait' ? waitPage(shown, outcome.seconds) : new RefusedPage(shown);
  }

  @Post('logout')
  @Needs('signed-in')
  async end(@Req() request: DashboardRequest): Promise<Redirect> {
    const tokens = this.access.sessionTokensOf(request);
    if (request.viewer !== null) {
      await this.signIn.signOut(request.viewer, tokens, clientAddressOf(request));
    }
    return new Redirect('/login', [this.access.noSessionCookie(request)]);
  }

  @Post('logout/everywhere')
  @Needs('signed-in')
  async endAll(@Req() request: DashboardRequest): Promise<Redirect> {
    if (request.viewer !== null)
      await this.signIn.signOutEverywhere(request.viewer, clientAddressOf(request));
    return new Redirect('/login', [this.access.noSessionCookie(request)]);
  }
}

/** Too many passwords wait to be checked. */
function tooMany(error: unknown): { kind: 'wait'; seconds: number } {
  if (error instanceof AppError && error.code === 'RATE_LIMITED') return { kind: 'wait', seconds: 1 };
  throw error;
}
