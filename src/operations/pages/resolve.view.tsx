import { type CallResource } from '../../calls/records/calls-admin.service.js';
import { resolutionLabel, stateLabel } from '../../domain/narrator/labels.js';
import { NumberLink, PostForm } from './controls.js';
import { Answer } from './decision.view.js';
import { Layout } from './layout.js';
import { type Frame } from './page-frame.service.js';

/** The confirmation page of a resolution: a resolved call cannot be resolved again. Both answers lead to the frame's own page. */
export function resolvePage(frame: Frame, call: CallResource, outcome: string) {
  return (
    <Layout frame={frame} section={null} title="Resolve a call">
      <h1>
        Resolve the call to <NumberLink teamId={call.teamId} phoneNumber={call.phoneNumber} />?
      </h1>
      <p class="soft small">{call.id}</p>
      <section class="card" id="resolve">
        <Answer frame={frame} call={call} />
        <p>
          Outcome: <b>{resolutionLabel(outcome)}.</b> The call becomes {stateLabel(outcome)}. This cannot be
          changed later.
        </p>
        <PostForm frame={frame} action={`/admin/calls/${call.id}/resolve`}>
          <input type="hidden" name="outcome" value={outcome} />
          <button class="main">Yes, record this outcome</button>
        </PostForm>
        <p>
          <a href={frame.request.self}>No, back</a>
        </p>
      </section>
    </Layout>
  );
}
