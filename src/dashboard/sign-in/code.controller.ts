import { Get, Post, Req } from '@nestjs/common';
import { clientAddressOf } from '../../http/client-address.js';
import { type PageElement } from '../../http/html-page.js';
import { OpenIdProvider } from '../../people/openid-provider.service.js';
import { SignInService } from '../../people/sign-in.service.js';
import { type Person } from '../../people/links.service.js';
import { address } from '../design/address.js';
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
import { CodePage } from './code.view.js';
import { KnownBrowsers } from './known-browsers.service.js';
import { PendingSignIns } from './pending-sign-ins.service.js';
import { notChecked, refusedFor, WRONG_CODE } from './refusals.js';
import { SignInPage } from './sign-in.view.js';

const EXPIRED = 'The code came too late, or from another browser. Sign in again.';

/** The second step of a sign-in, after the right password. */
@Pages('login/code')
export class CodeController {
  constructor(
    private readonly signIn: SignInService,
    private readonly access: PageAccess,
    private readonly pending: PendingSignIns,
    private readonly provider: OpenIdProvider,
    private readonly browsers: KnownBrowsers,
    private readonly browser: BrowserSession,
  ) {}

  @Get()
  @Needs('public')
  async form(
    @RequestedPage() page: PageRequest,
    @Req() request: DashboardRequest,
  ): Promise<PageElement | Redirect> {
    const back = pageAt(page.parameter('back') ?? '');
    if ((await this.personOf(request)) === null) return new Redirect(address('/login', { back }));
    return CodePage({ request: page, back });
  }

  @Post()
  @Needs('public')
  async send(
    @RequestedPage() page: PageRequest,
    @Form() form: ReadonlyMap<string, string>,
    @Req() request: DashboardRequest,
  ): Promise<RefusedPage | Redirect> {
    const back = pageAt(form.get('back') ?? '');
    const person = await this.personOf(request);
    if (person === null) {
      const losesCookies = this.access.losesCookies(request);
      const { isConfigured: hasProvider } = this.provider;
      return new RefusedPage(
        SignInPage({ request: page, back, refusal: EXPIRED, hasProvider, losesCookies }),
      );
    }
    const { email } = person;
    const origin = { address: clientAddressOf(request), browser: this.browsers.idOf(request, email) };
    const outcome = await this.signIn.withCode(person, form.get('code') ?? '', origin).catch(notChecked);
    if (outcome.kind === 'right') {
      const { url, cookies } = await this.browser.into(request, outcome.value, { email, url: back });
      return new Redirect(url, [...cookies, this.pending.noCookie(request)]);
    }
    return refusedFor(outcome, WRONG_CODE, ({ whole, field }) =>
      CodePage({ request: page, back, refusal: whole, fault: field }),
    );
  }

  private async personOf(request: DashboardRequest): Promise<Person | null> {
    const pending = this.pending.of(request);
    return pending === null ? null : this.signIn.awaited(pending);
  }
}
