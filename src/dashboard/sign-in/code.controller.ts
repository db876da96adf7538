import { Get, Post, Req } from '@nestjs/common';
import { type PageElement } from '../../http/html-page.js';
import { type Proof, SignInService } from '../../people/sign-in.service.js';
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
import { Needs } from '../frame/page-need.js';
import { Pages } from '../frame/page.decorator.js';
import { BrowserSession } from './browser-session.service.js';
import { CodePage } from './code.view.js';
import { KnownBrowsers } from './known-browsers.service.js';
import { PendingSignIns } from './pending-sign-ins.service.js';
import { notChecked, refusedFor, WRONG_CODE } from './refusals.js';
import { SignInPages } from './sign-in-pages.service.js';

const EXPIRED = 'The code came too late, or from another browser. Sign in again.';

/** The second step of a sign-in, after the right password or a sign-in at the provider. */
@Pages('login/code')
export class CodeController {
  constructor(
    private readonly signIn: SignInService,
    private readonly pages: SignInPages,
    private readonly pending: PendingSignIns,
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
    if ((await this.awaited(request)) === null) return new Redirect(address('/login', { back }));
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
    const awaited = await this.awaited(request);
    if (awaited === null) {
      return new RefusedPage(this.pages.page(request, { page, back, refusal: EXPIRED }));
    }
    const { person, by } = awaited;
    const { email } = person;
    const origin = this.browsers.originOf(request, email);
    const proven = { code: form.get('code') ?? '', by };
    const outcome = await this.signIn.withCode(person, proven, origin).catch(notChecked);
    if (outcome.kind === 'right') {
      const { url, cookies } = await this.browser.into(request, outcome.value, { email, url: back });
      return new Redirect(url, [...cookies, this.pending.noCookie(request)]);
    }
    return refusedFor(outcome, WRONG_CODE, ({ whole, field }) =>
      CodePage({ request: page, back, refusal: whole, fault: field }),
    );
  }

  private async awaited(request: DashboardRequest): Promise<{ person: Person; by: Proof } | null> {
    const pending = this.pending.of(request);
    const person = pending === null ? null : await this.signIn.awaited(pending);
    return pending === null || person === null ? null : { person, by: pending.by };
  }
}
