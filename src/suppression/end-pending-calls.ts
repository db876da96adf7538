import { type Query, query, type Statement } from '../database/transactions.js';
import { numbersOfPerson } from '../domain/person-number.js';
import { type CallCause } from '../domain/call-causes.js';
import { END_PENDING_OF_NUMBERS } from '../dialing/outcome/end-pending.sql.js';

const END_PENDING_CALLS: Statement = { name: 'end_pending_calls', text: END_PENDING_OF_NUMBERS };

/** Which pending calls end, and why. `phoneNumbers` are E.164; `cause` is added to each call's history. */
export interface EndPendingCalls {
  teamId: string;
  phoneNumbers: string[];
  reason: 'DO_NOT_CALL';
  cause: CallCause;
}

/**
 * Ends all pending calls to the persons with the numbers as `blocked` and releases their plan usage. The transaction must
 * already hold the numbers' locks and then the team's lock, each taken in an earlier statement.
 */
export function endPendingCalls({ teamId, phoneNumbers, reason, cause }: EndPendingCalls): Query {
  return query(END_PENDING_CALLS, teamId, phoneNumbers.flatMap(numbersOfPerson), reason, cause);
}
