import { type CancelCalls } from '../../calls/records/cancel-calls.dto.js';
import { stateLabel } from '../../domain/narrator/labels.js';
import { ConfirmationPage } from '../frame/confirmation.view.js';
import { count } from '../design/local-time.js';
import { type TeamRow } from '../frame/teams.sql.js';
import { type Frame } from '../frame/page-frame.service.js';

interface ToCancel {
  team: TeamRow;
  which: CancelCalls;
  /** How many calls match now. */
  matching: number;
}

/** The confirmation page of a cancellation of many calls. */
export function cancelPage(frame: Frame, { team, which, matching }: ToCancel) {
  const calls = `${count(matching)} ${matching === 1 ? 'call' : 'calls'}`;
  return (
    <ConfirmationPage
      frame={frame}
      id="cancel"
      title="Cancel calls"
      question={`Cancel ${calls} of ${team.name}?`}
      subject={`${stateLabel(which.status ?? '')}, not dialed yet`}
      action={`/t/${team.id}/calls/cancel`}
      answer={
        <>
          {Object.entries(which).map(
            ([name, value]) =>
              value !== undefined && <input type="hidden" name={name} value={String(value)} />,
          )}
          <button class="danger" disabled={matching === 0}>
            Yes, cancel {calls}
          </button>
        </>
      }
    >
      <p>
        Canceled calls are not dialed, and count against no limit. This cannot be undone. Of more than 5,000
        calls, one step cancels 5,000.
      </p>
    </ConfirmationPage>
  );
}
