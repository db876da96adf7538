import { CALL_FILTERS, type CallFilterValues } from './call-filters.js';

/**
 * Pending calls by the time at which they are due. Calls that wait for a concurrency slot are not among them.
 */
export type DueFilter =
  /** Due at `now` or before; `paused`: whether a pause of the team or the platform holds the calls back. */
  | { kind: 'overdue'; now: Date; paused: boolean }
  /** Due after `now`, from `from` on and before `to`. */
  | { kind: 'upcoming'; now: Date; from: Date; to: Date };

/** The filters of a list; null: not set. `phoneNumber` is in E.164. */
export interface OperatorCallFilters extends CallFilterValues {
  teamId: string | null;
  /** Calls that ended from `from` on and before `to`. */
  ended: { from: Date; to: Date } | null;
  due: DueFilter | null;
}

const UNSET = Object.keys(CALL_FILTERS).map((name) => [name, null]);

export const NO_FILTERS: OperatorCallFilters = {
  ...(Object.fromEntries(UNSET) as CallFilterValues),
  teamId: null,
  ended: null,
  due: null,
};

/** The order of a list: by the instant that its filters are about. */
export interface ListOrder {
  column: 'accepted_at' | 'ended_at' | 'runs_at';
  direction: 'ASC' | 'DESC';
}

/** A list by due times begins with the earliest call, every other list with the latest call. */
export function orderOf({ due, ended }: OperatorCallFilters): ListOrder {
  if (due !== null) return { column: 'runs_at', direction: 'ASC' };
  return { column: ended === null ? 'accepted_at' : 'ended_at', direction: 'DESC' };
}

/**
 * Where the calls are found. `number` and `open` sort all calls that an index leads to; the others walk an
 * index.
 */
export type ListSource = 'number' | 'due' | 'ended' | 'open' | 'campaign' | 'agent' | 'team' | 'teams';

/**
 * The source that reads the fewest calls.
 * @param fewOpen whether so few calls are in the phase of the status that they can be sorted.
 */
export function sourceOf(filters: OperatorCallFilters, fewOpen: boolean): ListSource {
  if (filters.phoneNumber !== null) return 'number';
  if (filters.due !== null) return 'due';
  if (filters.ended !== null) return 'ended';
  if (fewOpen) return 'open';
  if (filters.campaignId !== null) return 'campaign';
  if (filters.agentId !== null) return 'agent';
  return filters.teamId === null ? 'teams' : 'team';
}
