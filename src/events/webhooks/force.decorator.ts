import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { invalid } from '../../http/app-error.js';
import { bytesOf, jsonObjectOf } from '../../http/body.js';

const FIELD = 'force';

/**
 * Whether a request has `?force=true`, or `{"force": true}` as its body. Without either it is false.
 *
 * @throws AppError `INVALID_REQUEST` for another value, or a body with another field.
 */
export const Force = createParamDecorator(async (_: unknown, context: ExecutionContext): Promise<boolean> => {
  const request = context.switchToHttp().getRequest<Request>();
  const inQuery = request.query[FIELD];
  const body = (await bytesOf(request)).length === 0 ? {} : await jsonObjectOf(request);
  const { [FIELD]: inBody, ...others } = body;
  if (Object.keys(others).length > 0) throw invalid(`The body can have only the field ${FIELD}`);
  const isFlag = (value: unknown) => value === undefined || value === true || value === false;
  const asked = inQuery === 'true' ? true : inQuery === 'false' ? false : inQuery;
  if (!isFlag(asked) || !isFlag(inBody)) throw invalid(`${FIELD} must be true or false`);
  return asked === true || inBody === true;
});
