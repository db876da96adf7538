import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { type Request } from 'express';
import { missingScope, type ScopeRule } from '../domain/key-scopes.js';
import { AppError } from '../http/app-error.js';
import { declaredScopeOf } from '../http/route-scope.js';
import { knownKeyOf } from './key-of-request.js';
import { type KnownKey } from './known-keys.js';

/**
 * Admits requests whose key has the scopes that the route declares. The key was looked up before. A request
 * without a known key passes, because the route refuses it with a message of its own.
 */
@Injectable()
export class KeyScopeGuard implements CanActivate {
  /** @throws AppError `FORBIDDEN` naming the scope. */
  canActivate(context: ExecutionContext): boolean {
    const key = knownKeyOf(context.switchToHttp().getRequest<Request>());
    if (key !== undefined) requireScope(key, declaredScopeOf(context.getHandler()) ?? []);
    return true;
  }
}

/** @throws AppError `FORBIDDEN` naming the scope. */
export function requireScope({ scopes }: Pick<KnownKey, 'scopes'>, rule: ScopeRule): void {
  const missing = missingScope(rule, scopes);
  if (missing !== null) throw new AppError('FORBIDDEN', `The API key lacks the scope ${missing}`);
}
