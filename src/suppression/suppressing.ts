import { SUPPRESS_ENROLLMENTS } from '../campaigns/engine/suppress-enrollments.js';
import { type Query, query, type Statement } from '../database/transactions.js';
import { END_PENDING_OF_AGENT, END_PENDING_OF_NUMBERS } from '../dialing/outcome/end-pending.sql.js';
import { type CallCause } from '../domain/call-causes.js';
import { type Purpose } from '../domain/compliance/pack.js';
import { type SuppressionScope, type SuppressionSource } from '../domain/limited-entry.js';
import { numbersOfPerson } from '../domain/person-number.js';
import { ADD_LIMITED, ADD_TO_DO_NOT_CALL, END_CONSENTS_OF_ERASED } from './sql/opt-out.sql.js';

const END_PENDING_CALLS: Statement = { name: 'end_pending_calls', text: END_PENDING_OF_NUMBERS };
const END_PENDING_CALLS_OF_AGENT: Statement = { name: 'end_pending_of_agent', text: END_PENDING_OF_AGENT };
const CAUSE: CallCause = 'do_not_call';
/** The reason of entries that a replay of the journal adds. */
export const REPLAYED = 'replayed from the journal after a restore';

/** For what an entry holds; the other id is null. */
export interface EntryScope {
  scope: Exclude<SuppressionScope, 'platform'>;
  campaignId: string | null;
  agentId: string | null;
}

/** The limits of an entry that holds only for a campaign, an agent, a purpose or a time. */
export interface EntryLimits extends EntryScope {
  /** null: for every purpose. */
  purpose: Purpose | null;
  /** Whether the team honours purposes. Otherwise the entry holds for every purpose, and only tells its own. */
  byPurpose: boolean;
  /** null: from now. */
  effectiveFrom: Date | null;
  /** null: without end. */
  expiresAt: Date | null;
}

/** Numbers that go on a team's Do Not Call list. */
export interface Suppression {
  teamId: string;
  /** E.164, in ascending order, so that two suppressions never wait for each other in a circle. */
  numbers: string[];
  /** The erased form of each number, or null. A number whose entry was erased is on the list already. */
  erased: (string | null)[];
  reason: string | null;
  source: SuppressionSource;
  /** What the ledger tells, though the entry holds for every purpose; null: nothing. */
  purpose?: Purpose | null;
  /** Absent: the entry holds for the whole team, at once and without end. */
  limits?: EntryLimits;
}

/** The statement that lists the numbers. It has a row for each new entry. */
export function listing({
  teamId,
  numbers,
  erased,
  reason,
  source,
  purpose = null,
  limits,
}: Suppression): Query {
  if (limits === undefined)
    return query(ADD_TO_DO_NOT_CALL, teamId, numbers, reason, erased, source, purpose);
  const { scope, campaignId, agentId, effectiveFrom, expiresAt } = limits;
  return query(
    ADD_LIMITED,
    teamId,
    numbers,
    reason,
    erased,
    source,
    limits.purpose,
    scope,
    campaignId,
    agentId,
    effectiveFrom,
    expiresAt,
  );
}

/**
 * The statements that list the numbers, end the pending calls to their persons as `blocked` with the release of
 * their plan usage, and end the persons' live enrollments, as far as the entry reaches. An entry without limits ends
 * the persons' consents. The first has a row for each new entry. The transaction must already hold the numbers' locks
 * and then the team's lock, each taken in an earlier statement.
 *
 * @param goal the enrollment that ends as completed, because the call's result also reaches its goal.
 */
export function suppressing(suppression: Suppression, goal: string | null = null): Query[] {
  const { teamId, numbers, erased, limits } = suppression;
  const mayBeErased = limits === undefined && erased.some((form) => form !== null);
  return [
    listing(suppression),
    ...ending(suppression, goal),
    ...(mayBeErased ? [query(END_CONSENTS_OF_ERASED, teamId, numbers, erased)] : []),
  ];
}

/** The statements that end what the entry forbids now. An entry for a purpose or from a later time is judged at the claim. */
export function ending(
  { teamId, numbers, limits }: Pick<Suppression, 'teamId' | 'numbers' | 'limits'>,
  goal: string | null = null,
): Query[] {
  const forms = numbers.flatMap(numbersOfPerson);
  const { scope, purpose, byPurpose, effectiveFrom } = limits ?? UNLIMITED;
  if ((byPurpose && purpose !== null) || (effectiveFrom !== null && effectiveFrom.getTime() > Date.now()))
    return [];
  const agent = limits?.agentId ?? null;
  const calls =
    agent === null
      ? query(END_PENDING_CALLS, teamId, forms, 'DO_NOT_CALL', CAUSE)
      : query(END_PENDING_CALLS_OF_AGENT, teamId, forms, 'DO_NOT_CALL', CAUSE, agent);
  const enrollments = query(SUPPRESS_ENROLLMENTS, teamId, forms, goal, limits?.campaignId ?? null);
  return [
    // The calls of a campaign are claimed as they are stored, so none is pending.
    ...(scope === 'campaign' ? [] : [calls]),
    // An enrollment may have steps of other agents. It ends once a call of this agent is due.
    ...(scope === 'agent' ? [] : [enrollments]),
  ];
}

const UNLIMITED: EntryLimits = {
  scope: 'team',
  campaignId: null,
  agentId: null,
  purpose: null,
  byPurpose: false,
  effectiveFrom: null,
  expiresAt: null,
};
