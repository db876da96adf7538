import { type CarrierReport } from '../../carriers/carrier-check.service.js';
import { duration } from '../../domain/narrator/duration.js';
import { reasonLabel, stateLabel } from '../../domain/narrator/labels.js';
import { CheckList } from '../design/check-list.view.js';
import { count } from '../design/local-time.js';
import { Badge, type Mood, PostForm } from '../frame/controls.js';
import { Layout } from '../frame/layout.js';
import { type Frame } from '../frame/page-frame.service.js';
import { COUNTED_OF_ALL, type EndedOfCarrierRow } from './teams.sql.js';

/** A carrier as operators see it. */
export interface PlatformCarrier {
  name: string;
  isDefault: boolean;
  configured: boolean;
  /** Of all workers; null: no limit. */
  callsPerSecond: number | null;
  /** The longest time for an answer to a dial. */
  timeoutMs: number | null;
  /** The carrier's own warning, which workers log at their start. */
  warning: string | null;
  /** The variables that are not set. */
  missing: string[];
  /** Calls that ended within the last hour. */
  ended: EndedOfCarrierRow[];
}

interface PlatformCarriers {
  carriers: readonly PlatformCarrier[];
  /** A carrier that was checked for this page. */
  report: CarrierReport | null;
}

export function platformCarriersPage(frame: Frame, { carriers, report }: PlatformCarriers) {
  return (
    <Layout frame={frame} section="carriers" title="Carriers">
      <h1>Carriers</h1>
      {report !== null && (
        <section class="card" id="check">
          <h2>Check of {report.carrier}</h2>
          <CheckList {...report} />
        </section>
      )}
      {carriers.map((carrier) => (
        <CarrierCard frame={frame} carrier={carrier} />
      ))}
      <p class="soft small">
        Of all carriers together, at most the latest {count(COUNTED_OF_ALL)} calls that ended within the hour
        are counted. A worker that cannot reach a carrier puts its calls off and tries again within five
        minutes: they are <a href="/platform/calls?due=overdue">overdue</a> meanwhile.
      </p>
    </Layout>
  );
}

function CarrierCard({ frame, carrier }: { frame: Frame; carrier: PlatformCarrier }) {
  const { name, isDefault, configured, callsPerSecond, timeoutMs, warning, missing } = carrier;
  return (
    <section class="card" id={`carrier-${name}`}>
      <div class="head-row">
        <h2>
          {name} {isDefault && <Badge>default</Badge>}{' '}
          {configured ? <Badge mood="good">configured</Badge> : <Badge>not configured</Badge>}
        </h2>
        {configured && (
          <PostForm frame={frame} action="/platform/carriers/check">
            <input type="hidden" name="carrier" value={name} />
            <button>Check {name}</button>
          </PostForm>
        )}
      </div>
      {configured ? (
        <dl class="facts">
          <dt>Pace</dt>
          <dd>
            {callsPerSecond === null
              ? 'no limit'
              : `at most ${count(callsPerSecond)} calls a second, of all workers`}
          </dd>
          <dt>Answer to a dial</dt>
          <dd>within {duration(timeoutMs ?? 0)}, else its outcome is unknown</dd>
          <dt>Ended in the last hour</dt>
          <dd>
            <Ended rows={carrier.ended} />
          </dd>
          {warning !== null && (
            <>
              <dt>Note</dt>
              <dd>{warning.replaceAll('*', '').trim()}</dd>
            </>
          )}
        </dl>
      ) : (
        <p class="soft">
          Not set: <code>{missing.join(', ')}</code>. No agent can name the carrier.
        </p>
      )}
    </section>
  );
}

const MOODS: Record<string, Mood> = { completed: 'good', failed: 'bad' };

function Ended({ rows }: { rows: EndedOfCarrierRow[] }) {
  if (rows.length === 0) return <>no call</>;
  const sorted = [...rows].sort((a, b) => b.calls - a.calls);
  return (
    <div class="outcomes">
      {sorted.map(({ status, reason, calls }) => (
        <Badge mood={MOODS[status] ?? ''}>
          {count(calls)} {stateLabel(status).toLowerCase()}
          {reason === null ? '' : `: ${reasonLabel(reason)}`}
        </Badge>
      ))}
    </div>
  );
}
