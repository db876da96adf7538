import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { invalid, problemOf } from '../../http/app-error.js';
import { parsePageRequest } from '../../http/page.js';
import { noteInput } from '../../http/route-input.js';
import { EVENT_TYPES, type EventType } from '../event-types.js';

const PARAMETERS = ['after', 'types'] as const;

/** Which events are requested: at most `limit` events with a higher sequence than `after`. */
export interface FeedRequest {
  /** 0: the oldest kept event comes first. */
  after: number;
  /** Null: all types. */
  types: EventType[] | null;
  limit: number;
}

/**
 * The events that a query string requests. Runs after the guards.
 *
 * @throws AppError `INVALID_REQUEST` naming what is malformed, unknown or sent twice.
 */
export function FeedOf(): ParameterDecorator {
  return (target, handler, index) => {
    if (handler !== undefined) noteInput(target, handler, { filters: PARAMETERS, hasCursor: false });
    RequestedFeed()(target, handler, index);
  };
}

const RequestedFeed = createParamDecorator((_: unknown, context: ExecutionContext) =>
  parseFeedRequest(context.switchToHttp().getRequest<Request>().query),
);

function parseFeedRequest(sent: Request['query']): FeedRequest {
  const { cursor, ...parameters } = sent;
  const read = parsePageRequest(parameters, PARAMETERS, { refusedByFilters: true });
  const { filters, limit } = read;
  const { after = '0', types } = filters as Partial<Record<(typeof PARAMETERS)[number], string>>;
  const number = /^\d{1,16}$/.test(after) ? Number(after) : NaN;
  const named = types === undefined ? null : [...new Set(types.split(','))];
  const unknown = named?.find((type) => !isType(type));
  const problems = [
    ...(cursor === undefined ? [] : [problemOf('cursor is not a parameter of this list')]),
    ...(read.problems ?? []),
    ...(Number.isSafeInteger(number) ? [] : [problemOf('after must be the sequence of an event, or 0')]),
    ...(unknown === undefined ? [] : [problemOf(unknownType(unknown), 'types')]),
  ];
  if (problems.length > 0) throw invalid(...problems);
  return { after: number, types: named as EventType[] | null, limit };
}

function isType(type: string): boolean {
  return (EVENT_TYPES as readonly string[]).includes(type);
}

function unknownType(type: string): string {
  const named = /^[\w.]{1,40}$/.test(type) ? type : 'an item';
  return `types: ${named} is not one of ${EVENT_TYPES.join(', ')}`;
}
