import { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import { readBody } from '../../http/body-reader.js';
import { ownBody, readJsonObject } from '../../http/request-body.js';
import { type CallQueue } from '../../queue/call-queue.js';
import { errorPage } from '../pages/layout.js';
import { renderPage } from '../pages/render.js';
import { setPageHeaders, setPrivate } from '../pages/page-headers.js';
import { type StaffAccess } from '../staff/staff-access.service.js';

/**
 * What the board's page needs, and no more: its scripts, styles, pictures and texts come from us; it sets inline
 * styles. The fonts that it would load from elsewhere are refused, and it shows the system's.
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
  'Redis does not answer, so the queue cannot be shown. No call is lost: they are in Postgres, and the sweeper wakes them.';

/** Admits operations staff to the board, which Nest's guards do not cover. */
export function staffOnly(access: StaffAccess): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    const verdict = access.judge(request);
    if (!verdict.ok) {
      const { status, headers, text } = verdict.refusal;
      setPageHeaders(response);
      response.set(headers).status(status).type('text').send(text);
      return;
    }
    if (verdict.cookie !== null) response.appendHeader('Set-Cookie', verdict.cookie);
    ownBody(request, 'staff');
    setPrivate(response);
    response.setHeader('Content-Security-Policy', POLICY);
    next();
  };
}

/** Says so at once where Redis is away, instead of waiting for what it would answer. */
export function whileRedisAnswers(queue: CallQueue): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    if (queue.available || request.path.startsWith('/static/')) return next();
    response.status(503).setHeader('Retry-After', '5');
    if (request.path.startsWith('/api/')) {
      response.json({ error: UNREACHABLE });
      return;
    }
    setPageHeaders(response);
    response.type('html').send(renderPage(errorPage('The queue is not reachable', UNREACHABLE)));
  };
}

/** The board expects bodies where Express puts them. */
export async function handBodyOn(request: Request, response: Response, next: NextFunction): Promise<void> {
  const body = await readBody(request);
  if (body.kind === 'bytes' && body.bytes.length === 0) {
    request.body = {};
    return next();
  }
  const parsed = await readJsonObject(request);
  if (!parsed.ok) {
    response.status(400).json({ error: parsed.message });
    return;
  }
  request.body = parsed.value;
  next();
}
