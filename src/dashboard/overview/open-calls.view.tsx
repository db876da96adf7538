import { duration } from '../../domain/narrator/duration.js';
import { reasonLabel } from '../../domain/narrator/labels.js';
import { callsOf, DUE } from '../calls/call-filters.js';
import { ResolveForm } from '../calls/resolve-form.view.js';
import { Badge, NumberLink } from '../frame/controls.js';
import { count } from '../design/local-time.js';
import { LISTED, type OverdueRow, type UnknownRow } from './overview.sql.js';
import { Instant } from '../design/instant.view.js';
import { type Frame } from '../frame/page-frame.service.js';

interface UnknownProps {
  frame: Frame;
  calls: UnknownRow[];
  total: number;
}

/** Calls in `dial_unknown`, which an operator may resolve; nothing if there are none. */
export function UnknownSection({ frame, calls, total }: UnknownProps) {
  if (calls.length === 0) return null;
  return (
    <section class="card" id="unknown">
      <h2>Unknown outcome</h2>
      <p class="soft small">
        The carrier may have dialed these calls, but gave no clear answer. Outdial never dials them again:
        look each one up at the carrier, then record its outcome.
        {total > calls.length && (
          <>
            {` The ${LISTED} oldest of `}
            <a href={callsOf(frame, { status: 'dial_unknown' })}>{count(total)}</a>.
          </>
        )}
      </p>
      {calls.map((call) => unknownCall(frame, call))}
    </section>
  );
}

function unknownCall(frame: Frame, call: UnknownRow) {
  const { id, carrier_call_id: carrierCallId, claimed_at: claimedAt } = call;
  return (
    <article class="call" data-call={id}>
      <div class="head">
        <NumberLink teamId={call.team_id} phoneNumber={call.phone_number} />
        <span class="soft">{call.team}</span>
        <a class="small" href={`/t/${call.team_id}/calls/${id}`}>
          Open the call
        </a>
      </div>
      <p class="small">
        Claimed <Instant zone={frame.zone} at={claimedAt} />,{' '}
        {duration(frame.now.getTime() - claimedAt.getTime())} ago.{' '}
        {call.reason !== null && `${reasonLabel(call.reason)}. `}
        Carrier {call.carrier ?? 'unknown'}
        {carrierCallId !== null && `, its id ${carrierCallId}`}.
      </p>
      <ResolveForm frame={frame} teamId={call.team_id} callRequestId={id} />
    </article>
  );
}

/** Overdue pending calls. A team's page lists those that expire first, because `OVERDUE` reads them so. */
export function OverdueSection({ frame, calls }: { frame: Frame; calls: OverdueRow[] }) {
  if (calls.length === 0) return null;
  return (
    <section class="card" id="overdue">
      <h2>Overdue</h2>
      <table class="stack">
        <thead>
          <tr>
            <th>Number</th>
            {frame.team === null && <th>Team</th>}
            <th>Late by</th>
            <th>Its time</th>
            <th>Expires</th>
            <th>Woken again</th>
            <th>
              <span class="unseen">Call</span>
            </th>
          </tr>
        </thead>
        {calls.map((call) => overdueRow(frame, call))}
      </table>
      {calls.length === LISTED && (
        <p class="soft small">
          The {LISTED} {frame.team === null ? 'that are overdue longest' : 'that expire first'}.{' '}
          <a href={callsOf(frame, { due: DUE.overdue })}>All of them</a>
        </p>
      )}
    </section>
  );
}

function overdueRow({ now, zone, team }: Frame, call: OverdueRow) {
  return (
    <tr data-call={call.id}>
      <td class="nowrap">
        <NumberLink teamId={call.team_id} phoneNumber={call.phone_number} />
      </td>
      {team === null && <td>{call.team}</td>}
      <td data-name="Late by" class="nowrap">
        <b>{duration(now.getTime() - call.runs_at.getTime())}</b>{' '}
        {call.paused && <Badge mood="warn">paused</Badge>}
      </td>
      <td data-name="Its time" class="nowrap">
        <Instant zone={zone} at={call.runs_at} />
      </td>
      <td class="nowrap wide">
        <Instant zone={zone} at={call.expires_at} />
      </td>
      <td class="nowrap wide">{count(call.wakes)} ×</td>
      <td class="nowrap">
        <a href={`/t/${call.team_id}/calls/${call.id}`}>Open the call</a>
      </td>
    </tr>
  );
}
