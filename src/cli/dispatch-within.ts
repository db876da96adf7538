import { EventEmitter } from 'node:events';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/internal';
import { ExternalContextCreator, type ModuleRef } from '@nestjs/core';
import { type Request } from 'express';
import { readOf } from '../audit/audited.decorator.js';
import { AuditService } from '../audit/audit.service.js';
import { parseBody } from '../http/parse-body.js';
import { MAX_BODY_BYTES, type RawBody, type RequestBody } from '../http/request-body.js';
import { noteKey } from '../teams/key-of-request.js';
import { type Dispatch, type SentRequest, sentRequest } from './dispatch.js';

/**
 * Dispatches within this process: the handler of the route gets its arguments by the decorators that also read
 * a request over HTTP, so what is refused there is refused here, in the same words. Guards are not asked: who
 * may connect to the database is the operator. An export has its row in the audit log, as over HTTP.
 *
 * @param module whose services the controllers need.
 */
export function dispatchWithin(module: ModuleRef): Dispatch {
  return async (operation, input) => {
    const { about, handler } = operation;
    const controller = await module.create<Record<string, Handler>>(about.controller as never);
    const method = controller[handler] as Handler;
    const sent = sentRequest(operation, input);
    const teamId = typeof input.teamId === 'string' ? input.teamId : null;
    const read = readOf(method, teamId, sent.params);
    if (read !== undefined) await module.get(AuditService, { strict: false }).note(read);
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
    return (await invoke(requestOf(sent, teamId), new Answer())) as unknown;
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
function requestOf({ params, query, body }: SentRequest, teamId: string | null): Request {
  const bytes = Buffer.from(body);
  const rawBody: RawBody = bytes.length > MAX_BODY_BYTES ? { kind: 'too_large' } : { kind: 'bytes', bytes };
  const requestBody: RequestBody = {
    owner: null,
    readJson: (maxValues) => parseBody('cli', rawBody, maxValues, () => undefined),
    openStream: () => undefined,
  };
  const request = { params, query, headers: {}, rawBody, requestBody } as unknown as Request;
  if (teamId !== null) noteKey(request, NO_KEY, { teamId, scopes: [] });
  return request;
}

/** No handler that is dispatched to looks up the key again. */
const NO_KEY = Buffer.alloc(0);
