import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { type ListFilters } from './filters.js';
import { type PageOptions, type PageRequest, parsePageRequest } from './page.js';
import { noteInput } from './route-input.js';

/**
 * The page that a list's query string requests, with the named filters: see {@link parsePageRequest}. Runs
 * after the guards.
 *
 * @throws AppError `INVALID_REQUEST` naming what is malformed, unknown or sent twice.
 */
export function PageOf(filters: ListFilters = {}, options: PageOptions = {}): ParameterDecorator {
  return (target, handler, index) => {
    if (handler !== undefined) noteInput(target, handler, { filters });
    RequestedPage({ names: Object.keys(filters), options })(target, handler, index);
  };
}

const RequestedPage = createParamDecorator(
  (
    { names, options }: { names: readonly string[]; options: PageOptions },
    context: ExecutionContext,
  ): PageRequest<string> =>
    parsePageRequest(context.switchToHttp().getRequest<Request>().query, names, options),
);
