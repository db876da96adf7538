import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from '@nestjs/common';
import { type Response } from 'express';
import { isDatabaseUnavailable } from '../database/database-errors.js';
import { CommitUnknownError } from '../database/transactions.js';
import { type CallAnswer, refusalAnswer } from './call-answers.js';

/** What the call endpoint says of the unexpected; everything expected is an answer, not an exception. */
@Catch()
export class CallErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('CallEndpoint');

  catch(error: unknown, host: ArgumentsHost): void {
    const { status, headers, body } = this.answerTo(error);
    host.switchToHttp().getResponse<Response>().status(status).set(headers).json(body);
  }

  private answerTo(error: unknown): CallAnswer {
    if (error instanceof CommitUnknownError || isDatabaseUnavailable(error)) {
      this.logger.warn(`Postgres: ${(error as Error).message}`);
      return refusalAnswer('SERVICE_UNAVAILABLE');
    }
    if (error instanceof HttpException && error.getStatus() < 500) {
      return {
        status: error.getStatus(),
        headers: {},
        body: { message: error.message, reason: 'INVALID_REQUEST' },
      };
    }
    this.logger.error(error instanceof Error ? (error.stack ?? error.message) : 'not an Error');
    return refusalAnswer('INTERNAL');
  }
}
