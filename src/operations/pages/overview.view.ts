import { CALL_STATES, type CallState, isFinal, isPending } from '../../domain/call-states.js';
import { GUARDRAIL_REASONS } from '../../domain/guardrails/guardrails.js';
import { duration } from '../../domain/narrator/duration.js';
import { reasonLabel, stateLabel } from '../../domain/narrator/labels.js';
import { type Hour, hoursChart } from './chart.view.js';
import { html, type Html, type Shown } from './html.js';
import { badge, form, layout, teamSelect } from './layout.js';
import { count, timeIn } from './local-time.js';
import { overdueSection, unknownSection } from './open-calls.view.js';
import {
  COUNTED_AT_ONCE,
  type CountRow,
  LISTED,
  type OverdueCountRow,
  type OverdueRow,
  type SweeperRow,
  type UnknownRow,
} from './overview.sql.js';
import { type Counts } from './overview-counts.service.js';
import { type Frame } from './page-frame.service.js';

/** A wake-up may be missing this long before the sweeper sends another; beyond, staff should look. */
const LATE_MS = 15_000;
const VERY_LATE_MS = 60_000;
/** Sweepers write their runs down every few seconds. */
const SILENT_MS = 30_000;

/** The state of things, of one team or of all. */
export interface Overview {
  overdue: OverdueCountRow;
  overdueCalls: OverdueRow[];
  /** Calls that are with their carriers. */
  underWay: CountRow[];
  counts: Counts;
  hours: Hour[];
  unknownCalls: UnknownRow[];
  sweepers: SweeperRow[];
}

export function overviewPage(frame: Frame, overview: Overview): Html {
  const { team, zone } = frame;
  const { underWay, counts: counted } = overview;
  const body = html` <h1>${team?.name ?? 'All teams'}</h1>
    <form class="bar" method="get" action="/admin">
      ${teamSelect(frame, 'All teams')}
      <label
        >Time zone
        <input
          name="timezone"
          value="${frame.request.parameter('timezone')}"
          placeholder="${zone}"
          autocomplete="off"
          autocapitalize="none"
      /></label>
      <button>Show</button>
      <span class="soft small">As of ${timeIn(zone, frame.now)}, ${zone}</span>
    </form>
    ${tiles(frame, overview)}
    ${unknownSection(frame, overview.unknownCalls, callsIn(underWay, 'dial_unknown'))}
    ${overdueSection(frame, overview.overdueCalls)}
    <section class="card" id="upcoming">
      <h2>Next 24 hours</h2>
      ${hoursChart(overview.hours, zone)}
      <p class="soft small">
        Calls that are waiting for their slot, by the hour in ${zone}. The first bar is the current hour.
        ${completeness(counted, counted.morePending)}
      </p>
    </section>
    <div class="cards">
      ${counts('now', 'Now', openStates(underWay, counted), 'Calls that have not ended.', completeness(counted, counted.morePending))}
      ${counts('today', 'Ended today', endedStates(counted), 'Since the day began in this time zone.', completeness(counted, counted.moreEnded))}
      ${counts('refusals', 'Refused today', refusedRules(counted), 'By the rule that refused first.', completeness(counted, counted.moreEnded))}
    </div>
    ${sweeperSection(frame, overview.sweepers)} ${pauseSection(frame)}`;
  return layout(frame, { section: 'overview', title: team?.name ?? 'Overview', body });
}

function tiles({ now, zone }: Frame, { overdue, underWay, counts, hours, sweepers }: Overview): Html {
  const lateMs = overdue.oldest === null ? 0 : now.getTime() - overdue.oldest.getTime();
  const late = lateMs > VERY_LATE_MS ? 'bad' : lateMs > LATE_MS ? 'warn' : '';
  const unknown = callsIn(underWay, 'dial_unknown');
  const upcoming = hours.reduce((sum, hour) => sum + hour.calls, 0);
  const [last] = sweepers;
  const silentMs = last === undefined ? Infinity : now.getTime() - last.ran_at.getTime();
  const waiting = overdue.paused > 0 ? `, ${count(overdue.paused)} more wait for a pause to end` : '';
  return html`<div class="tiles">
    ${tile('overdue', late, overdue.calls === 0 ? 'None' : duration(lateMs), `Overdue: ${figure(overdue.calls, overdue.calls + overdue.paused >= COUNTED_AT_ONCE)} ${overdue.calls === 1 ? 'call' : 'calls'}${waiting}`)}
    ${tile('unknown', unknown > 0 ? 'warn' : '', figure(unknown, mostUnderWay(underWay)), 'With unknown outcome')}
    ${tile('next', '', figure(upcoming, counts.morePending), `Scheduled in the next 24 hours`)}
    ${tile('sweeper', silentMs > SILENT_MS ? 'bad' : '', last === undefined ? 'Never' : `${duration(silentMs)} ago`, last === undefined ? 'The sweeper ran: no worker has started' : `The sweeper ran (${timeIn(zone, last.ran_at).slice(-5)})`)}
  </div>`;
}

function tile(id: string, mood: string, figure: string, name: string): Html {
  return html`<div class="tile ${mood}" id="tile-${id}">
    <span class="name">${name}</span><b>${figure}</b>
  </div>`;
}

type Line = [name: string, figure: string, mood?: 'good' | 'warn' | 'bad' | ''];

