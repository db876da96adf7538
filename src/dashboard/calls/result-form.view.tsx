import { CheckRow, TextRow } from '../design/form-field.view.js';
import { PostForm } from '../frame/controls.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { type Frame } from '../frame/page-frame.service.js';

/** A result as it was typed. */
export interface TypedResult {
  disposition: string;
  optOut: boolean;
}

/** The form as it is shown. */
export interface ResultFormState {
  typed: TypedResult;
  errors: FieldErrors;
}

export const UNTYPED_RESULT: ResultFormState = { typed: { disposition: '', optOut: false }, errors: {} };

interface ResultFormProps extends ResultFormState {
  frame: Frame;
  callRequestId: string;
}

/** Reports what came of a call for which neither its carrier nor the team has. It is open where it was refused. */
export function ResultForm({ frame, callRequestId, typed, errors }: ResultFormProps) {
  return (
    <details id="report" open={Object.keys(errors).length > 0}>
      <summary>Report a result…</summary>
      <p class="soft small">
        It is stored once and is not changed afterwards. A campaign goes on by it, as if the carrier had
        reported it.
      </p>
      <PostForm frame={frame} action={`${frame.base}/calls/${callRequestId}/result`}>
        <TextRow
          name="disposition"
          label="Disposition"
          hint="What the conversation led to, such as interested. The routes of a campaign’s step refer to it."
          error={errors.disposition}
          value={typed.disposition}
        />
        <CheckRow
          name="optOut"
          label="The person asked not to be called again"
          hint="The number goes on the team’s Do Not Call list."
          error={errors.optOut}
          checked={typed.optOut}
        />
        <p class="save">
          <button class="main">Report the result</button>
        </p>
      </PostForm>
    </details>
  );
}
