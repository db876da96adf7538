import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { jsonObjectOf } from './body.js';

/**
 * The body of a request as an object, for a service that reads its fields itself. Runs after the guards.
 *
 * @throws AppError `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_ENCODING`, `RATE_LIMITED`, or `INVALID_REQUEST` for what
 *   is no object.
 */
export const ObjectBody = createParamDecorator((_: unknown, context: ExecutionContext) =>
  jsonObjectOf(context.switchToHttp().getRequest<Request>()),
);
