import { applyDecorators, UseGuards } from '@nestjs/common';
import { type ResourceScope, type ScopeRule, toChange, toRead } from '../domain/key-scopes.js';
import { DeclareScope } from '../http/route-scope.js';
import { KeyScopeGuard } from './key-scope.guard.js';

/** A route that changes something: a key needs every one of the scopes. */
export function ChangeScope(...scopes: [ResourceScope, ...ResourceScope[]]): MethodDecorator {
  return checked(toChange(...scopes));
}

/** A route that only reads: a key needs one of the scopes, or `read`. */
export function ReadScope(...scopes: [ResourceScope, ...ResourceScope[]]): MethodDecorator {
  return checked(toRead(...scopes));
}

/** A route for every key of the team. */
export function AnyScope(): MethodDecorator {
  return DeclareScope([]);
}

function checked(rule: ScopeRule): MethodDecorator {
  return applyDecorators(DeclareScope(rule), UseGuards(KeyScopeGuard));
}
