import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { jsonObjectOf } from './body.js';
import { readResultBody, type ReadResult } from './call-result-fields.js';

/**
 * The result that a request reports. A malformed result is passed to the handler, too, because it may carry
 * an opt-out. Runs after the guards.
 *
 * @throws AppError `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_ENCODING`, `RATE_LIMITED`, or `INVALID_REQUEST` for what
 *   is no object.
 */
export const ResultBody = createParamDecorator(
  async (_: unknown, context: ExecutionContext): Promise<ReadResult> =>
    readResultBody(await jsonObjectOf(context.switchToHttp().getRequest<Request>())),
);
