import { type ResourceScope, toChange, toRead } from '../domain/key-scopes.js';
import { DeclareScope } from '../http/route-scope.js';

/** A route that changes something: a key needs every one of the scopes. */
export function ChangeScope(...scopes: [ResourceScope, ...ResourceScope[]]): MethodDecorator {
  return DeclareScope(toChange(...scopes));
}

/** A route that only reads: a key needs one of the scopes, or `read`. */
export function ReadScope(...scopes: [ResourceScope, ...ResourceScope[]]): MethodDecorator {
  return DeclareScope(toRead(...scopes));
}

/** A route for every key of the team. */
export function AnyScope(): MethodDecorator {
  return DeclareScope([]);
}
