import 'reflect-metadata';
import { SetMetadata } from '@nestjs/common';
import { type ScopeRule } from '../domain/key-scopes.js';

const ROUTE_SCOPE = 'outdial:route-scope';

/**
 * Stores on a route the scopes that it needs of a key. The check, the OpenAPI document and the tests read
 * them there.
 */
export function DeclareScope(rule: ScopeRule): MethodDecorator {
  return SetMetadata(ROUTE_SCOPE, rule);
}

/** @param handler a controller's method. @returns undefined where none was declared. */
export function declaredScopeOf(handler: object): ScopeRule | undefined {
  return Reflect.getMetadata(ROUTE_SCOPE, handler) as ScopeRule | undefined;
}
