import 'reflect-metadata';
import { SetMetadata } from '@nestjs/common';
import { type ScopeRule } from '../domain/key-scopes.js';

const ROUTE_SCOPE = 'outdial:route-scope';

/** Notes on a route which scopes it asks of a key: the one source of the check, the document and the tests. */
export function DeclareScope(rule: ScopeRule): MethodDecorator {
  return SetMetadata(ROUTE_SCOPE, rule);
}

/** @param handler a controller's method. @returns undefined where none was declared. */
export function declaredScopeOf(handler: object): ScopeRule | undefined {
  return Reflect.getMetadata(ROUTE_SCOPE, handler) as ScopeRule | undefined;
}
