import { RequestMethod } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { type ScopeRule } from '../../domain/key-scopes.js';
import { type RouteInput, routeInputOf } from '../route-input.js';
import { isDeprecated } from '../deprecated.decorator.js';
import { declaredScopeOf } from '../route-scope.js';
import { type DocumentedController, type OperationDoc, type Surface } from './operation.js';

/** A route as its controller's decorators declare it, with its documentation. */
export interface DocumentedRoute {
  method: 'get' | 'post' | 'patch' | 'delete' | 'put';
  /** The name of the controller's method. */
  handler: string;
  /** As the document writes it: `/api/calls/{callRequestId}`. */
  path: string;
  pathParameters: string[];
  input: RouteInput;
  /** The scopes that the route needs of a team's key; undefined for a route without a key. */
  scope: ScopeRule | undefined;
  isDeprecated: boolean;
  status: number;
  about: DocumentedController;
  operation: OperationDoc;
}

const METHODS: Partial<Record<RequestMethod, DocumentedRoute['method']>> = {
  [RequestMethod.GET]: 'get',
  [RequestMethod.POST]: 'post',
  [RequestMethod.PATCH]: 'patch',
  [RequestMethod.DELETE]: 'delete',
  [RequestMethod.PUT]: 'put',
};

/**
 * The routes of a controller.
 *
 * @throws Error if a documented handler has no route, which is a mistake of ours.
 */
export function routesOf(about: DocumentedController): DocumentedRoute[] {
  const prototype = about.controller.prototype as Record<string, object>;
  const base = Reflect.getMetadata(PATH_METADATA, about.controller) as string;
  return Object.entries(about.operations).map(([name, operation]) => {
    const handler = prototype[name];
    const kind = handler && (Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined);
    const method = kind === undefined ? undefined : METHODS[kind];
    if (handler === undefined || method === undefined)
      throw new Error(`${about.controller.name}.${name} is documented, but is no route`);
    const path = addressOf(base, Reflect.getMetadata(PATH_METADATA, handler) as string);
    return {
      method,
      handler: name,
      path,
      pathParameters: [...path.matchAll(/{(\w+)}/g)].map((match) => match[1] as string),
      input: routeInputOf(prototype, name),
      scope: operation.ownScope ?? (isForKeys(about.surface) ? declaredScopeOf(handler) : undefined),
      isDeprecated: isDeprecated(handler),
      status:
        operation.status ??
        (Reflect.getMetadata(HTTP_CODE_METADATA, handler) as number | undefined) ??
        (method === 'post' ? 201 : 200),
      about,
      operation,
    };
  });
}

/** A route that the operator has like a team's key declares the scopes of keys for both. */
const isForKeys = (surface: Surface) => surface === 'team' || surface === 'call';

/** `api/x/:id` and `y` → `/api/x/{id}/y`. */
export function addressOf(...parts: string[]): string {
  const steps = parts.flatMap((part) => part.split('/')).filter((step) => step !== '');
  return `/${steps.map((step) => step.replace(/^:(\w+)$/, '{$1}')).join('/')}`;
}
