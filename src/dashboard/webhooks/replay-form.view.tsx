import { TextRow } from '../design/form-field.view.js';
import { PostForm } from '../frame/controls.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { type Frame } from '../frame/page-frame.service.js';

/** Which kept events are sent again, as it was typed. */
export interface TypedRange {
  after: string;
  until: string;
}

/** The form as it is shown. */
export interface TypedReplay {
  range: TypedRange;
  errors: FieldErrors;
}

export const RANGE_LABELS = { after: 'After event', until: 'Up to event' };

interface ReplayFormProps extends TypedReplay {
  frame: Frame;
  /** The address of the endpoint. */
  self: string;
}

/** Sends kept events to an endpoint again. It is open where a range is typed already. */
export function ReplayForm({ frame, self, range, errors }: ReplayFormProps) {
  return (
    <details id="replay" open={range.after !== '' || Object.keys(errors).length > 0}>
      <summary>Send kept events again…</summary>
      <p class="soft small">
        The endpoint gets each event of the range, also those that it has taken already, and those of before
        it was added. Events of types that it does not get are left out.
      </p>
      <PostForm frame={frame} action={`${self}/replay`} back={self}>
        <TextRow
          name="after"
          label={RANGE_LABELS.after}
          hint="The number of the event before the first one, such as 4711; the list of deliveries has them. 0: all kept events."
          error={errors.after}
          value={range.after}
          numeric
          required
        />
        <TextRow
          name="until"
          label={`${RANGE_LABELS.until} (optional)`}
          hint="The number of the last one. Empty: up to the newest."
          error={errors.until}
          value={range.until}
          numeric
        />
        <p class="save">
          <button class="danger">Send them again</button>
        </p>
      </PostForm>
    </details>
  );
}
