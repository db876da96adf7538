import { EventEmitter } from 'node:events';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/internal';
import { ExternalContextCreator, type ModuleRef } from '@nestjs/core';
import { type Request } from 'express';
import { parseBody } from '../http/parse-body.js';
import { MAX_BODY_BYTES, type RawBody, type RequestBody } from '../http/request-body.js';
import { noteKey } from '../teams/key-of-request.js';
import { fieldsOf, type Operation } from './operations.js';
import { TypedJson } from './field-options.js';

/**
 * The fields of a request by their names. `teamId` is the team that the command works in, also of an operation
 * that over HTTP knows the team by its key.
 */
export type OperationInput = Readonly<Record<string, unknown>>;

/**
 * Asks for an operation, and returns its answer. It is how commands reach the service.
 * @throws AppError with which the operation is refused.
 */
export type Dispatch = (operation: Operation, input: OperationInput) => Promise<unknown>;

/** A request as its fields are sent. `body` is JSON; it is empty for an operation that reads none. */
interface SentRequest {
  params: Record<string, string>;
  query: Record<string, string>;
  body: string;
}

/** Which part of a request each field goes to. Fields that are undefined are not sent. */
function sentRequest(operation: Operation, input: OperationInput): SentRequest {
  const fields = fieldsOf(operation);
  const sent = { path: {} as Record<string, string>, query: {} as Record<string, string> };
  const members: string[] = [];
  for (const [name, value] of Object.entries(input)) {
    if (value === undefined || (name === 'teamId' && !(name in fields))) continue;
    const place = fields[name]?.in;
    if (place === undefined) throw new Error(`${operation.operation.id} has no field ${name}`);
    if (place === 'body') members.push(`${JSON.stringify(name)}:${jsonOf(value)}`);
    else sent[place][name] = (value as string | number | boolean).toString();
  }
  const hasBody = Object.values(fields).some((field) => field.in === 'body');
  return { params: sent.path, query: sent.query, body: hasBody ? `{${members.join(',')}}` : '' };
}

function jsonOf(value: unknown): string {
  return value instanceof TypedJson ? value.text : JSON.stringify(value);
}

/**
 * Dispatches within this process: the handler of the route gets its arguments by the decorators that also read
 * a request over HTTP, so what is refused there is refused here, in the same words. Guards are not asked: who
 * may connect to the database is the operator.
 *
 * @param module whose services the controllers need.
 */
export function dispatchWithin(module: ModuleRef): Dispatch {
  return async (operation, input) => {
    const { about, handler } = operation;
    const controller = await module.create<Record<string, Handler>>(about.controller as never);
    const method = controller[handler] as Handler;
    const invoke = module
      .get(ExternalContextCreator, { strict: false })
      .create(
        controller,
        method,
        handler,
        ROUTE_ARGS_METADATA,
        ARGUMENTS,
        undefined,
        undefined,
        BARE,
        'http',
      );
    return (await invoke(requestOf(sentRequest(operation, input), input.teamId), new Answer())) as unknown;
  };
}

type Handler = (...args: unknown[]) => unknown;

const BARE = { guards: false, interceptors: false, filters: false };

/** What `@Param`, `@Query`, `@Req` and `@Res` pass to a handler. */
const ARGUMENTS = {
  exchangeKeyForValue(type: RouteParamtypes, name: unknown, [request, response]: [Request, Answer]): unknown {
    if (type === RouteParamtypes.PARAM) return request.params[name as string];
    if (type === RouteParamtypes.QUERY) return request.query[name as string];
    if (type === RouteParamtypes.REQUEST) return request;
    if (type === RouteParamtypes.RESPONSE) return response;
    throw new Error(`no command can pass an argument of the kind ${RouteParamtypes[type]}`);
  },
};

/** The part of Express's response that handlers use, which has no client that could leave. */
class Answer extends EventEmitter {
  status(): this {
    return this;
  }

  setTimeout(): this {
    return this;
  }
}

/** The part of Express's request that the decorators of handlers read. */
function requestOf({ params, query, body }: SentRequest, teamId: unknown): Request {
  const bytes = Buffer.from(body);
  const rawBody: RawBody = bytes.length > MAX_BODY_BYTES ? { kind: 'too_large' } : { kind: 'bytes', bytes };
  const requestBody: RequestBody = {
    owner: null,
    readJson: (maxValues) => parseBody('cli', rawBody, maxValues, () => undefined),
    openStream: () => undefined,
  };
  const request = { params, query, headers: {}, rawBody, requestBody } as unknown as Request;
  if (typeof teamId === 'string') noteKey(request, NO_KEY, { teamId, scopes: [] });
  return request;
}

/** No handler that is dispatched to looks up the key again. */
const NO_KEY = Buffer.alloc(0);
