import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { isDatabaseUnavailable } from '../database/database-errors.js';
import { traceOf } from '../telemetry/request-trace.js';
import { AppError, type ErrorCode, errorsOf, type Problem, problemOf } from './app-error.js';
import { describeError } from '../telemetry/describe-error.js';
import { routePatternOf } from './route-pattern.js';
import { sendJson } from './send-json.js';

const STATUS: Record<ErrorCode, number> = {
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

interface ErrorBody {
  error: string;
  requestId: string;
  /** Only in a 400. */
  errors?: readonly Problem[];
}

/**
 * The `{error}` shape of every surface but the call endpoint's (contract §7). An unexpected error is logged,
 * and its answer is only `Internal server error`. If Postgres is unavailable, the answer is 503 with
 * `Retry-After`.
 */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);

  catch(error: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const { status, body } = this.answer(error, request);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const later = status === 429 || status === 503;
    if (later && !response.hasHeader('Retry-After')) response.setHeader('Retry-After', RETRY_AFTER_SECONDS);
    sendJson(response, status, body);
  }

  /** The answer to an error. An unexpected error is logged here. */
  protected answer(error: unknown, request: Request): { status: number; body: ErrorBody } {
    const { requestId } = traceOf(request);
    if (error instanceof AppError) {
      const { code, message, details, problems } = error;
      return answerWith(STATUS[code], { ...details, error: message, requestId }, problems);
    }
    if (isDatabaseUnavailable(error)) {
      this.logger.warn({ message: `Postgres is unavailable: ${describeError(error)}`, requestId });
      return { status: 503, body: { error: 'Service unavailable, try again later', requestId } };
    }
    const status = clientStatus(error);
    if (status !== null) {
      const message = MESSAGE_OF_STATUS[status] ?? 'Bad request';
      return answerWith(status, { error: message, requestId }, [problemOf(message)]);
    }
    const route = `${request.method} ${routePatternOf(request)}`;
    this.logger.error({ message: `${route}: ${describeError(error)}`, requestId });
    return { status: 500, body: { error: 'Internal server error', requestId } };
  }
}

function answerWith(status: number, body: ErrorBody, problems: readonly Problem[]) {
  return { status, body: status === 400 ? { ...body, errors: errorsOf(problems) } : body };
}

/** Status of a refusal by Nest or Express, such as an unknown route or a malformed address. */
function clientStatus(error: unknown): number | null {
  if (typeof error !== 'object' || error === null) return null;
  const status: unknown =
    error instanceof HttpException ? error.getStatus() : 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : null;
}
