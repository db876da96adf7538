import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { invalid, problemOf, problemsOf } from './app-error.js';
import { jsonObjectOf } from './body.js';
import { noteInput } from './route-input.js';
import { declaredFields, validateBody } from './validation.js';

// A key is the sender's text: a message repeats it only if it is short and plain.
const SPOKEN_KEY = /^[\w.-]{1,40}$/;

/**
 * The body of an operator's request as an instance of `cls`, validated. Unlike a body of the contract's
 * endpoints, it must have no field that `cls` does not declare, so that typing errors are noticed. `null` is
 * kept, because it clears a setting. Runs after the guards.
 *
 * @throws AppError `PAYLOAD_TOO_LARGE`, `UNSUPPORTED_ENCODING`, `RATE_LIMITED`, or `INVALID_REQUEST` naming
 *   every bad field.
 */
export function JsonBody(cls: new () => object): ParameterDecorator {
  return (target, handler, index) => {
    if (handler !== undefined) noteInput(target, handler, { body: cls });
    CheckedBody(cls)(target, handler, index);
  };
}

const CheckedBody = createParamDecorator(
  async (cls: new () => object, context: ExecutionContext): Promise<object> => {
    const fields = await jsonObjectOf(context.switchToHttp().getRequest<Request>());
    const unknown = unknownKeys(cls, fields).map((key) => {
      const isSpoken = SPOKEN_KEY.test(key);
      return problemOf(`${isSpoken ? key : 'A field'} is not a field of this resource`, isSpoken ? key : '');
    });
    const result = validateBody(cls, fields, { nulls: 'keep' });
    if (result.ok && unknown.length === 0) return result.value;
    throw invalid(...unknown, ...problemsOf(result));
  },
);

function unknownKeys(cls: new () => object, fields: Record<string, unknown>): string[] {
  const declared = new Set(declaredFields(cls));
  return Object.keys(fields).filter((key) => !declared.has(key));
}
