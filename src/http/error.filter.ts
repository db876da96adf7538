import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { isDatabaseUnavailable } from '../database/database-errors.js';
import { traceOf } from '../telemetry/request-trace.js';
import { AppError, type ErrorCode, errorsOf, type Problem, problemOf } from './app-error.js';
import { allowedMethodsOf } from './allowed-methods.js';
import { describeError } from '../telemetry/describe-error.js';
import { isUuid } from './validators.js';
import { routePatternOf } from './route-pattern.js';
import { sendJson } from './send-json.js';

/** The status of each code of a refusal. */
export const STATUS: Readonly<Record<ErrorCode, number>> = {
  UNAUTHORIZED: 401,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_ENCODING: 415,
  INVALID_REQUEST: 400,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  UNPROCESSABLE: 422,
  CONFLICT: 409,
  GONE: 410,
  RATE_LIMITED: 429,
  SERVICE_UNAVAILABLE: 503,
};

// Messages for refusals by the framework, because its own messages repeat what was sent.
const MESSAGE_OF_STATUS: Record<number, string> = {
  404: 'Not found',
  405: 'Method not allowed',
  413: 'The body is too large',
};

const RETRY_AFTER_SECONDS = '1';

interface Answer {
  status: number;
  body: ErrorBody;
  /** The methods of a 405. */
  allow?: readonly string[];
}

interface ErrorBody {
  error: string;
  requestId: string;
  /** Only in a 400. */
  errors?: readonly Problem[];
}

/**
 * The `{error}` shape of every surface but the call endpoint's (contract §7). An unexpected error is logged,
 * and its answer is only `Internal server error`. If Postgres is unavailable, the answer is 503 with
 * `Retry-After`. A path that has a route for another method is 405 with `Allow`. A 404 names the ids in the path
 * that are none.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const { status, body, allow } = this.answer(error, request);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const later = status === 429 || status === 503;
    if (later && !response.hasHeader('Retry-After')) response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
    if (allow !== undefined) response.setHeader('Allow', allow.join(', '));
    sendJson(response, status, body);
  }

  /** The answer to an error. An unexpected error is logged here. */
  protected answer(error: unknown, request: Request): Answer {
    const { requestId } = traceOf(request);
    if (error instanceof AppError) {
      const { code, message, details, problems } = error;
      const malformed = code === 'NOT_FOUND' ? malformedIds(request) : '';
      const allow = malformed === '' ? [] : allowedMethodsOf(request, true);
      if (allow.length > 0) return notAllowed(allow, requestId);
      return answerWith(STATUS[code], { ...details, error: message + malformed, requestId }, problems);
    }
    if (isDatabaseUnavailable(error)) {
      this.logger.warn({ message: `Postgres is unavailable: ${describeError(error)}`, requestId });
      return { status: 503, body: { error: 'Service unavailable, try again later', requestId } };
    }
    const status = clientStatus(error);
    if (status !== null) {
      const allow = status === 404 && request.route === undefined ? allowedMethodsOf(request) : [];
      if (allow.length > 0) return notAllowed(allow, requestId);
      const message = MESSAGE_OF_STATUS[status] ?? 'Bad request';
      return answerWith(status, { error: message, requestId }, [problemOf(message)]);
    }
    const route = `${request.method} ${routePatternOf(request)}`;
    this.logger.error({ message: `${route}: ${describeError(error)}`, requestId });
    return { status: 500, body: { error: 'Internal server error', requestId } };
  }
}

/** The parameters of a path that are ids. */
const ID = /^id$|Id$/;

/** What is wrong with the ids in the request's path, as the end of a message. */
function malformedIds({ params }: Request): string {
  const malformed = Object.keys(params ?? {}).filter((name) => ID.test(name) && !isUuid(params[name]));
  return malformed.length === 0 ? '' : `: ${malformed.join(', ')} in the path is not an id, which is a UUID`;
}

function notAllowed(allow: readonly string[], requestId: string): Answer {
  const error = `Method not allowed: this path takes ${allow.join(', ')}`;
  return { status: 405, body: { error, requestId }, allow };
}

function answerWith(status: number, body: ErrorBody, problems: readonly Problem[]): Answer {
  return { status, body: status === 400 ? { ...body, errors: errorsOf(problems) } : body };
}

/** Status of a refusal by Nest or Express, such as an unknown route or a malformed address. */
function clientStatus(error: unknown): number | null {
  if (typeof error !== 'object' || error === null) return null;
  const status: unknown =
    error instanceof HttpException ? error.getStatus() : 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : null;
}