function counts(id: string, title: string, lines: Line[], about: string, completeness: Shown): Html {
  const rows = lines.map(
    ([name, calls, mood]) =>
      html`<tr>
        <td>${mood === undefined ? name : badge(name, mood)}</td>
        <td class="number">${calls}</td>
      </tr>`,
  );
  return html`<section class="card" id="${id}">
    <h2>${title}</h2>
    ${
      lines.length === 0
        ? html`<p class="soft">None.</p>`
        : html`<table>
            ${rows}
          </table>`
    }
    <p class="soft small">${about} ${completeness}</p>
  </section>`;
}

const OPEN_STATES = CALL_STATES.filter((state) => !isFinal(state));
const FINAL_STATES = CALL_STATES.filter(isFinal);
const MOODS: Partial<Record<CallState, 'good' | 'warn' | 'bad'>> = {
  completed: 'good',
  failed: 'bad',
  dial_unknown: 'warn',
};

function openStates(underWay: CountRow[], { pending, morePending }: Counts): Line[] {
  const more = mostUnderWay(underWay);
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
  return [stateLabel(state), figure(calls, more), calls > 0 ? (MOODS[state] ?? '') : ''];
}

/** In the order in which the rules are judged; reasons that are no rule come last. */
function refusedRules({ ended, moreEnded }: Counts): Line[] {
  const order = (reason: string) => (GUARDRAIL_REASONS as string[]).indexOf(reason) >>> 0;
  return ended
    .filter(({ status }) => status === 'blocked')
    .map(({ reason, calls }) => ({ reason: reason ?? 'UNKNOWN', calls }))
    .sort((a, b) => order(a.reason) - order(b.reason))
    .map(({ reason, calls }) => [reasonLabel(reason), figure(calls, moreEnded)]);
}

function sweeperSection({ now, zone }: Frame, sweepers: SweeperRow[]): Html {
  const rows = sweepers.map((run) => {
    const silent = now.getTime() - run.ran_at.getTime() > SILENT_MS;
    return html`<tr>
      <td>${run.worker}</td>
      <td data-name="Last run">
        ${duration(now.getTime() - run.ran_at.getTime())} ago, ${run.duration_ms} ms
        ${silent && badge('silent', 'bad')}
      </td>
      <td data-name="Repaired since ${timeIn(zone, run.started_at)}">${repairs(run)}</td>
      <td data-name="Last repair">
        ${run.repaired_at === null ? 'none yet' : timeIn(zone, run.repaired_at)}
      </td>
    </tr>`;
  });
  const table = html`<table class="stack">
    <thead>
      <tr>
        <th>Worker</th>
        <th>Last run</th>
        <th>Repaired since it started</th>
        <th>Last repair</th>
      </tr>
    </thead>
    ${rows}
  </table>`;
  return html`<section class="card" id="sweeper">
    <h2>Sweeper</h2>
    <p class="soft small">It runs in every worker, and takes the next step of calls where it was lost.</p>
    ${sweepers.length === 0 ? html`<p>No worker has run it yet.</p>` : table}
    ${sweepers.length === LISTED && html`<p class="soft small">The latest ${LISTED} workers.</p>`}
  </section>`;
}

function repairs({ woken, expired, unknown, resolved }: SweeperRow): string {
  const parts = [
    [woken, 'woken'],
    [expired, 'expired'],
    [unknown, 'marked unknown'],
    [resolved, 'resolved by the carrier’s list'],
  ] as const;
  const said = parts.filter(([calls]) => calls > 0).map(([calls, what]) => `${count(calls)} ${what}`);
  return said.length === 0 ? 'nothing' : said.join(', ');
}

function pauseSection(frame: Frame): Html {
  const { paused, team } = frame;
  const toggle = (path: string, isPaused: boolean, what: string): Shown =>
    isPaused
      ? form(frame, `${path}/resume`, html`<button class="main">Resume ${what}</button>`)
      : html`<details>
          <summary>Pause ${what}…</summary>
          ${form(frame, `${path}/pause`, html`<button class="danger">Yes, dial nobody for ${what}</button>`)}
        </details>`;
  return html`<section class="card" id="pause">
    <h2>Pause and resume</h2>
    <p class="soft small">
      While paused, requests are accepted and calls wait. A call whose time runs out meanwhile is not made up
      for.
    </p>
    <div class="choices">
      ${team !== null && toggle(`/admin/teams/${team.id}`, team.paused, team.name)}
      ${toggle('/admin', paused, 'everything')}
    </div>
  </section>`;
}

function callsIn(rows: { status: string; calls: number }[], status: CallState): number {
  return rows.filter((row) => row.status === status).reduce((sum, { calls }) => sum + calls, 0);
}

/** Whether figures are all there is, and from when. */
function completeness({ ageMs }: Counts, more: boolean): Shown {
  if (ageMs > 0) return `Counted ${duration(ageMs)} ago.`;
  if (!more) return null;
  return 'There are too many to count at once: these are at least so many. Reload the page for all of them.';
}

/** Whether counting the calls under way stopped before their end. */
function mostUnderWay(underWay: CountRow[]): boolean {
  return underWay.reduce((sum, { calls }) => sum + calls, 0) >= COUNTED_AT_ONCE;
}

/** A figure at which counting stopped says so. */
function figure(calls: number, more: boolean): string {
  return `${count(calls)}${more ? '+' : ''}`;
}
