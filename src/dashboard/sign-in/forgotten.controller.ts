import { Get, HttpCode, Post, Req } from '@nestjs/common';
import { notFound } from '../../http/app-error.js';
import { clientAddressOf } from '../../http/client-address.js';
import { type PageElement } from '../../http/html-page.js';
import { ForgottenPasswords } from '../../people/forgotten-passwords.service.js';
import { type DashboardRequest, Form, type PageRequest, RefusedPage, RequestedPage } from '../frame/form.js';
import { Needs } from '../frame/page-need.js';
import { Pages } from '../frame/page.decorator.js';
import { ForgottenPage, LinkSentPage } from './forgotten.view.js';
import { waitPage } from './refusals.js';
import { waitText } from './wait-text.js';

/** A link for a new password, for who has forgotten the old one. */
@Pages('login/forgotten')
export class ForgottenController {
  constructor(private readonly forgotten: ForgottenPasswords) {}

  /** @throws AppError `NOT_FOUND` where no e-mails are sent. */
  @Get()
  @Needs('public')
  form(@RequestedPage() request: PageRequest): PageElement {
    this.requireMail();
    return ForgottenPage({ request });
  }

  /** The same answer for every address. @throws AppError `NOT_FOUND` where no e-mails are sent. */
  @Post()
  @HttpCode(200)
  @Needs('public')
  send(
    @RequestedPage() page: PageRequest,
    @Form() form: ReadonlyMap<string, string>,
    @Req() request: DashboardRequest,
  ): PageElement | RefusedPage {
    this.requireMail();
    const email = (form.get('email') ?? '').trim();
    if (!email.includes('@'))
      return new RefusedPage(
        ForgottenPage({ request: page, email, fault: 'This is not an e-mail address.' }),
      );
    const seconds = this.forgotten.ask(email, clientAddressOf(request));
    if (seconds === null) return LinkSentPage({ request: page, email });
    return waitPage(ForgottenPage({ request: page, email, refusal: waitText(seconds, null) }), seconds);
  }

  private requireMail(): void {
    if (!this.forgotten.isOffered) throw notFound('Page');
  }
}
