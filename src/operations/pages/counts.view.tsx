import { CALL_STATES, type CallState, isFinal, isPending } from '../../domain/call-states.js';
import { GUARDRAIL_REASONS } from '../../domain/guardrails/guardrails.js';
import { duration } from '../../domain/narrator/duration.js';
import { reasonLabel, stateLabel } from '../../domain/narrator/labels.js';
import { Badge, type Mood } from './controls.js';
import { FigureCard, type FigureRow } from './figure-card.view.js';
import { count } from './local-time.js';
import { COUNTED_AT_ONCE, type CountRow } from './overview.sql.js';
import { type Counts } from './overview-counts.service.js';

const OPEN_STATES = CALL_STATES.filter((state) => !isFinal(state));
const FINAL_STATES = CALL_STATES.filter(isFinal);
const MOODS: Partial<Record<CallState, Mood>> = { completed: 'good', failed: 'bad', dial_unknown: 'warn' };

/** Calls by state, and today's refusals by rule. */
export function CountCards({ underWay, counts }: { underWay: CountRow[]; counts: Counts }) {
  const { morePending, moreEnded } = counts;
  return (
    <div class="cards">
      <FigureCard id="now" title="Now" rows={openStates(underWay, counts)}>
        Calls that have not ended. {completeness(counts, morePending)}
      </FigureCard>
      <FigureCard id="today" title="Ended today" rows={endedStates(counts)}>
        Since the day began in this time zone. {completeness(counts, moreEnded)}
      </FigureCard>
      <FigureCard id="refusals" title="Refused today" rows={refusedRules(counts)}>
        By the rule that refused first. {completeness(counts, moreEnded)}
      </FigureCard>
    </div>
  );
}

function openStates(underWay: CountRow[], { pending, morePending }: Counts): FigureRow[] {
  const more = isCutShort(underWay);
  return OPEN_STATES.map((state) =>
    isPending(state)
      ? rowOf(state, callsIn(pending, state), morePending)
      : rowOf(state, callsIn(underWay, state), more),
  );
}

function endedStates({ ended, moreEnded }: Counts): FigureRow[] {
  return FINAL_STATES.map((state) => rowOf(state, callsIn(ended, state), moreEnded));
}

function rowOf(state: CallState, calls: number, more: boolean): FigureRow {
  const mood = calls > 0 ? (MOODS[state] ?? '') : '';
  return { label: <Badge mood={mood}>{stateLabel(state)}</Badge>, figure: figure(calls, more) };
}

/** In the order in which the rules are judged; reasons that are no rule come last. */
function refusedRules({ ended, moreEnded }: Counts): FigureRow[] {
  const order = (reason: string) => (GUARDRAIL_REASONS as string[]).indexOf(reason) >>> 0;
  return ended
    .filter(({ status }) => status === 'blocked')
    .map(({ reason, calls }) => ({ reason: reason ?? 'UNKNOWN', calls }))
    .sort((a, b) => order(a.reason) - order(b.reason))
    .map(({ reason, calls }) => ({ label: reasonLabel(reason), figure: figure(calls, moreEnded) }));
}

export function callsIn(rows: { status: string; calls: number }[], status: CallState): number {
  return rows.filter((row) => row.status === status).reduce((sum, { calls }) => sum + calls, 0);
}

/** Whether figures are all there is, and from when. */
export function completeness({ ageMs }: Counts, more: boolean): string | null {
  if (ageMs > 0) return `Counted ${duration(ageMs)} ago.`;
  if (!more) return null;
  return 'There are too many to count at once: these are at least so many. Reload the page for all of them.';
}

/** Whether counting the calls under way stopped before their end. */
export function isCutShort(underWay: CountRow[]): boolean {
  return underWay.reduce((sum, { calls }) => sum + calls, 0) >= COUNTED_AT_ONCE;
}

/** A figure at which counting stopped says so. */
export function figure(calls: number, more: boolean): string {
  return `${count(calls)}${more ? '+' : ''}`;
}
