import { duration } from '../../domain/narrator/duration.js';
import { JOB_STATES, type JobState, type QueueState } from '../../queue/queue-states.js';
import { Instant } from '../design/instant.view.js';
import { count } from '../design/local-time.js';
import { Badge } from '../frame/controls.js';
import { Layout } from '../frame/layout.js';
import { type Frame } from '../frame/page-frame.service.js';

const STATES: Record<JobState, readonly [label: string, meaning: string]> = {
  waiting: ['Waiting', 'due now, and not taken by a worker yet'],
  delayed: ['Scheduled', 'wait for the time of their call'],
  active: ['In work', 'taken by a worker'],
  completed: ['Done', 'kept for a day, the last 1,000'],
  failed: ['Failed', 'kept for a week, the last 1,000'],
};

/** The queue: its jobs by state and age, what it shows, and what not. */
export function queuesPage(frame: Frame, queues: QueueState[] | null) {
  return (
    <Layout frame={frame} section="queue" title="Queue">
      <h1>Queue</h1>
      <p class="soft">
        Jobs that wake calls which were requested one by one. A job only wakes a worker; the call itself
        decides whether it is dialed, and a lost job is made again within seconds. Calls of campaigns never
        pass through here: what is due for them is on <a href="/platform/campaigns">Campaigns</a>, and overdue
        calls are on <a href="/platform">the overview</a>.
      </p>
      <p class="soft small">
        As of <Instant zone={frame.zone} at={frame.now} seconds />.{' '}
        <a href={frame.request.self}>Renew this page</a> ·{' '}
        <a href="/admin/queues">Single jobs, on Bull Board</a>
      </p>
      {queues === null ? (
        <p class="notice bad" role="alert">
          Redis does not answer, so the jobs cannot be shown. Calls wait in Postgres, and are dialed when it
          answers again. <a href="/platform/health">System</a> shows what is wrong.
        </p>
      ) : (
        queues.map((queue) => <QueueSection frame={frame} queue={queue} />)
      )}
    </Layout>
  );
}

function QueueSection({ frame, queue }: { frame: Frame; queue: QueueState }) {
  const { name, paused, jobs } = queue;
  return (
    <section class="card" id={`queue-${name}`}>
      <h2>
        {titleOf(name)} {paused && <Badge mood="bad">paused on the board</Badge>}
      </h2>
      {paused && <p class="fault">No job of it is taken until it is resumed on Bull Board.</p>}
      <table class="stack">
        <thead>
          <tr>
            <th>Jobs</th>
            <th class="number">How many</th>
            <th>Age</th>
            <th>Meaning</th>
          </tr>
        </thead>
        {JOB_STATES.map((state) => (
          <tr data-state={state}>
            <td>
              <b>{STATES[state][0]}</b>
            </td>
            <td class="number" data-name="How many">
              {count(jobs[state])}
            </td>
            <td data-name="Age">
              <Age frame={frame} queue={queue} state={state} />
            </td>
            <td class="soft">{STATES[state][1]}</td>
          </tr>
        ))}
      </table>
    </section>
  );
}

/** The queue of a carrier has its name after a hyphen. */
function titleOf(name: string): string {
  const [, carrier] = /^[^-]+-(.+)$/.exec(name) ?? [];
  return carrier === undefined ? 'Calls' : `Calls that wait for a call per second at ${carrier}`;
}

function Age({ frame, queue, state }: { frame: Frame; queue: QueueState; state: JobState }) {
  const { waitingSince, nextDueAt, activeSince } = queue;
  const ago = (at: Date) => duration(Math.max(0, frame.now.getTime() - at.getTime()));
  if (state === 'waiting' && waitingSince !== null) return <>the next one for {ago(waitingSince)}</>;
  if (state === 'active' && activeSince !== null) return <>since {ago(activeSince)}</>;
  if (state === 'delayed' && nextDueAt !== null)
    return (
      <>
        the first is due <Instant zone={frame.zone} at={nextDueAt} />
      </>
    );
  return null;
}
