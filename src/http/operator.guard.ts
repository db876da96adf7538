import { createHash, timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { Config } from '../config/config.js';
import { AppError } from './app-error.js';
import { bearerToken } from './bearer-token.js';

/** Lets in only who bears the operator token. Digests are compared, so that neither content nor length leaks in time. */
@Injectable()
export class OperatorGuard implements CanActivate {
  private readonly expected: Buffer;

  constructor(config: Config) {
    this.expected = digest(config.operatorToken);
  }

  /** @throws AppError `UNAUTHORIZED`. */
  canActivate(context: ExecutionContext): boolean {
    const token = bearerToken(context.switchToHttp().getRequest<Request>().headers.authorization);
    if (token === null || !timingSafeEqual(digest(token), this.expected)) {
      throw new AppError('UNAUTHORIZED', 'Invalid operator token');
    }
    return true;
  }
}

function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
