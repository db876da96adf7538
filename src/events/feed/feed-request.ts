import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request } from 'express';
import { problemOf } from '../../http/app-error.js';
import { FilterReader, type ListFilter } from '../../http/filters.js';
import { TEXT_SCHEMA } from '../../http/json-schema.js';
import { parsePageRequest } from '../../http/page.js';
import { noteInput } from '../../http/route-input.js';
import { EVENT_TYPES, type EventType } from '../event-types.js';

/** The filters of the feed. */
const FEED_FILTERS = {
  after: {
    description: 'Only events with a higher `sequence`. 0 begins with the oldest stored event.',
    schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 },
    rule: 'must be the sequence of an event, or 0',
    read: (text) => {
      const number = /^\d{1,16}$/.test(text) ? Number(text) : NaN;
      return Number.isSafeInteger(number) ? number : undefined;
    },
  } satisfies ListFilter<number>,
  types: {
    description: 'Only events of these types, separated by commas.',
    schema: { ...TEXT_SCHEMA, examples: ['call.ended,call.result'] },
    rule: (text) => unknownType(text.split(',').find((type) => !isType(type)) ?? ''),
    read: (text) => {
      const named = [...new Set(text.split(','))];
      return named.every(isType) ? named : undefined;
    },
  } satisfies ListFilter<EventType[]>,
};

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
    if (handler !== undefined) noteInput(target, handler, { filters: FEED_FILTERS, hasCursor: false });
    RequestedFeed()(target, handler, index);
  };
}

const RequestedFeed = createParamDecorator((_: unknown, context: ExecutionContext) =>
  parseFeedRequest(context.switchToHttp().getRequest<Request>().query),
);

function parseFeedRequest(sent: Request['query']): FeedRequest {
  const { cursor, ...parameters } = sent;
  const page = parsePageRequest(parameters, Object.keys(FEED_FILTERS), { refusedByFilters: true });
  const none = cursor === undefined ? [] : [problemOf('cursor is not a parameter of this list')];
  const read = new FilterReader(FEED_FILTERS, {
    filters: page.filters,
    problems: [...none, ...(page.problems ?? [])],
  });
  read.done();
  const { after, types } = read.values;
  return { after: after ?? 0, types, limit: page.limit };
}

function isType(type: string): type is EventType {
  return (EVENT_TYPES as readonly string[]).includes(type);
}

function unknownType(type: string): string {
  const named = /^[\w.]{1,40}$/.test(type) ? type : 'an item';
  return `types: ${named} is not one of ${EVENT_TYPES.join(', ')}`;
}
