import { Get, HttpCode, Post, Req } from '@nestjs/common';
import { clientAddressOf } from '../../http/client-address.js';
import { type PageElement } from '../../http/html-page.js';
import { type Outcome } from '../../people/sign-in.service.js';
import { SecondFactorService } from '../../people/second-factor.service.js';
import {
  type DashboardRequest,
  Done,
  Form,
  type PageRequest,
  RefusedPage,
  RequestedPage,
} from '../frame/form.js';
import { Needs } from '../frame/page-need.js';
import { Pages } from '../frame/page.decorator.js';
import { KnownBrowsers } from './known-browsers.service.js';
import { type Failure, notChecked, refusedFor, WRONG_CODE } from './refusals.js';
import {
  OfferPage,
  RecoveryCodesPage,
  type Refused,
  SECOND_FACTOR,
  SecondFactorPage,
} from './second-factor.view.js';
import { viewerOf } from './signed-in-viewer.js';

type Sent = ReadonlyMap<string, string>;

const WRONG_PASSWORD = 'This is not your password.';
const WRONG_OF_TWO = 'The password or the code is wrong, or the code was used already.';

/**
 * A person's second factor. Answers that show a secret are pages and no redirects: no address and no cookie ever has
 * the secret.
 */
@Pages('account/second-factor')
export class SecondFactorController {
  constructor(
    private readonly factors: SecondFactorService,
    private readonly browsers: KnownBrowsers,
  ) {}

  @Get()
  @Needs('signed-in')
  async page(@RequestedPage() request: PageRequest): Promise<PageElement> {
    const viewer = viewerOf(request);
    return SecondFactorPage({ request, viewer, state: await this.factors.stateOf(viewer.userId) });
  }

  @Post()
  @HttpCode(200)
  @Needs('signed-in')
  async begin(
    @RequestedPage() page: PageRequest,
    @Form() form: Sent,
    @Req() request: DashboardRequest,
  ): Promise<PageElement | RefusedPage> {
    const viewer = viewerOf(page);
    const password = form.get('password') ?? '';
    const outcome = await this.factors
      .begin(viewer, password, this.browsers.originOf(request, viewer.email))
      .catch(notChecked);
    if (outcome.kind === 'right') return OfferPage({ request: page, offered: outcome.value });
    return this.refused(page, 'begin', outcome, WRONG_PASSWORD);
  }

  @Post('confirm')
  @HttpCode(200)
  @Needs('signed-in')
  async confirm(
    @RequestedPage() page: PageRequest,
    @Form() form: Sent,
    @Req() request: DashboardRequest,
  ): Promise<PageElement | RefusedPage> {
    const viewer = viewerOf(page);
    const [offered, code] = [form.get('offered') ?? '', form.get('code') ?? ''];
    try {
      const codes = await this.factors.confirm(viewer, offered, code, clientAddressOf(request));
      if (codes !== null) return RecoveryCodesPage({ request: page, codes });
      const again = await this.factors.offered(viewer, offered);
      return new RefusedPage(OfferPage({ request: page, offered: again, fault: WRONG_CODE }));
    } catch (error) {
      return this.refused(page, 'begin', notChecked(error), WRONG_CODE);
    }
  }

  @Post('recovery-codes')
  @HttpCode(200)
  @Needs('signed-in')
  async replaceCodes(
    @RequestedPage() page: PageRequest,
    @Form() form: Sent,
    @Req() request: DashboardRequest,
  ): Promise<PageElement | RefusedPage> {
    const viewer = viewerOf(page);
    const outcome: Outcome<string[]> | Failure = await this.factors
      .replaceCodes(viewer, form.get('code') ?? '', this.browsers.originOf(request, viewer.email))
      .catch(notChecked);
    if (outcome.kind === 'right') return RecoveryCodesPage({ request: page, codes: outcome.value });
    return this.refused(page, 'codes', outcome, WRONG_CODE);
  }

  @Post('off')
  @Needs('signed-in')
  async turnOff(
    @RequestedPage() page: PageRequest,
    @Form() form: Sent,
    @Req() request: DashboardRequest,
  ): Promise<Done | RefusedPage> {
    const viewer = viewerOf(page);
    const sent = { password: form.get('password') ?? '', code: form.get('code') ?? '' };
    const outcome = await this.factors
      .turnOff(viewer, sent, this.browsers.originOf(request, viewer.email))
      .catch(notChecked);
    if (outcome.kind === 'right') return new Done(form, 'secondfactoroff', SECOND_FACTOR);
    return this.refused(page, 'off', outcome, WRONG_OF_TWO);
  }

  private async refused(
    page: PageRequest,
    form: Refused['form'],
    failure: Failure,
    wrong: string,
  ): Promise<RefusedPage> {
    const viewer = viewerOf(page);
    const state = await this.factors.stateOf(viewer.userId);
    const request = { ...page, notice: null };
    return refusedFor(failure, wrong, (faults) =>
      SecondFactorPage({ request, viewer, state, refused: { form, ...faults } }),
    );
  }
}
