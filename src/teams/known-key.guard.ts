import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { invalidApiKey, teamOfRequest } from './key-of-request.js';
import { KnownKeys } from './known-keys.js';

/**
 * Admits requests with a known team key, so that no body is read without a known key. A key that was revoked
 * in the last five seconds passes here; the transaction that does the work refuses it.
 */
@Injectable()
export class KnownKeyGuard implements CanActivate {
  constructor(private readonly keys: KnownKeys) {}

  /** @throws AppError UNAUTHORIZED, in the contract's words (5.5). */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    if ((await teamOfRequest(this.keys, request)) === null) {
      throw invalidApiKey(request);
    }
    return true;
  }
}
