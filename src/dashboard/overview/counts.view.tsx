import { CALL_STATES, type CallState, isFinal, isPending, phaseOf } from '../../domain/call-states.js';
import { GUARDRAIL_REASONS } from '../../domain/guardrails/guardrails.js';
import { duration } from '../../domain/narrator/duration.js';
import { reasonLabel, stateLabel } from '../../domain/narrator/labels.js';
import { callsOf, reasonFilter, type SentCallFilters } from '../calls/call-filters.js';
import { Badge, type Mood } from '../frame/controls.js';
import { FigureCard, type FigureRow } from '../design/figure-card.view.js';
import { count, dateIn } from '../design/local-time.js';
import { COUNTED_AT_ONCE, type CountRow, type OverdueCountRow, type PendingRow } from './overview.sql.js';
import { type Counts } from './overview-counts.service.js';
import { type Frame } from '../frame/page-frame.service.js';

const OPEN_STATES = CALL_STATES.filter((state) => !isFinal(state));
const FINAL_STATES = CALL_STATES.filter(isFinal);
const MOODS: Partial<Record<CallState, Mood>> = { completed: 'good', failed: 'bad', dial_unknown: 'warn' };

interface CountProps {
  frame: Frame;
  underWay: CountRow[];
  counts: Counts;
}

/** Calls by state, and today's refusals by rule. Each count leads to the list of its calls. */
export function CountCards({ frame, underWay, counts }: CountProps) {
  const { morePending, moreEnded } = counts;
  const today = { day: dateIn(frame.zone, frame.now) };
  return (
    <div class="cards">
      <FigureCard id="now" title="Now" rows={openStates(frame, underWay, counts)}>
        Calls that have not ended. {completeness(counts, morePending)}
      </FigureCard>
      <FigureCard id="today" title="Ended today" rows={endedStates(frame, counts, today)}>
        Since the day began in this time zone
        {hasYesterday(counts.endedYesterday) && '; in brackets, yesterday up to this time'}.{' '}
        {completeness(counts, moreEnded)}
      </FigureCard>
      <FigureCard id="refusals" title="Refused today" rows={refusedRules(frame, counts, today)}>
        By the rule that refused first. {completeness(counts, moreEnded)}
      </FigureCard>
    </div>
  );
}

function openStates(frame: Frame, underWay: CountRow[], { pending, morePending }: Counts): FigureRow[] {
  const more = isCutShort(underWay);
  return OPEN_STATES.map((state) =>
    isPending(state)
      ? rowOf(frame, state, callsInPhase(pending, phaseOf(state)), morePending)
      : rowOf(frame, state, callsIn(underWay, state), more),
  );
}

/** Without a call yesterday, there is nothing to compare with. */
function hasYesterday(rows: CountRow[] | null): rows is CountRow[] {
  return rows !== null && rows.length > 0;
}

function endedStates(
  frame: Frame,
  { ended, moreEnded, endedYesterday }: Counts,
  today: SentCallFilters,
): FigureRow[] {
  return FINAL_STATES.map((state) => ({
    ...rowOf(frame, state, callsIn(ended, state), moreEnded, today),
    ...(hasYesterday(endedYesterday) && { before: count(callsIn(endedYesterday, state)) }),
  }));
}

function rowOf(
  frame: Frame,
  state: CallState,
  calls: number,
  more: boolean,
  filters: SentCallFilters = {},
): FigureRow {
  const mood = calls > 0 ? (MOODS[state] ?? '') : '';
  const name = stateLabel(state);
  return {
    label: <Badge mood={mood}>{name}</Badge>,
    figure: figure(calls, more),
    list: { address: callsOf(frame, { status: state, ...filters }), name },
  };
}

/** Refusals, in the order in which the rules are evaluated. Reasons that are not rules come last. */
function refusedRules(frame: Frame, { ended, moreEnded }: Counts, today: SentCallFilters): FigureRow[] {
  const order = (reason: string | null) => (GUARDRAIL_REASONS as (string | null)[]).indexOf(reason) >>> 0;
  return ended
    .filter(({ status }) => status === 'blocked')
    .map(({ reason, calls }) => ({ reason, name: reasonLabel(reason ?? 'UNKNOWN'), calls }))
    .sort((a, b) => order(a.reason) - order(b.reason))
    .map(({ reason, name, calls }) => ({
      label: name,
      figure: figure(calls, moreEnded),
      list: { address: callsOf(frame, { status: 'blocked', reason: reasonFilter(reason), ...today }), name },
    }));
}

export function callsIn(rows: { status: string; calls: number }[], status: CallState): number {
  return rows.filter((row) => row.status === status).reduce((sum, { calls }) => sum + calls, 0);
}

function callsInPhase(rows: PendingRow[], phase: number): number {
  return rows.find((row) => row.phase === phase)?.calls ?? 0;
}

/** A note if the figures are not complete or not new, else null. */
export function completeness({ ageMs }: Counts, more: boolean): string | null {
  if (ageMs > 0) return `Counted ${duration(ageMs)} ago.`;
  if (!more) return null;
  return 'There are too many to count at once: there are at least this many. Reload the page for the full counts.';
}

/** Whether the count of the calls under way stopped at its limit. */
export function isCutShort(underWay: CountRow[]): boolean {
  return underWay.reduce((sum, { calls }) => sum + calls, 0) >= COUNTED_AT_ONCE;
}

/** The figure, with a plus sign if there may be more calls. */
export function figure(calls: number, more: boolean): string {
  return `${count(calls)}${more ? '+' : ''}`;
}

/** A call that is overdue for longer needs attention: a worker usually takes it within seconds. */
export const VERY_LATE_MS = 60_000;

/** For how long the first call is overdue that is not paused, and how many are, as a figure. */
export function overdueOf(
  { now }: Frame,
  { overdue }: { overdue: OverdueCountRow },
): { lateMs: number; calls: string } {
  const { calls, paused, oldest } = overdue;
  return {
    lateMs: oldest === null ? 0 : now.getTime() - oldest.getTime(),
    calls: figure(calls, calls + paused >= COUNTED_AT_ONCE),
  };
}
