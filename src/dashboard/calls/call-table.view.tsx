import { type OperatorCallRow } from '../../calls/records/operator-list.service.js';
import { isPending } from '../../domain/call-states.js';
import { moodOf } from '../../domain/narrator/call.js';
import { duration } from '../../domain/narrator/duration.js';
import { reasonLabel, stateLabel } from '../../domain/narrator/labels.js';
import { address } from '../design/address.js';
import { Instant } from '../design/instant.view.js';
import { PhoneNumber } from '../design/phone-number.view.js';
import { RowLink } from '../design/row-link.view.js';
import { Badge } from '../frame/controls.js';
import { type Frame } from '../frame/page-frame.service.js';
import { callsOf } from './call-filters.js';

interface CallTableProps {
  frame: Frame;
  calls: readonly OperatorCallRow[];
  /** Whether the calls are those of one person, whose page the table is on. */
  ofOne?: boolean;
}

/** Calls, each a row that leads to the call; two lines on a narrow screen. Without calls, nothing. */
export function CallTable({ frame, calls, ofOne = false }: CallTableProps) {
  if (calls.length === 0) return null;
  const { team } = frame;
  return (
    <table class="stack linked brief">
      <thead>
        <tr>
          <th>{ofOne ? 'Requested' : 'Number'}</th>
          <th>State</th>
          {team === null && <th>Team, caller ID</th>}
          <th>Agent, campaign</th>
          {team !== null && <th>Caller ID</th>}
          {!ofOne && <th>Requested</th>}
          <th>Due, or ended</th>
          <th class="number">Duration</th>
        </tr>
      </thead>
      {calls.map((call) => (
        <Row frame={frame} call={call} ofOne={ofOne} />
      ))}
    </table>
  );
}

function Row({ frame, call, ofOne }: { frame: Frame; call: OperatorCallRow; ofOne: boolean }) {
  const { zone, team } = frame;
  const times = { timezone: frame.request.parameter('timezone') };
  const ofTeam = frame.scope === 'platform' ? { teamId: call.team_id } : {};
  const callerId = call.caller_id === null ? null : <PhoneNumber number={call.caller_id} />;
  const requested = <Instant zone={zone} at={call.accepted_at} seconds />;
  return (
    <tr data-call={call.id}>
      <td class="long brief-1">
        <RowLink href={address(`/t/${call.team_id}/calls/${call.id}`, times)}>
          {ofOne ? requested : <PhoneNumber number={call.phone_number} />}
        </RowLink>{' '}
        {!ofOne && call.contact !== null && (
          <span class="soft small block">
            <a href={`/t/${call.team_id}/contacts/${call.contact_id}`}>{call.contact}</a>
          </span>
        )}
      </td>
      <td class="brief-2">
        <Badge mood={moodOf(call.status)}>{stateLabel(call.status)}</Badge>
        {call.reason !== null && <div class="soft small wide">{reasonLabel(call.reason)}</div>}
        {call.disposition !== null && <div class="small wide">{call.disposition}</div>}
      </td>
      {team === null && (
        <td class="long wide">
          <a href={callsOf(frame, ofTeam)}>{call.team}</a>
          {callerId !== null && <div class="soft small nowrap">from {callerId}</div>}
        </td>
      )}
      <td class={ofOne ? 'long brief-3' : 'long wide'}>
        <a href={callsOf(frame, { ...ofTeam, agentId: call.agent_id })}>{call.agent}</a>
        {call.campaign_id !== null && (
          <div class="small wide">
            <a href={address(`/t/${call.team_id}/campaigns/${call.campaign_id}`, times)}>{call.campaign}</a>
          </div>
        )}
      </td>
      {team !== null && <td class="nowrap wide">{callerId ?? '–'}</td>}
      {!ofOne && <td class="nowrap brief-3">{requested}</td>}
      <td class="wide">{lastTime(frame, call)}</td>
      <td class="number brief-4">
        {call.duration_seconds === null ? '–' : duration(call.duration_seconds * 1_000)}
      </td>
    </tr>
  );
}

/** When the call is due or has ended, with the time of the called person. */
function lastTime({ zone }: Frame, call: OperatorCallRow) {
  const at = isPending(call.status) ? call.runs_at : call.ended_at;
  return at === null ? '–' : <Instant zone={zone} at={at} seconds theirs={call.zone} />;
}
