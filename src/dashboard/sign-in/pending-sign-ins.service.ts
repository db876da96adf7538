import { Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { cookiesOf } from '../../http/cookies.js';
import { sameSecret } from '../../http/same-secret.js';
import { type PendingSignIn, PROOFS } from '../../people/sign-in.service.js';
import { PageAccess } from '../frame/page-access.service.js';

const COOKIE = 'outdial_pending';
/** How long a code is waited for. */
const SECONDS = 300;
/** User, the second at which it expires, what was proven, mark, and signature. */
const VALUE = /^([\da-f-]{36})\.(\d{1,12})\.([a-z]{1,20})\.([\w-]{22})\.([\w-]{43})$/;

/**
 * Sign-ins that wait for a code, in a signed cookie of the browser that began it: in another browser, it is
 * void. It can be sent again until it expires, because each code is used once.
 */
@Injectable()
export class PendingSignIns {
  constructor(private readonly access: PageAccess) {}

  /** The cookies to set. */
  cookiesFor(pending: PendingSignIn, request: Request): string[] {
    const { visit, cookie } = this.access.visitOf(request);
    const expires = Math.floor(Date.now() / 1_000) + SECONDS;
    const { userId, by, mark } = pending;
    const value = [userId, expires, by, mark, this.signatureOf(pending, expires, visit)].join('.');
    const own = this.access.cookie(COOKIE, value, SECONDS, request);
    return cookie === null ? [own] : [cookie, own];
  }

  /** The sign-in of this browser; null: there is none, or it has expired. */
  of(request: Request): PendingSignIn | null {
    const { visit } = this.access.visitOf(request);
    for (const value of cookiesOf(request, COOKIE)) {
      const [, userId = '', expires = '', proof = '', mark = '', signature = ''] = VALUE.exec(value) ?? [];
      const by = PROOFS.find((known) => known === proof);
      if (by === undefined) continue;
      const isOwn = sameSecret(signature, this.signatureOf({ userId, by, mark }, Number(expires), visit));
      if (isOwn && Number(expires) * 1_000 > Date.now()) return { userId, by, mark };
    }
    return null;
  }

  noCookie(request: Request): string {
    return this.access.cookie(COOKIE, '', 0, request);
  }

  private signatureOf({ userId, by, mark }: PendingSignIn, expires: number, visit: string): string {
    return this.access.sign('pending sign-in', `${userId} ${expires} ${by} ${mark} ${visit}`);
  }
}
