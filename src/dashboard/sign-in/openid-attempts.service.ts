import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { cookiesOf } from '../../http/cookies.js';
import { sameSecret } from '../../http/same-secret.js';
import { type OpenIdChecks } from '../../people/openid-provider.service.js';
import { PageAccess } from '../frame/page-access.service.js';

const COOKIE = 'outdial_openid';
const SECONDS = 600;

/** What a browser keeps while its person is at the OpenID provider. */
export interface OpenIdAttempt {
  /** Whether the person signs in, or connects the account of who is signed in. */
  purpose: 'sign-in' | 'connect';
  checks: OpenIdChecks;
  /** The page to which the person is led. */
  back: string;
}

/** The signed cookie of an attempt: it holds for ten minutes, in the browser in which it was begun. */
@Injectable()
export class OpenIdAttempts {
  constructor(private readonly access: PageAccess) {}

  /** @param binding of the browser before sign-in, or of its session. */
  cookieFor(attempt: OpenIdAttempt, binding: string, request: Request): string {
    const until = Date.now() + SECONDS * 1_000;
    const content = Buffer.from(JSON.stringify({ ...attempt, until })).toString('base64url');
    const value = `${content}.${this.signatureOf(content, binding)}`;
    return this.access.cookie(COOKIE, value, SECONDS, request);
  }

  noCookie(request: Request): string {
    return this.access.cookie(COOKIE, '', 0, request);
  }

  /** @param sessionBinding of the person who is signed in; null: no person is. */
  of(request: Request, sessionBinding: string | null): OpenIdAttempt | null {
    for (const value of cookiesOf(request, COOKIE)) {
      const [content = '', signature = ''] = value.split('.');
      for (const [purpose, binding] of [
        ['sign-in', this.access.visitOf(request).visit],
        ['connect', sessionBinding],
      ] as const) {
        if (binding === null || !sameSecret(signature, this.signatureOf(content, binding))) continue;
        // Signed by this deployment, so of this shape.
        const { until, ...attempt } = JSON.parse(
          Buffer.from(content, 'base64url').toString(),
        ) as OpenIdAttempt & {
          until: number;
        };
        if (until > Date.now() && attempt.purpose === purpose) return attempt;
      }
    }
    return null;
  }

  private signatureOf(content: string, binding: string): string {
    return this.access.sign('openid', `${binding} ${content}`);
  }
}
