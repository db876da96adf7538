import { type EventRecord } from './event-history.js';
import { type CallRecord, type History } from './history.js';
import { type Violation } from './violation.js';

const FINAL = new Set('completed no_answer busy voicemail failed blocked expired canceled'.split(' '));

/** Whether readers were told each end once and nothing else, and in an order that holds for ever. */
export function checkEvents({ events, calls }: History): Violation[] {
  if (events === null) return [];
  const byId = new Map(calls.map((call) => [call.id, call]));
  const ends = events.read.filter(({ type }) => type === 'call.ended');
  return [
    ...invented(ends, byId),
    ...outOfOrder(events.read),
    ...(events.stored === null ? [] : [...lost(ends, calls), ...missed(events.read, events.stored)]),
  ];
}

function invented(ends: readonly EventRecord[], calls: ReadonlyMap<string, CallRecord>): Violation[] {
  const seen = new Set<string>();
  return ends.flatMap(({ callRequestId, status, sequence }) => {
    const id = callRequestId ?? '';
    const call = calls.get(id);
    const detail =
      call === undefined
        ? 'its call does not exist'
        : seen.has(id)
          ? `is told again with number ${sequence}`
          : call.status !== status
            ? `is told as ${status ?? 'nothing'}, and is ${call.status}`
            : null;
    seen.add(id);
    return detail === null ? [] : [{ kind: 'event invented' as const, id, detail }];
  });
}

function outOfOrder(read: readonly EventRecord[]): Violation[] {
  const last = new Map<string, number>();
  return read.flatMap(({ teamId, sequence }) => {
    const before = last.get(teamId) ?? 0;
    last.set(teamId, Math.max(before, sequence));
    if (sequence > before) return [];
    return [{ kind: 'event behind' as const, id: teamId, detail: `${sequence} was read after ${before}` }];
  });
}

function lost(ends: readonly EventRecord[], calls: readonly CallRecord[]): Violation[] {
  const told = new Set(ends.map(({ callRequestId }) => callRequestId));
  return calls
    .filter(({ id, status, wasAccepted }) => wasAccepted && FINAL.has(status) && !told.has(id))
    .map(({ id, status }) => ({ kind: 'event lost', id, detail: `is ${status}, and no event tells it` }));
}

/** Numbers that are stored and were never read: they appeared behind one that was. */
function missed(
  read: readonly EventRecord[],
  stored: readonly Pick<EventRecord, 'teamId' | 'sequence'>[],
): Violation[] {
  const known = new Set(read.map(({ teamId, sequence }) => `${teamId} ${sequence}`));
  const highest = new Map(read.map(({ teamId, sequence }) => [teamId, sequence]));
  return stored
    .filter(({ teamId, sequence }) => !known.has(`${teamId} ${sequence}`))
    .map(({ teamId, sequence }) => ({
      kind: 'event behind',
      id: teamId,
      detail: `${sequence} was never read; the last that was read is ${highest.get(teamId) ?? 'none'}`,
    }));
}
