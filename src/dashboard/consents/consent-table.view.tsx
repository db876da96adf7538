import { type ConsentResource } from '../../consents/consent.dto.js';
import { Badge, Hidden, NumberLink, PostForm } from '../frame/controls.js';
import { timeIn } from '../design/local-time.js';
import { numberText } from '../design/phone-number.view.js';
import { type Frame, may } from '../frame/page-frame.service.js';
import { extentOf, LEVEL_WORDS, STATE_WORDS } from './consent-words.js';

interface ConsentTableProps {
  frame: Frame;
  teamId: string;
  consents: readonly ConsentResource[];
  /** Whether the number of each consent is shown; on the page of a number, it is not. */
  withNumber: boolean;
}

/** Consents, with what has ended them; those in force can be revoked. */
export function ConsentTable({ frame, teamId, consents, withNumber }: ConsentTableProps) {
  return (
    <table class="stack">
      <thead>
        <tr>
          {withNumber && <th>Number</th>}
          <th>Level</th>
          <th>For</th>
          <th>Given by</th>
          <th>Given</th>
          <th>State</th>
          <th>
            <Hidden>Change</Hidden>
          </th>
        </tr>
      </thead>
      {consents.map((consent) => (
        <ConsentRow frame={frame} teamId={teamId} consent={consent} withNumber={withNumber} />
      ))}
    </table>
  );
}

interface ConsentRowProps extends Omit<ConsentTableProps, 'consents'> {
  consent: ConsentResource;
}

function ConsentRow({ frame, teamId, consent, withNumber }: ConsentRowProps) {
  const { id, phoneNumber, level, source, evidence, grantedAt, expiresAt, status } = consent;
  return (
    <tr data-consent={id}>
      {withNumber && (
        <td class="nowrap">
          <NumberLink teamId={teamId} phoneNumber={phoneNumber} />
        </td>
      )}
      <td data-name="Level">{LEVEL_WORDS[level]}</td>
      <td data-name="For">{extentOf(consent)}</td>
      <td data-name="Given by" class="long">
        {source ?? <span class="soft">Erased</span>}
        {evidence !== null && <div class="soft small">{evidence}</div>}
      </td>
      <td data-name="Given" class="nowrap">
        {timeIn(frame.zone, grantedAt)}
      </td>
      <td data-name="State">
        <State frame={frame} consent={consent} />
        {status === 'in_force' && expiresAt !== null && (
          <div class="soft small">until {timeIn(frame.zone, expiresAt)}</div>
        )}
      </td>
      <td class="nowrap">
        {status === 'in_force' && <RevokeForm frame={frame} teamId={teamId} consent={consent} />}
      </td>
    </tr>
  );
}

function State({
  frame,
  consent: { status, endedAt, endReason },
}: Omit<ConsentRowProps, 'teamId' | 'withNumber'>) {
  const { label, mood } = STATE_WORDS[status];
  return (
    <>
      <Badge mood={mood}>{label}</Badge>
      {endedAt !== null && <div class="soft small nowrap">{timeIn(frame.zone, endedAt)}</div>}
      {endReason !== null && <div class="small">{endReason}</div>}
    </>
  );
}

/** Collapsed at first, so that no consent is revoked by mistake. */
function RevokeForm({ frame, teamId, consent }: Omit<ConsentRowProps, 'withNumber'>) {
  if (!may(frame, 'suppressions.change')) return null;
  const field = `reason-${consent.id}`;
  return (
    <details>
      <summary>
        Revoke… <Hidden>the consent of {numberText(consent.phoneNumber)}</Hidden>
      </summary>
      <PostForm frame={frame} action={`/t/${teamId}/consents/${consent.id}/revoke`}>
        <p>
          <label for={field}>Reason, if any</label>
          <input id={field} name="reason" maxlength={500} autocomplete="off" />
        </p>
        <button class="danger">Revoke it from now on</button>
      </PostForm>
    </details>
  );
}
