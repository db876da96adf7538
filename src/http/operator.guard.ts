import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { Config } from '../config/config.js';
import { actAs } from '../database/actor.js';
import { AppError } from './app-error.js';
import { bearerToken, credentialsHint } from './bearer-token.js';
import { clientAddressOf } from './client-address.js';
import { ownBody } from './request-body.js';
import { FailedAuthentications } from './failed-authentications.js';
import { sameSecret } from './same-secret.js';

/** Admits requests that carry the operator token. */
@Injectable()
export class OperatorGuard implements CanActivate {
  constructor(
    private readonly config: Config,
    private readonly failures: FailedAuthentications,
  ) {}

  /** @throws AppError `UNAUTHORIZED`, or `RATE_LIMITED` after too many wrong tokens from the address. */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const token = bearerToken(request.headers.authorization);
    if (token === null || !sameSecret(token, this.config.operatorToken)) {
      this.failures.count(request);
      throw new AppError('UNAUTHORIZED', 'Invalid operator token', credentialsHint(request.headers));
    }
    ownBody(request, 'operator');
    actAs({ kind: 'token', id: null, name: null, address: clientAddressOf(request) });
    return true;
  }
}
