import { createParamDecorator, type ExecutionContext, UseGuards } from '@nestjs/common';
import { type Request } from 'express';
import { type KeyedRequest, keyedRequestOf } from './keyed-request.js';
import { KnownKeyGuard } from './known-key.guard.js';

const ReadKeyed = createParamDecorator((_: unknown, context: ExecutionContext): Promise<KeyedRequest> =>
  keyedRequestOf(context.switchToHttp().getRequest<Request>()),
);

/**
 * Passes the {@link KeyedRequest} to a controller's method, and puts the method behind {@link KnownKeyGuard}.
 * The statement that does the work checks the key again.
 */
export function Keyed(): ParameterDecorator {
  return (target, handler, index) => {
    if (handler !== undefined) {
      UseGuards(KnownKeyGuard)(target, handler, Object.getOwnPropertyDescriptor(target, handler) ?? {});
    }
    ReadKeyed()(target, handler, index);
  };
}
