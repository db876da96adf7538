import {
  CALL_FILTERS,
  NO_FILTERS,
  NO_REASON,
  type OperatorCallFilters,
} from '../../calls/records/operator-list.service.js';
import { FilterReader, type ListFilter } from '../../http/filters.js';
import { TEXT_SCHEMA } from '../../http/json-schema.js';
import { parseSoughtNumber } from '../../domain/sought-number.js';
import { address } from '../design/address.js';
import { type PageRequest } from '../frame/form.js';
import { dayIn, localHours } from '../design/local-time.js';
import { chosenTeam, type Frame } from '../frame/page-frame.service.js';

/** Parameters in the address of the list of calls, besides the team and the time zone. */
export const CALL_LIST_FILTERS = [
  'status',
  'due',
  'day',
  'reason',
  'phoneNumber',
  'agentId',
  'campaignId',
] as const;
export type CallListFilter = (typeof CALL_LIST_FILTERS)[number];

/** Those that the operator's API has, too. */
const { status, reason, phoneNumber, agentId, campaignId } = CALL_FILTERS;

/**
 * The filters as they are in the address. `reason` is a code or {@link NO_REASON}; `due` is one of
 * {@link DUE}, or the instant at which an hour begins.
 */
export type SentCallFilters = Partial<Record<CallListFilter, string>>;

/** Values of `due` that are not hours. */
export const DUE = { overdue: 'overdue', paused: 'paused', nextDay: 'next24h' } as const;

/** How many hours the overview's chart and the filter {@link DUE}.nextDay cover. */
export const HOURS_AHEAD = 24;

/** The address of the list of calls with these filters, for the team and the zone of the page. */
export function callsOf(
  frame: Frame,
  filters: SentCallFilters & { teamId?: string; cursor?: string | null } = {},
): string {
  const { base, request } = frame;
  const own = { teamId: chosenTeam(frame), timezone: request.parameter('timezone') };
  return address(`${base}/calls`, { ...own, ...filters });
}

/** The value of the filter `reason` for calls with this reason; null: for calls without a reason. */
export const reasonFilter = (reason: string | null) => reason ?? NO_REASON;

export function sentFilters(request: PageRequest): SentCallFilters {
  const sent: SentCallFilters = {};
  for (const name of CALL_LIST_FILTERS) {
    const value = name === 'phoneNumber' ? request.phoneNumber : request.parameter(name);
    if (value !== null) sent[name] = value;
  }
  return sent;
}

/**
 * Reads the filters for the team, the zone and the instant of the page.
 *
 * @param country by which numbers in national form are read; null: they are refused.
 * @throws AppError `INVALID_REQUEST` naming every malformed filter.
 */
export function readCallFilters(
  { team, zone, now }: Pick<Frame, 'team' | 'zone' | 'now'>,
  sent: SentCallFilters,
  country: string | null,
): OperatorCallFilters {
  const own = {
    day: {
      description: 'Only calls that ended on this day of the zone.',
      schema: TEXT_SCHEMA,
      rule: 'must be a date, such as 2026-11-20',
      read: (text) => dayIn(zone, text) ?? undefined,
    } satisfies ListFilter<OperatorCallFilters['ended']>,
    due: {
      description: 'Only pending calls that are due then.',
      schema: TEXT_SCHEMA,
      rule: 'must be one of overdue, paused, next24h, or the instant at which an hour begins',
      read: (text) => dueOf(text, zone, now) ?? undefined,
    } satisfies ListFilter<OperatorCallFilters['due']>,
  };
  const known = { status, reason, agentId, campaignId, ...own, phoneNumber } satisfies Record<
    CallListFilter,
    ListFilter
  >;
  const read = new FilterReader(known, { filters: sent });
  const { day: ended, ...filters } = read.values;
  let number: string | null = null;
  if (filters.phoneNumber !== null) {
    const parsed = parseSoughtNumber(country, filters.phoneNumber);
    if (parsed.ok) number = parsed.e164;
    else read.refuse(parsed.message);
  }
  read.done();
  return { ...NO_FILTERS, ...filters, teamId: team?.id ?? null, ended, phoneNumber: number };
}

function dueOf(text: string, zone: string, now: Date): OperatorCallFilters['due'] {
  if (text === DUE.overdue || text === DUE.paused)
    return { kind: 'overdue', now, paused: text === DUE.paused };
  if (text === DUE.nextDay) {
    const { starts, end } = localHours(zone, now, HOURS_AHEAD);
    return { kind: 'upcoming', now, from: starts[0] ?? now, to: end };
  }
  const from = hourOf(text);
  return from === null ? null : { kind: 'upcoming', now, from, to: localHours(zone, from, 1).end };
}

/** The instant at which an hour begins; null for other text. */
export function hourOf(text: string): Date | null {
  if (!/^2\d{3}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/.test(text)) return null;
  const hour = new Date(text);
  return Number.isNaN(hour.getTime()) ? null : hour;
}
