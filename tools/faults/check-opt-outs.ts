import { type CallRecord, type History } from './history.js';
import { type Violation } from './violation.js';

/**
 * Opt-outs that were lost: the number was not on Do Not Call. The answer to the opt-out had left, or the call
 * that the carrier reported it with had ended. Dials after that are found by the list.
 */
export function lostOptOuts({ optOuts, calls, dials, doNotCall }: History): Violation[] {
  // While a fault has every dial answered otherwise, there is no result.
  const completed = new Set(
    dials.filter(({ outcome }) => outcome === 'completed').map(({ callRequestId }) => callRequestId),
  );
  const byId = new Map(calls.map((call) => [call.id, call]));
  const listed = new Map(doNotCall.map((entry) => [numberKey(entry), entry.committedAt]));
  const lost = ({ id, ...number }: CallRecord, by: number, what: string): Violation[] => {
    const listedAt = listed.get(numberKey(number));
    // The answer's instant has whole milliseconds.
    if (listedAt !== undefined && listedAt < by + 1) return [];
    const late = listedAt === undefined ? 'is not' : `was only ${Math.round(listedAt - by)} ms later`;
    return [{ kind: 'opt-out lost', id, detail: `${what}, and its number ${late} on Do Not Call` }];
  };
  return [
    ...optOuts.flatMap(({ callRequestId, answeredAt }) => {
      const call = byId.get(callRequestId);
      return call ? lost(call, answeredAt, 'its opt-out was answered') : [];
    }),
    ...calls.flatMap((call) =>
      call.reportedOptOut && call.overAt !== null && completed.has(call.id)
        ? lost(call, call.overAt, 'its carrier reported an opt-out')
        : [],
    ),
  ];
}

const numberKey = ({ teamId, phoneNumber }: { teamId: string; phoneNumber: string }) =>
  `${teamId} ${phoneNumber}`;
