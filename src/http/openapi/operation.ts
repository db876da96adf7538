import { type Type } from '@nestjs/common';
import { type ScopeRule } from '../../domain/key-scopes.js';
import { type JsonSchema } from '../json-schema.js';

/**
 * The kind of client that a route is for. It determines the route's credentials, and the refusals that all
 * routes of the surface share.
 */
export type Surface = 'call' | 'team' | 'operator' | 'carrier' | 'metrics' | 'public';

export type SecurityScheme =
  | { type: 'http'; scheme: 'bearer'; description: string }
  | { type: 'apiKey'; in: 'header'; name: string; description: string };

/** Credentials of the routes of one carrier. */
export interface RouteCredentials {
  /** The name of the credentials in the document. */
  name: string;
  scheme: SecurityScheme;
  /** The message of the answer to missing or wrong credentials. */
  refusal: string;
}

/** The header that carries the credentials, in lower case. */
export function credentialHeaderOf({ scheme }: RouteCredentials): string {
  return scheme.type === 'http' ? 'authorization' : scheme.name.toLowerCase();
}

/** One answer of a route; `headers` are names of the document's components. */
export interface ResponseDoc {
  description: string;
  schema?: JsonSchema;
  examples?: Record<string, unknown>;
  headers?: readonly string[];
  /** JSON by default. */
  contentType?: string;
  /** Further content types of the answer. */
  others?: Record<string, JsonSchema>;
}

export interface QueryDoc {
  description: string;
  schema: JsonSchema;
  example?: unknown;
}

/** The documentation of a route, besides what its code already shows: address, input, and success status. */
export interface OperationDoc {
  /** Unique; names the operation in generated clients. */
  id: string;
  summary: string;
  description?: string;
  /** The schema of a body that is not read by `JsonBody`. */
  body?: JsonSchema;
  /** JSON by default. */
  bodyType?: string;
  /** Further content types of the body. */
  otherBodies?: Record<string, JsonSchema>;
  bodyExamples?: Record<string, unknown>;
  /** The parameters of a route that is no list. Those of a list follow from its filters. */
  query?: Record<string, QueryDoc>;
  /** The headers that only this route reads, by their names. */
  headers?: Record<string, QueryDoc>;
  /** Whether the route reads an `Idempotency-Key`. */
  idempotent?: boolean;
  /** The scopes of a route that checks them itself. A key without them is refused like a wrong key. */
  ownScope?: ScopeRule;
  /** The status of success, if the handler sends it itself. */
  status?: number;
  success: ResponseDoc;
  /** Other successes by their status, if the handler sends the status itself. */
  otherSuccesses?: Record<number, ResponseDoc>;
  /** Refusals beyond those of the surface, or instead of them. */
  refusals?: Record<number, ResponseDoc>;
}

type HandlersOf<C> = {
  [Name in keyof C]: C[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof C];

/** The documentation of every handler of a controller. */
export type OperationsOf<C extends object> = Record<HandlersOf<C> & string, OperationDoc>;

/** A controller and its whole documentation. */
export interface DocumentedController {
  controller: Type<object>;
  surface: Surface;
  tag: string;
  /** Set if the credentials are not those of the surface. */
  credentials?: RouteCredentials;
  operations: Record<string, OperationDoc>;
}

/**
 * Documents every handler of a controller. If a handler is left out or does not exist, the code does not
 * compile.
 */
export function documented<C extends object>(
  controller: Type<C>,
  about: { surface: Surface; tag: string },
  operations: OperationsOf<C>,
): DocumentedController {
  return { controller, ...about, operations };
}

/**
 * The operations that a team's key has like the operator: `createX` is `createXByKey`, and "a team’s" is "the team’s".
 */
export function byKey<Operations extends Record<string, OperationDoc>>(operations: Operations): Operations {
  const own = Object.entries(operations).map(([handler, doc]) => [
    handler,
    { ...doc, id: `${doc.id}ByKey`, summary: doc.summary.replace('a team’s', 'the team’s') },
  ]);
  return Object.fromEntries(own) as Operations;
}

/** For the description of a list with filters. @param items in the plural. */
export function filteredPages(items: string): string {
  return (
    `Filters can be combined. If a filter matches few of many ${items}, a page can have fewer items than \`limit\`, ` +
    'or none, and still have a `nextCursor`.'
  );
}

/** A page of a list. */
export function pageOfItems(items: JsonSchema, title: string): JsonSchema {
  return {
    title,
    type: 'object',
    properties: {
      items: { type: 'array', items },
      nextCursor: {
        type: ['string', 'null'],
        description:
          'The `cursor` for the next page; null on the last page. A page can have fewer items than `limit`.',
      },
    },
    required: ['items', 'nextCursor'],
  };
}
