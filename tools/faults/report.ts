import { type History } from './history.js';
import { type MixResult } from './mix.js';
import { type Violation, type ViolationKind } from './violation.js';
import { ENDPOINT_KINDS } from './webhook-history.js';

const FIGURES: [string, ViolationKind[]][] = [
  ['lost', ['lost', 'unsettled']],
  ['dialed twice', ['dialed twice', 'dialed unclaimed']],
  ['twice in 12 h', ['twice in 12 h']],
  ['out of hours', ['out of hours']],
  ['Do Not Call', ['do not call']],
  ['after an opt-out', ['called after opt-out']],
  ['outside pack windows', ['outside pack windows']],
  ['opt-outs lost', ['opt-out lost']],
  ['limits exceeded', ['limit exceeded']],
  ['misrecorded', ['misrecorded']],
  ['attempts twice', ['attempt twice']],
  ['after an exit', ['dialed after exit']],
  ['while paused', ['dialed while paused']],
  ['caps exceeded', ['cap exceeded']],
  ['pacing exceeded', ['pace exceeded']],
  ['enrollments lost', ['enrollment lost']],
  ['enrollments stuck', ['enrollment stuck']],
  ['events lost', ['event lost']],
  ['events invented', ['event invented']],
  ['events behind', ['event behind']],
  ['webhooks lost', ['webhook lost']],
  ['webhooks invented', ['webhook invented']],
  ['webhooks of other teams', ['webhook of another team']],
  ['webhooks delayed', ['webhook delayed']],
  ['signatures wrong', ['signature wrong']],
  ['results late', ['result late']],
  ['wake-ups late', ['wake-up late']],
  ['crashes', ['crashed']],
];

/** The lines that tell of a mix. */
export function reportOf({ seed, history, violations, injected, missed, seconds }: MixResult): string[] {
  const line = (name: string, value: unknown) => `  ${name.padEnd(24)}${String(value)}`;
  return [
    `seed ${seed}`,
    line('calls', history.triggers.length),
    line('answers', answersOf(history)),
    line('slowest', slowestOf(history)),
    line('ends', countBy(history.calls.map(({ status }) => status))),
    line('dials', history.dials.length),
    line('events read', history.events?.read.length ?? 0),
    line('webhooks', webhooksOf(history)),
    ...campaignLines(history).map(([name, value]) => line(name, value)),
    line('Do Not Call list', `${history.doNotCall.length} numbers`),
    line('opt-outs', optOutsOf(history)),
    line(
      'faults',
      [...injected.values()].reduce((sum, times) => sum + times, 0),
    ),
    ...[...injected].map(([name, times]) => `    ${String(times).padStart(4)}  ${name}`),
    ...(missed.length > 0 ? [line('NOT INJECTED', missed.join('; '))] : []),
    ...FIGURES.map(([name, kinds]) =>
      line(name, violations.filter(({ kind }) => kinds.includes(kind)).length),
    ),
    line('dial_unknown', unknownOf(history)),
    line('seconds', seconds),
    ...someOf(violations),
  ];
}

/** One line about a run whose faults were reported one by one. */
export function summaryOf({ triggers, calls, dials }: History): string {
  const ends = countBy(calls.map(({ status }) => status));
  const unknown = unknownOf({ calls, dials });
  return `  ${triggers.length} calls, ${dials.length} dials; ends: ${ends}; unknown: ${unknown}`;
}

/** A few violations of each kind, so that one can look for the cause. */
export function someOf(violations: Violation[]): string[] {
  const kinds = [...new Set(violations.map(({ kind }) => kind))];
  return kinds.flatMap((kind) =>
    violations
      .filter((violation) => violation.kind === kind)
      .slice(0, 5)
      .map(({ id, detail }) => `  VIOLATION ${kind}: ${id}: ${detail}`),
  );
}

/** Attempts are processed dials. */
function campaignLines({ campaigns, calls }: History): [string, string][] {
  const { enrollments, exits, pauses } = campaigns;
  if (enrollments.length === 0) return [];
  const attempts = calls.filter(
    ({ enrollmentId, processedAt }) => enrollmentId !== null && processedAt !== null,
  );
  return [
    ['attempts', `${attempts.length} (${countBy(attempts.map(({ status }) => status))})`],
    [
      'enrollments',
      `${enrollments.length} (${countBy(enrollments.map(({ endReason, status }) => endReason ?? status))})`,
    ],
    ['steering', `${exits.length} exits and archivings, ${pauses.length} pauses`],
  ];
}

/** How many requests each kind of endpoint got, and took. */
function webhooksOf({ webhooks }: History): string {
  const requests = webhooks?.requests ?? [];
  return ENDPOINT_KINDS.map((kind) => {
    const ofKind = requests.filter(({ endpoint }) => endpoint.kind === kind);
    const taken = ofKind.filter(({ isTaken }) => isTaken);
    return `${kind}: ${taken.length} taken of ${ofKind.length}`;
  }).join(', ');
}

/** The longest time to each kind of answer. */
function slowestOf({ triggers }: History): string {
  const slowest = new Map<string, number>();
  for (const { status, ms } of triggers) {
    const kind = String(status ?? 'none');
    slowest.set(kind, Math.max(slowest.get(kind) ?? 0, Math.round(ms)));
  }
  return [...slowest].map(([kind, ms]) => `${kind}: ${ms} ms`).join(', ');
}

function answersOf({ triggers }: History): string {
  return countBy(
    triggers.map(({ status, reason }) =>
      status === null ? 'none' : `${status}${reason ? ` ${reason}` : ''}`,
    ),
  );
}

function optOutsOf({ optOuts, calls, dials }: History): string {
  const completed = new Map(
    dials.map(({ callRequestId, outcome }) => [callRequestId, outcome === 'completed']),
  );
  const reported = calls.filter(({ id, reportedOptOut }) => reportedOptOut && completed.get(id)).length;
  return `${optOuts.length} answered, ${reported} reported by the carrier`;
}

/**
 * How many stayed unknown, and what the carrier made of them: some carriers can tell more of a call than
 * others.
 */
function unknownOf({ calls, dials }: Pick<History, 'calls' | 'dials'>): string {
  const outcomes = new Map(dials.map(({ callRequestId, outcome }) => [callRequestId, outcome]));
  const unknown = calls.filter(({ status }) => status === 'dial_unknown');
  return `${unknown.length} (${countBy(unknown.map(({ id }) => outcomes.get(id) ?? 'not dialed'))})`;
}

function countBy(values: string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([value, count]) => `${value}: ${count}`)
    .join(', ');
}
