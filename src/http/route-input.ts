import 'reflect-metadata';
import { type ListFilters } from './filters.js';

const ROUTE_INPUT = 'outdial:route-input';

/**
 * What a route reads of a request. The decorators that read it also note it, so the documentation cannot
 * differ.
 */
export interface RouteInput {
  /** The class that the body is checked against. */
  body?: new () => object;
  /** The filters of a list; undefined where the route is no list. */
  filters?: ListFilters;
  /** Whether a list is read by `cursor`; true by default. */
  hasCursor?: boolean;
}

export function noteInput(target: object, handler: string | symbol, input: RouteInput): void {
  Reflect.defineMetadata(ROUTE_INPUT, { ...routeInputOf(target, handler), ...input }, target, handler);
}

/** @param target a controller's prototype. */
export function routeInputOf(target: object, handler: string | symbol): RouteInput {
  return (Reflect.getMetadata(ROUTE_INPUT, target, handler) as RouteInput | undefined) ?? {};
}
