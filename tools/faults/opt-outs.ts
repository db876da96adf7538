import { type CallRecord, type History } from './history.js';

/** An opt-out of the number of a call. */
export interface OptOut {
  call: CallRecord;
  /** By when the product knew of it. */
  at: number;
  what: string;
}

/** The opt-outs of a run: by answered results, and by carriers' reports of calls' ends. */
export function optOutsIn({ optOuts, calls, dials }: History): OptOut[] {
  const byId = new Map(calls.map((call) => [call.id, call]));
  // While a fault has every dial answered otherwise, there is no result.
  const completed = new Set(
    dials.filter(({ outcome }) => outcome === 'completed').map(({ callRequestId }) => callRequestId),
  );
  return [
    ...optOuts.flatMap(({ callRequestId, answeredAt: at }) => {
      const call = byId.get(callRequestId);
      return call ? [{ call, at, what: 'its opt-out was answered' }] : [];
    }),
    ...calls.flatMap((call) =>
      call.reportedOptOut && call.overAt !== null && completed.has(call.id)
        ? [{ call, at: call.overAt, what: 'its carrier reported an opt-out' }]
        : [],
    ),
  ];
}

/** A number of a team. */
export const numberKey = ({ teamId, phoneNumber }: { teamId: string; phoneNumber: string }) =>
  `${teamId} ${phoneNumber}`;
