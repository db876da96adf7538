import { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { type AuditService } from '../../audit/audit.service.js';
import { jsonObjectOf } from '../../http/body.js';
import { readBody } from '../../http/body-reader.js';
import { ownBody } from '../../http/request-body.js';
import { nameRoute } from '../../http/route-pattern.js';
import { changesSomething } from '../../http/same-origin.js';
import { type CallQueue } from '../../queue/call-queue.js';
import { errorPage } from '../../dashboard/design/document.js';
import { renderPage } from '../../http/html-page.js';
import { setPageHeaders, setPrivate } from '../../http/page-headers.js';
import { traceOf } from '../../telemetry/request-trace.js';
import { type OperationsAccess } from '../access/operations-access.service.js';
import { boardChange } from './board-change.js';

/**
 * Allows what the board's page needs, and no more: scripts, styles, pictures and texts of this origin, and
 * inline styles. It refuses the fonts that the page would load from elsewhere, so the page uses fonts of the
 * system.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
].join('; ');

const UNREACHABLE =
  'Redis does not answer, so the queue cannot be shown. No call is lost: calls are in Postgres, and the sweeper wakes them.';

/** Admits operators to the board, which Nest's guards do not cover. */
export function requireOperationsAccess(access: OperationsAccess): RequestHandler {
  return async (request: Request, response: Response, next: NextFunction) => {
    // The board's own routes are lists of patterns, from which no single name can be derived.
    nameRoute(request, '/admin/queues');
    const refusal = await access.refusalOf(request);
    if (refusal !== null) {
      const { status, headers, text } = refusal;
      setPageHeaders(response);
      response.set(headers).status(status).type('text').send(text);
      return;
    }
    ownBody(request, 'operations');
    setPrivate(response);
    response.setHeader('Content-Security-Policy', POLICY);
    next();
  };
}

/** Answers 503 at once while Redis is unreachable. */
export function whileRedisAnswers(queue: CallQueue): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    if (queue.available || request.path.startsWith('/static/')) return next();
    const { requestId } = traceOf(request);
    response.status(503).setHeader('Retry-After', '5');
    if (request.path.startsWith('/api/')) {
      response.json({ error: UNREACHABLE, requestId });
      return;
    }
    setPageHeaders(response);
    response.type('html').send(renderPage(errorPage('The queue is not reachable', UNREACHABLE, requestId)));
  };
}

/**
 * Writes each change to the audit log before the board makes it, so that none is missing there. Redis has no part in
 * the transaction: the row says what a person asked for. A board that is read-only refuses every change.
 */
export function auditChanges(audit: AuditService, isReadOnly: boolean): RequestHandler {
  return async (request: Request, _: Response, next: NextFunction) => {
    if (!isReadOnly && changesSomething(request)) await audit.note(boardChange(request.method, request.path));
    next();
  };
}

/**
 * Reads the body into `request.body`, where the board expects it. An empty body becomes an empty object.
 *
 * @throws AppError as {@link jsonObjectOf}.
 */
export async function handBodyOn(request: Request, _: Response, next: NextFunction): Promise<void> {
  const body = await readBody(request);
  const isEmpty = body.kind === 'bytes' && body.bytes.length === 0;
  request.body = isEmpty ? {} : await jsonObjectOf(request);
  next();
}
