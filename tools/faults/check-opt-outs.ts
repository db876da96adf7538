import { type History } from './history.js';
import { numberKey, optOutsIn } from './opt-outs.js';
import { type Violation } from './violation.js';

/**
 * Opt-outs that were lost: the number was not on Do Not Call. The answer to the opt-out had left, or the call
 * that the carrier reported it with had ended. Dials after that are found by the list.
 */
export function lostOptOuts(history: History): Violation[] {
  const listed = new Map(history.doNotCall.map((entry) => [numberKey(entry), entry.committedAt]));
  return optOutsIn(history).flatMap(({ call, at, what }) => {
    const listedAt = listed.get(numberKey(call));
    // The answer's instant has whole milliseconds.
    if (listedAt !== undefined && listedAt < at + 1) return [];
    const late = listedAt === undefined ? 'is not' : `was only ${Math.round(listedAt - at)} ms later`;
    return [{ kind: 'opt-out lost', id: call.id, detail: `${what}, and its number ${late} on Do Not Call` }];
  });
}
