import { duration } from '../../domain/narrator/duration.js';
import { Badge } from '../frame/controls.js';
import { count, timeIn } from '../design/local-time.js';
import { LISTED, type SweeperRow } from './overview.sql.js';
import { Instant } from '../design/instant.view.js';
import { type Frame } from '../frame/page-frame.service.js';

/**
 * A worker that was not seen for this long is shown as silent. Workers are usually seen every few seconds.
 */
const SILENT_MS = 30_000;

export function isSilent(now: Date, { ran_at: ranAt }: SweeperRow): boolean {
  return now.getTime() - ranAt.getTime() > SILENT_MS;
}

/** Every worker, and the calls that it has put right. */
export function WorkersSection({ frame, sweepers }: { frame: Frame; sweepers: SweeperRow[] }) {
  return (
    <section class="card" id="workers">
      <h2>Workers</h2>
      <p class="soft small">
        Workers place the calls. Every few seconds each also looks for calls whose next step was lost, and
        takes it. A worker that stops leaves the list; one that is silent leaves it an hour after another
        worker noticed.
      </p>
      {sweepers.length === 0 ? (
        <p>No worker runs.</p>
      ) : (
        <table class="stack">
          <thead>
            <tr>
              <th>Worker</th>
              <th>Last seen</th>
              <th>Put right since it started</th>
              <th>Last time</th>
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
      <td data-name="Last seen">
        {duration(now.getTime() - run.ran_at.getTime())} ago, {run.duration_ms} ms{' '}
        {isSilent(now, run) && <Badge mood="bad">silent</Badge>}
      </td>
      <td data-name={`Put right since ${timeIn(zone, run.started_at)}`}>{repairs(run)}</td>
      <td data-name="Last time">
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
