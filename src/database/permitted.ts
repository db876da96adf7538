import { type KeyedSemaphore } from './keyed-semaphore.js';
import { type TeamTransactions } from './transactions.js';

/**
 * The transactions of a team, each with a permit of the team. For requests that read many rows, or of which one
 * client sends many at a time: otherwise they could occupy all connections of the process.
 */
export function permitted(
  semaphore: KeyedSemaphore,
  teamId: string,
  own: TeamTransactions,
): TeamTransactions {
  return {
    read: (one) => semaphore.run(teamId, () => own.read(one)),
    autocommit: (one) => semaphore.run(teamId, () => own.autocommit(one)),
    inOneRoundTrip: (queries) => semaphore.run(teamId, () => own.inOneRoundTrip(queries)),
    transact: (work) => semaphore.run(teamId, () => own.transact(work)),
    run: (opening, decide) => semaphore.run(teamId, () => own.run(opening, decide)),
  };
}
