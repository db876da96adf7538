import { Get, Post, Req } from '@nestjs/common';
import { AppError, notFound } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { OpenIdProvider } from '../../people/openid-provider.service.js';
import { OpenIdSignIn } from '../../people/openid-sign-in.service.js';
import { PeopleService } from '../../people/people.service.js';
import { SignInService } from '../../people/sign-in.service.js';
import {
  type DashboardRequest,
  Done,
  Form,
  type PageRequest,
  Redirect,
  RefusedPage,
  refusalText,
  RequestedPage,
} from '../frame/form.js';
import { Needs } from '../frame/page-need.js';
import { Pages } from '../frame/page.decorator.js';
import { type AccountFaults, AccountPage, NO_FAULTS } from './account.view.js';
import { BrowserSession } from './browser-session.service.js';
import { notChecked, refusedFor, waitPage } from './refusals.js';
import { KnownBrowsers } from './known-browsers.service.js';
import { StartService } from './start.service.js';
import { viewerOf } from './signed-in-viewer.js';
import { type Viewer } from '../../people/viewer.js';
import { StartPage } from './start.view.js';
import { waitText } from './wait-text.js';

type Sent = ReadonlyMap<string, string>;

const WRONG_PASSWORD = 'This is not your password.';

/** The beginning, and a person's own account. */
@Pages('')
export class AccountController {
  constructor(
    private readonly starts: StartService,
    private readonly signIn: SignInService,
    private readonly people: PeopleService,
    private readonly browsers: KnownBrowsers,
    private readonly browser: BrowserSession,
    private readonly provider: OpenIdProvider,
    private readonly openId: OpenIdSignIn,
  ) {}

  @Get('start')
  @Needs('signed-in')
  async start(@RequestedPage() request: PageRequest): Promise<PageElement | Redirect> {
    const viewer = viewerOf(request);
    const isChoice = request.parameter('all') !== null;
    const beginning = isChoice ? null : await this.starts.beginningOf(viewer);
    return beginning === null ? StartPage({ request, viewer }) : new Redirect(beginning);
  }

  @Get('account')
  @Needs('signed-in')
  async account(@RequestedPage() request: PageRequest): Promise<PageElement> {
    return this.accountPage(request);
  }

  @Post('account/timezone')
  @Needs('signed-in')
  async setTimeZone(@RequestedPage() page: PageRequest, @Form() form: Sent): Promise<RefusedPage | Done> {
    const timezone = (form.get('timezone') ?? '').trim() || null;
    try {
      await this.people.setTimeZone(viewerOf(page).userId, timezone);
    } catch (error) {
      const fault = `The time zone ${refusalText(error).replace(/^timezone /, '')}.`;
      return this.refused(page, { ...NO_FAULTS, timezone: fault }, timezone);
    }
    return new Done(form, 'zonechanged');
  }

  /** @throws AppError `NOT_FOUND` where no provider is configured. */
  @Post('account/oidc/disconnect')
  @Needs('signed-in')
  async disconnect(
    @RequestedPage() page: PageRequest,
    @Form() form: Sent,
    @Req() request: DashboardRequest,
  ): Promise<RefusedPage | Redirect> {
    if (!this.provider.isConfigured) throw notFound('Page');
    const viewer = viewerOf(page);
    const origin = this.browsers.originOf(request, viewer.email);
    const outcome = await this.openId
      .disconnect(viewer, form.get('password') ?? '', origin)
      .catch(notChecked);
    if (outcome.kind === 'right') {
      const leads = { email: viewer.email, url: '/account', notice: 'disconnected' };
      return this.browser.into(request, outcome.value, leads);
    }
    const around = { ...page, notice: null };
    const hasPassword = await this.signIn.hasPassword(viewer.userId);
    const isConnected = await this.isConnected(viewer);
    return refusedFor(outcome, WRONG_PASSWORD, ({ whole, field }) =>
      AccountPage({
        request: around,
        viewer,
        hasPassword,
        isConnected,
        faults: { ...NO_FAULTS, openid: whole, openidPassword: field },
      }),
    );
  }

  @Post('account/password')
  @Needs('signed-in')
  async changePassword(
    @RequestedPage() page: PageRequest,
    @Form() form: Sent,
    @Req() request: DashboardRequest,
  ): Promise<RefusedPage | Redirect> {
    const viewer = viewerOf(page);
    const sent = { current: form.get('current') ?? '', chosen: form.get('password') ?? '' };
    const origin = this.browsers.originOf(request, viewer.email);
    const outcome = await this.signIn.changePassword(viewer, sent, origin).catch(faultOf);
    if (outcome.kind === 'right') {
      const leads = { email: viewer.email, url: '/account', notice: 'passwordchanged' };
      return this.browser.into(request, outcome.value, leads);
    }
    const faults = {
      ...NO_FAULTS,
      form: outcome.kind === 'wait' ? waitText(outcome.seconds) : null,
      current: outcome.kind === 'wrong' ? WRONG_PASSWORD : null,
      password: outcome.kind === 'refused' ? outcome.text : null,
    };
    return outcome.kind === 'wait'
      ? this.refused(page, faults, undefined, outcome.seconds)
      : this.refused(page, faults);
  }

  private async accountPage(
    request: PageRequest,
    faults?: AccountFaults,
    timezone?: string | null,
  ): Promise<PageElement> {
    const viewer = viewerOf(request);
    const hasPassword = await this.signIn.hasPassword(viewer.userId);
    const isConnected = await this.isConnected(viewer);
    return AccountPage({ request, viewer, hasPassword, isConnected, faults, timezone });
  }

  /** @param seconds to wait before the next try. */
  private async refused(
    page: PageRequest,
    faults: AccountFaults,
    timezone?: string | null,
    seconds?: number,
  ): Promise<RefusedPage> {
    const shown = await this.accountPage({ ...page, notice: null }, faults, timezone);
    return seconds === undefined ? new RefusedPage(shown) : waitPage(shown, seconds);
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
