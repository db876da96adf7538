import { CALL_STATES, type CallState, isFinal, isPending } from '../../domain/call-states.js';
import { GUARDRAIL_REASONS } from '../../domain/guardrails/guardrails.js';
import { duration } from '../../domain/narrator/duration.js';
import { reasonLabel, stateLabel } from '../../domain/narrator/labels.js';
import { Badge, type Mood } from './controls.js';
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
      <CountCard id="now" title="Now" lines={openStates(underWay, counts)}>
        Calls that have not ended. {completeness(counts, morePending)}
      </CountCard>
      <CountCard id="today" title="Ended today" lines={endedStates(counts)}>
        Since the day began in this time zone. {completeness(counts, moreEnded)}
      </CountCard>
      <CountCard id="refusals" title="Refused today" lines={refusedRules(counts)}>
        By the rule that refused first. {completeness(counts, moreEnded)}
      </CountCard>
    </div>
  );
}

interface Line {
  name: string;
  figure: string;
  /** undefined: no badge. */
  mood?: Mood;
}

interface CountCardProps {
  id: string;
  title: string;
  lines: Line[];
  children: (string | null)[] | string;
}

function CountCard({ id, title, lines, children }: CountCardProps) {
  return (
    <section class="card" id={id}>
      <h2>{title}</h2>
      {lines.length === 0 ? (
        <p class="soft">None.</p>
      ) : (
        <table>
          {lines.map(({ name, figure, mood }) => (
            <tr>
              <td>{mood === undefined ? name : <Badge mood={mood}>{name}</Badge>}</td>
              <td class="number">{figure}</td>
            </tr>
          ))}
        </table>
      )}
      <p class="soft small">{children}</p>
    </section>
  );
}

function openStates(underWay: CountRow[], { pending, morePending }: Counts): Line[] {
  const more = isCutShort(underWay);
  return OPEN_STATES.map((state) =>
    isPending(state)
      ? lineOf(state, callsIn(pending, state), morePending)
      : lineOf(state, callsIn(underWay, state), more),
  );
}

function endedStates({ ended, moreEnded }: Counts): Line[] {
  return FINAL_STATES.map((state) => lineOf(state, callsIn(ended, state), moreEnded));
}

function lineOf(state: CallState, calls: number, more: boolean): Line {
  return {
    name: stateLabel(state),
    figure: figure(calls, more),
    mood: calls > 0 ? (MOODS[state] ?? '') : '',
  };
}

/** In the order in which the rules are judged; reasons that are no rule come last. */
function refusedRules({ ended, moreEnded }: Counts): Line[] {
  const order = (reason: string) => (GUARDRAIL_REASONS as string[]).indexOf(reason) >>> 0;
  return ended
    .filter(({ status }) => status === 'blocked')
    .map(({ reason, calls }) => ({ reason: reason ?? 'UNKNOWN', calls }))
    .sort((a, b) => order(a.reason) - order(b.reason))
    .map(({ reason, calls }) => ({ name: reasonLabel(reason), figure: figure(calls, moreEnded) }));
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
