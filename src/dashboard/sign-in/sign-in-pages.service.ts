import { Injectable } from '@nestjs/common';
import { type PageElement } from '../../http/html-page.js';
import { ForgottenPasswords } from '../../people/forgotten-passwords.service.js';
import { OpenIdProvider } from '../../people/openid-provider.service.js';
import { type DashboardRequest, type PageRequest } from '../frame/form.js';
import { PageAccess } from '../frame/page-access.service.js';
import { SignInPage } from './sign-in.view.js';

interface Shown {
  page: PageRequest;
  /** The page to which the person is led. */
  back: string;
  email?: string;
  /** Why the form was refused. */
  refusal?: string;
}

/** The page to sign in, with the ways that this deployment offers. */
@Injectable()
export class SignInPages {
  constructor(
    private readonly provider: OpenIdProvider,
    private readonly forgotten: ForgottenPasswords,
    private readonly access: PageAccess,
  ) {}

  page(request: DashboardRequest, { page, ...shown }: Shown): PageElement {
    return SignInPage({
      request: page,
      ...shown,
      hasProvider: this.provider.isConfigured,
      sendsLinks: this.forgotten.isOffered,
      losesCookies: this.access.losesCookies(request),
    });
  }
}
