import { type CallResource } from '../../calls/records/calls-admin.service.js';
import { resolutionLabel, stateLabel } from '../../domain/narrator/labels.js';
import { ConfirmationPage } from '../frame/confirmation.view.js';
import { NumberLink } from '../frame/controls.js';
import { Answer } from './decision.view.js';
import { type Frame } from '../frame/page-frame.service.js';

/** The confirmation page of a resolution: a resolved call cannot be resolved again. */
export function resolvePage(frame: Frame, call: CallResource, outcome: string) {
  return (
    <ConfirmationPage
      frame={frame}
      id="resolve"
      title="Resolve a call"
      question={
        <>
          Resolve the call to <NumberLink teamId={call.teamId} phoneNumber={call.phoneNumber} />?
        </>
      }
      subject={call.id}
      action={`${frame.base}/calls/${call.id}/resolve`}
      answer={
        <>
          <input type="hidden" name="outcome" value={outcome} />
          <button class="main">Yes, record this outcome</button>
        </>
      }
    >
      <Answer frame={frame} call={call} />
      <p>
        Outcome: <b>{resolutionLabel(outcome)}.</b> The call becomes {stateLabel(outcome)}. This cannot be
        changed later.
      </p>
    </ConfirmationPage>
  );
}
