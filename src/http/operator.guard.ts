import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { Config } from '../config/config.js';
import { AppError } from './app-error.js';
import { bearerToken } from './bearer-token.js';
import { ownBody } from './body-reader.js';
import { sameSecret } from './same-secret.js';

/** Lets in only who bears the operator token. */
@Injectable()
export class OperatorGuard implements CanActivate {
  constructor(private readonly config: Config) {}

  /** @throws AppError `UNAUTHORIZED`. */
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    const token = bearerToken(request.headers.authorization);
    if (token === null || !sameSecret(token, this.config.operatorToken)) {
      throw new AppError('UNAUTHORIZED', 'Invalid operator token');
    }
    ownBody(request, 'operator');
    return true;
  }
}
