import { type CallRecord, type History } from './history.js';
import { numberKey, optOutsIn } from './opt-outs.js';
import { isWithin } from './pack-windows.js';
import { type Violation } from './violation.js';

/** Answers have whole milliseconds. */
const ROUNDED_MS = 1;

/** Dials that law or the person forbids, found without the product's rules and lists. */
export function checkLawful(history: History): Violation[] {
  const byId = new Map(history.calls.map((call) => [call.id, call]));
  const dialed = history.dials.flatMap(({ callRequestId }) => {
    const call = byId.get(callRequestId);
    return call?.claimedAt == null ? [] : [{ ...call, claimedAt: call.claimedAt }];
  });
  return [...calledAfterOptOut(dialed, history), ...outsideWindows(dialed, history)];
}

type DialedCall = CallRecord & { claimedAt: number };

/** When each number had opted out for the first time. */
function firstOptOuts(history: History): Map<string, number> {
  const first = new Map<string, number>();
  for (const { call, at } of optOutsIn(history)) {
    const key = numberKey(call);
    first.set(key, Math.min(at, first.get(key) ?? Infinity));
  }
  return first;
}

function calledAfterOptOut(dialed: readonly DialedCall[], history: History): Violation[] {
  const since = firstOptOuts(history);
  return dialed.flatMap((call) => {
    const optedOutAt = since.get(numberKey(call));
    if (optedOutAt === undefined || call.claimedAt <= optedOutAt + ROUNDED_MS) return [];
    const detail = `claimed ${Math.round(call.claimedAt - optedOutAt)} ms after its number had opted out`;
    return [{ kind: 'called after opt-out' as const, id: call.id, detail }];
  });
}

/** Claims of teams with a pack at an instant at which its windows are closed at the called person's place. */
function outsideWindows(dialed: readonly DialedCall[], { packHours }: History): Violation[] {
  return dialed.flatMap(({ id, teamId, phoneNumber, claimedAt }) => {
    const hours = packHours.get(teamId);
    if (hours === undefined || isWithin(hours, phoneNumber, claimedAt)) return [];
    const detail = `claimed at ${new Date(claimedAt).toISOString()}, to area code ${phoneNumber.slice(2, 5)}`;
    return [{ kind: 'outside pack windows' as const, id, detail }];
  });
}
