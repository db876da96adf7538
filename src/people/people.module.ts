import { Module } from '@nestjs/common';
import { Credentials } from './credentials.service.js';
import { ForgottenPasswords } from './forgotten-passwords.service.js';
import { LinksService } from './links.service.js';
import { MailService } from './mail.service.js';
import { OpenIdProvider } from './openid-provider.service.js';
import { OpenIdSignIn } from './openid-sign-in.service.js';
import { Passwords } from './passwords.service.js';
import { PeopleService } from './people.service.js';
import { SecondFactorCodes } from './second-factor-codes.service.js';
import { SecondFactorService } from './second-factor.service.js';
import { SessionsService } from './sessions.service.js';
import { SignInService } from './sign-in.service.js';

/**
 * People who sign in to the dashboard. In come sign-ins, invitations and changes of roles; out go sessions and the
 * person of a request. Tables: `users`, `memberships`, `sessions`, `access_links`.
 */
@Module({
  providers: [
    SessionsService,
    Passwords,
    Credentials,
    SecondFactorCodes,
    SecondFactorService,
    LinksService,
    ForgottenPasswords,
    MailService,
    PeopleService,
    SignInService,
    OpenIdProvider,
    OpenIdSignIn,
  ],
  exports: [
    SessionsService,
    LinksService,
    ForgottenPasswords,
    PeopleService,
    SignInService,
    OpenIdProvider,
    OpenIdSignIn,
    SecondFactorService,
  ],
})
export class PeopleModule {}
