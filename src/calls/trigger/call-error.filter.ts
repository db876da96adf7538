import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { CommitUnknownError, isDatabaseUnavailable } from '../../database/database-errors.js';
import { AppError } from '../../http/app-error.js';
import { describeError } from '../../telemetry/describe-error.js';
import { traceOf } from '../../telemetry/request-trace.js';
import { type CallAnswer, refusalAnswer, sendAnswer } from './answers.js';
import { refused } from './command.js';

/** The call endpoint's answer to an unexpected error. Expected refusals are answers, not exceptions. */
@Catch()
export class CallErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('CallEndpoint');

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    sendAnswer(http.getResponse<Response>(), this.answerTo(error, http.getRequest<Request>()));
  }

  private answerTo(error: unknown, request: Request): CallAnswer {
    const { requestId } = traceOf(request);
    const refuse = (...refusal: Parameters<typeof refused>) => refusalAnswer(refused(...refusal), requestId);
    if (error instanceof AppError && error.code === 'RATE_LIMITED') return refuse('RATE_LIMITED');
    if (error instanceof AppError && error.code === 'FORBIDDEN') {
      return { status: 403, headers: {}, body: { error: error.message, requestId } };
    }
    if (error instanceof CommitUnknownError || isDatabaseUnavailable(error)) {
      this.logger.warn({ message: `Postgres is unavailable: ${describeError(error)}`, requestId });
      return refuse('SERVICE_UNAVAILABLE');
    }
    if (error instanceof HttpException && error.getStatus() < 500) {
      return { ...refuse('INVALID_REQUEST', error.message), status: error.getStatus() };
    }
    this.logger.error({ message: describeError(error), requestId });
    return refuse('INTERNAL');
  }
}
