import { type CheckName, type Readiness } from '../../operations/health.service.js';
import { type Restore } from '../../restore/resume.service.js';
import { count } from '../design/local-time.js';
import { Badge } from '../frame/controls.js';
import { Layout } from '../frame/layout.js';
import { Instant } from '../design/instant.view.js';
import { type Frame } from '../frame/page-frame.service.js';
import { type SweeperRow } from '../overview/overview.sql.js';
import { WorkersSection } from '../overview/workers.view.js';
import { ZoneDataSection, type ZoneDataInForceRow } from '../overview/zone-data.view.js';

interface Health {
  readiness: Readiness;
  sweepers: SweeperRow[];
  zoneData: ZoneDataInForceRow | undefined;
  restore: Restore | null;
}

/** The checks of `/health/ready`, and what each is about. */
const CHECKS: Record<CheckName, readonly [label: string, meaning: string]> = {
  database: ['Postgres', 'answers, and writes'],
  migrations: ['Migrations', 'all of this version have run'],
  redis: ['Redis', 'answers, and writes'],
  redisEvictionPolicy: ['Eviction policy of Redis', 'keeps the jobs: noeviction'],
  process: ['This process', 'serves requests, and takes jobs'],
};

export function healthPage(frame: Frame, { readiness, sweepers, zoneData, restore }: Health) {
  return (
    <Layout frame={frame} section="health" title="System">
      <h1>System</h1>
      <p class="soft small">
        As of <Instant zone={frame.zone} at={frame.now} />, {frame.zone}
      </p>
      {restore !== null && <RestoreSection frame={frame} restore={restore} />}
      <ReadinessSection readiness={readiness} />
      <WorkersSection frame={frame} sweepers={sweepers} />
      <ZoneDataSection frame={frame} inForce={zoneData} unknown={readiness.zoneData.unknown ?? undefined} />
      <p class="soft">
        The registers of numbers that may not be called are on{' '}
        <a href="/platform/do-not-call#registers">Do Not Call</a>, the jobs on{' '}
        <a href="/platform/queues">Queue</a>.
      </p>
      {restore === null && <RestoreSection frame={frame} restore={restore} />}
      {readiness.zoneData.fault !== null && (
        <p class="notice bad" role="alert">
          This process dials nothing: {readiness.zoneData.fault}
        </p>
      )}
    </Layout>
  );
}

function ReadinessSection({ readiness: { ready, checks } }: { readiness: Readiness }) {
  const names = Object.keys(CHECKS) as CheckName[];
  return (
    <section class="card" id="readiness">
      <h2>Readiness {ready ? <Badge mood="good">ready</Badge> : <Badge mood="bad">not ready</Badge>}</h2>
      <table class="stack">
        {names.map((name) => (
          <tr data-check={name}>
            <td>
              <b>{CHECKS[name][0]}</b>
            </td>
            <td>
              <Badge
                mood={checks[name] === 'ok' ? 'good' : checks[name].startsWith('unknown') ? 'warn' : 'bad'}
              >
                {checks[name] === 'ok' ? 'ok' : checks[name].startsWith('unknown') ? 'unknown' : 'fault'}
              </Badge>
            </td>
            <td>{checks[name] === 'ok' ? <span class="soft">{CHECKS[name][1]}</span> : checks[name]}</td>
          </tr>
        ))}
      </table>
      <p class="soft small">
        <a href="/health/ready">/health/ready</a> answers the same to load balancers, of the process that they
        ask.
      </p>
    </section>
  );
}

function RestoreSection({ frame: { zone }, restore }: { frame: Frame; restore: Restore | null }) {
  if (restore === null) {
    return (
      <section class="card" id="restore">
        <h2>Restore</h2>
        <p class="soft">No restore of the database waits for an operator.</p>
      </section>
    );
  }
  const { noticedAt, newestRowAt, resumeFrom, callsToCheck } = restore;
  return (
    <section class="card" id="restore">
      <h2>
        Restore <Badge mood="bad">dialing is paused</Badge>
      </h2>
      <p>
        The database was restored from a backup. A number that was called after the backup must not be called
        again within 12 hours.
      </p>
      <dl class="facts">
        <dt>Noticed</dt>
        <dd>
          <Instant zone={zone} at={noticedAt} />
        </dd>
        <dt>Newest row of the backup</dt>
        <dd>{newestRowAt === null ? 'none' : <Instant zone={zone} at={newestRowAt} />}</dd>
        <dt>May be resumed from</dt>
        <dd>{resumeFrom === null ? 'now' : <Instant zone={zone} at={resumeFrom} />}</dd>
        <dt>Calls to check</dt>
        <dd>
          <a href="/platform/calls?status=dial_unknown">{count(callsToCheck)}</a> may have been dialed after
          the backup
        </dd>
      </dl>
      <p class="soft small">
        Resume on <a href="/platform">the overview</a>.
      </p>
    </section>
  );
}
