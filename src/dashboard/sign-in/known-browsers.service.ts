import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { clientAddressOf } from '../../http/client-address.js';
import { cookiesOf } from '../../http/cookies.js';
import { sameSecret } from '../../http/same-secret.js';
import { normalEmail } from '../../people/email.js';
import { type Origin } from '../../people/sign-in.service.js';
import { PageAccess } from '../frame/page-access.service.js';

const COOKIE = 'outdial_browser';
const SECONDS = 365 * 86_400;
/** An id, and a signature for each of the last accounts that signed in. */
const VALUE = /^([\w-]{22})((?:\.[\w-]{43}){1,5})$/;
const MOST_ACCOUNTS = 5;

/** Which accounts have signed in from a browser, in a cookie of its own that outlives sessions. It gives no access. */
@Injectable()
export class KnownBrowsers {
  constructor(private readonly access: PageAccess) {}

  /** From where the account is used. */
  originOf(request: Request, email: string): Origin {
    return { address: clientAddressOf(request), browser: this.idOf(request, email) };
  }

  /** The id of this browser if the account signed in from it before. */
  private idOf(request: Request, email: string): string | null {
    const { id, accounts } = this.read(request);
    const own = this.signatureOf(id, email);
    return accounts.some((signature) => sameSecret(signature, own)) ? id : null;
  }

  /** The cookie after the account has signed in. */
  cookieFor(request: Request, email: string): string {
    const { id, accounts } = this.read(request);
    const own = this.signatureOf(id, email);
    const kept = [own, ...accounts.filter((signature) => signature !== own)].slice(0, MOST_ACCOUNTS);
    return this.access.cookie(COOKIE, [id, ...kept].join('.'), SECONDS, request);
  }

  private read(request: Request): { id: string; accounts: string[] } {
    for (const value of cookiesOf(request, COOKIE)) {
      const [, id, signatures] = VALUE.exec(value) ?? [];
      if (id !== undefined && signatures !== undefined)
        return { id, accounts: signatures.split('.').slice(1) };
    }
    return { id: randomBytes(16).toString('base64url'), accounts: [] };
  }

  private signatureOf(id: string, email: string): string {
    return this.access.sign('browser', `${id} ${normalEmail(email)}`);
  }
}
