import { SUPPRESS_ENROLLMENTS } from '../campaigns/engine/suppress-enrollments.js';
import { type Query, query, type Statement } from '../database/transactions.js';
import { END_PENDING_OF_NUMBERS } from '../dialing/outcome/end-pending.sql.js';
import { type CallCause } from '../domain/call-causes.js';
import { numbersOfPerson } from '../domain/person-number.js';
import { ADD_TO_DO_NOT_CALL } from './sql/opt-out.sql.js';

const END_PENDING_CALLS: Statement = { name: 'end_pending_calls', text: END_PENDING_OF_NUMBERS };
const CAUSE: CallCause = 'do_not_call';

/** Numbers that go on a team's Do Not Call list. */
export interface Suppression {
  teamId: string;
  /** E.164, in ascending order, so that two suppressions never wait for each other in a circle. */
  numbers: string[];
  /** The erased form of each number, or null. A number whose entry was erased is on the list already. */
  erased: (string | null)[];
  reason: string | null;
}

/**
 * The statements that list the numbers, end the pending calls to their persons as `blocked` with the release of
 * their plan usage, and end the persons' live enrollments. The first has a row for each new entry. The transaction
 * must already hold the numbers' locks and then the team's lock, each taken in an earlier statement.
 *
 * @param goal the enrollment that ends as completed, because the call's result also reaches its goal.
 */
export function suppressing(
  { teamId, numbers, erased, reason }: Suppression,
  goal: string | null = null,
): Query[] {
  const forms = numbers.flatMap(numbersOfPerson);
  return [
    query(ADD_TO_DO_NOT_CALL, teamId, numbers, reason, erased),
    query(END_PENDING_CALLS, teamId, forms, 'DO_NOT_CALL', CAUSE),
    query(SUPPRESS_ENROLLMENTS, teamId, forms, goal),
  ];
}
