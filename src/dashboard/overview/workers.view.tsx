import { duration } from '../../domain/narrator/duration.js';
import { Badge } from '../frame/controls.js';
import { count, timeIn } from '../design/local-time.js';
import { LISTED, type SweeperRow } from './overview.sql.js';
import { Instant } from '../design/instant.view.js';
import { type Frame } from '../frame/page-frame.service.js';

/**
 * A sweeper without a recorded run for this long is shown as silent. Sweepers usually record a run every few
 * seconds.
 */
const SILENT_MS = 30_000;

export function isSilent(now: Date, { ran_at: ranAt }: SweeperRow): boolean {
  return now.getTime() - ranAt.getTime() > SILENT_MS;
}

/** The sweeper of every worker. */
export function SweeperSection({ frame, sweepers }: { frame: Frame; sweepers: SweeperRow[] }) {
  return (
    <section class="card" id="sweeper">
      <h2>Sweeper</h2>
      <p class="soft small">
        It runs in every worker, and takes the next step of calls where it was lost. A worker that stops
        leaves the list; one that is silent leaves it an hour after another worker noticed.
      </p>
      {sweepers.length === 0 ? (
        <p>No worker runs.</p>
      ) : (
        <table class="stack">
          <thead>
            <tr>
              <th>Worker</th>
              <th>Last run</th>
              <th>Repaired since it started</th>
              <th>Last repair</th>
            </tr>
          </thead>
          {sweepers.map((run) => sweeperRow(frame, run))}
        </table>
      )}
      {sweepers.length === LISTED && <p class="soft small">The latest {LISTED} workers.</p>}
    </section>
  );
}

function sweeperRow({ now, zone }: Frame, run: SweeperRow) {
  return (
    <tr>
      <td>{run.worker}</td>
      <td data-name="Last run">
        {duration(now.getTime() - run.ran_at.getTime())} ago, {run.duration_ms} ms{' '}
        {isSilent(now, run) && <Badge mood="bad">silent</Badge>}
      </td>
      <td data-name={`Repaired since ${timeIn(zone, run.started_at)}`}>{repairs(run)}</td>
      <td data-name="Last repair">
        {run.repaired_at === null ? 'none yet' : <Instant zone={zone} at={run.repaired_at} />}
      </td>
    </tr>
  );
}

function repairs({ woken, expired, unknown, resolved }: SweeperRow): string {
  const parts = [
    [woken, 'woken'],
    [expired, 'expired'],
    [unknown, 'marked unknown'],
    [resolved, 'resolved by the carrier’s list'],
  ] as const;
  const shown = parts.filter(([calls]) => calls > 0).map(([calls, what]) => `${count(calls)} ${what}`);
  return shown.length === 0 ? 'nothing' : shown.join(', ');
}
