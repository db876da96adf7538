import { Get, Post, Req } from '@nestjs/common';
import { AppError } from '../../http/app-error.js';
import { clientAddressOf } from '../../http/client-address.js';
import { type PageElement } from '../../http/html-page.js';
import { OpenIdProvider } from '../../people/openid-provider.service.js';
import { OpenIdSignIn } from '../../people/openid-sign-in.service.js';
import { SignInService } from '../../people/sign-in.service.js';
import {
  type DashboardRequest,
  Form,
  type PageRequest,
  Redirect,
  RefusedPage,
  RequestedPage,
} from '../frame/form.js';
import { Needs } from '../frame/page-need.js';
import { Pages } from '../frame/page.decorator.js';
import { AccountPage } from './account.view.js';
import { BrowserSession } from './browser-session.service.js';
import { KnownBrowsers } from './known-browsers.service.js';
import { StartService } from './start.service.js';
import { viewerOf } from './signed-in-viewer.js';
import { type Viewer } from '../../people/viewer.js';
import { StartPage } from './start.view.js';
import { waitText } from './wait-text.js';

/** The beginning, and a person's own account. */
@Pages('')
export class AccountController {
  constructor(
    private readonly starts: StartService,
    private readonly signIn: SignInService,
    private readonly browsers: KnownBrowsers,
    private readonly browser: BrowserSession,
    private readonly provider: OpenIdProvider,
    private readonly openId: OpenIdSignIn,
  ) {}

  @Get('start')
  @Needs('signed-in')
  async start(@RequestedPage() request: PageRequest): Promise<PageElement | Redirect> {
    const viewer = viewerOf(request);
    const beginning = await this.starts.beginningOf(viewer);
    return beginning === null ? StartPage({ request, viewer }) : new Redirect(beginning);
  }

  @Get('account')
  @Needs('signed-in')
  async account(@RequestedPage() request: PageRequest): Promise<PageElement> {
    const viewer = viewerOf(request);
    const hasPassword = await this.signIn.hasPassword(viewer.userId);
    return AccountPage({ request, viewer, hasPassword, isConnected: await this.isConnected(viewer) });
  }

  @Post('account/password')
  @Needs('signed-in')
  async changePassword(
    @RequestedPage() page: PageRequest,
    @Form() form: ReadonlyMap<string, string>,
    @Req() request: DashboardRequest,
  ): Promise<RefusedPage | Redirect> {
    const viewer = viewerOf(page);
    const sent = { current: form.get('current') ?? '', chosen: form.get('password') ?? '' };
    const origin = { address: clientAddressOf(request), browser: this.browsers.idOf(request, viewer.email) };
    const outcome = await this.signIn.changePassword(viewer, sent, origin).catch(faultOf);
    if (outcome.kind === 'right') {
      const leads = { email: viewer.email, url: '/account', notice: 'passwordchanged' };
      return this.browser.into(request, outcome.value, leads);
    }
    const faults = {
      form: outcome.kind === 'wait' ? waitText(outcome.seconds) : null,
      current: outcome.kind === 'wrong' ? 'This is not your password.' : null,
      password: outcome.kind === 'refused' ? outcome.text : null,
    };
    const isConnected = await this.isConnected(viewer);
    const around = { ...page, notice: null };
    const shown = AccountPage({ request: around, viewer, hasPassword: true, isConnected, faults });
    return outcome.kind === 'wait'
      ? new RefusedPage(shown, 429, { 'Retry-After': String(outcome.seconds) })
      : new RefusedPage(shown);
  }

  /** Null where no OpenID provider is configured. */
  private async isConnected({ userId }: Viewer): Promise<boolean | null> {
    return this.provider.isConfigured ? this.openId.isConnected(userId) : null;
  }
}

function faultOf(error: unknown): { kind: 'refused'; text: string } | { kind: 'wait'; seconds: number } {
  if (error instanceof AppError && error.code === 'INVALID_REQUEST') {
    return { kind: 'refused', text: `The ${error.message}.` };
  }
  if (error instanceof AppError && error.code === 'RATE_LIMITED') return { kind: 'wait', seconds: 1 };
  throw error;
}
