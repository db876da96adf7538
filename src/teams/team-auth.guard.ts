import { type CanActivate, createParamDecorator, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { admittedKeyOf, invalidApiKey, keyHashOf, noteKey } from './key-of-request.js';
import { KnownKeys } from './known-keys.js';

/**
 * Admits requests that send a team's key (contract 5). No transaction checks the key again, so each request
 * looks the key up in Postgres. A revoked key is refused at once. Concurrent requests share the statement.
 */
@Injectable()
export class TeamAuthGuard implements CanActivate {
  constructor(private readonly keys: KnownKeys) {}

  /** @throws AppError UNAUTHORIZED, in the contract's words. */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request>();
    const keyHash = keyHashOf(request);
    const key = keyHash === null ? null : await this.keys.findNow(keyHash);
    if (keyHash === null || key === null) throw invalidApiKey(request);
    noteKey(request, keyHash, key);
    return true;
  }
}

/** The team of the request's key; only behind {@link TeamAuthGuard}. */
export const TeamId = createParamDecorator(
  (_: unknown, context: ExecutionContext): string =>
    admittedKeyOf(context.switchToHttp().getRequest<Request>()).teamId,
);
