import { EVENT_TYPES, LISTED_EVENT_TYPES } from '../../events/event-types.js';
import { CheckGroup, Checks, FieldGroup, TextRow } from '../design/form-field.view.js';
import { PostForm } from '../frame/controls.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { type Frame } from '../frame/page-frame.service.js';

/** What was typed into the form of an endpoint. `which` is `all` or `some`. */
export interface TypedEndpoint {
  url: string;
  description: string;
  which: string;
  types: readonly string[];
}

export const ENDPOINT_LABELS = { url: 'URL', description: 'Description', types: 'Events' };

export const NEW_ENDPOINT: TypedEndpoint = {
  url: '',
  description: '',
  which: 'all',
  types: [...EVENT_TYPES],
};

interface EndpointFormProps {
  frame: Frame;
  action: string;
  /** The text of the button. */
  answer: string;
  typed: TypedEndpoint;
  errors: FieldErrors;
}

/** The form of a new endpoint, or of one that is changed. */
export function EndpointForm({ frame, action, answer, typed, errors }: EndpointFormProps) {
  return (
    <PostForm frame={frame} action={action}>
      <TextRow
        name="url"
        label={ENDPOINT_LABELS.url}
        hint="Where events are sent by POST, such as https://example.com/outdial. Redirects are not followed."
        error={errors.url}
        value={typed.url}
        required
      />
      <TextRow
        name="description"
        label="Description (optional)"
        error={errors.description}
        value={typed.description}
      />
      <FieldGroup name="which" label="Events" error={errors.which}>
        <Checks
          name="which"
          type="radio"
          chosen={[typed.which]}
          checks={[
            { value: 'all', label: 'All events', meaning: 'Those that later versions add, too.' },
            { value: 'some', label: 'Only the events below' },
          ]}
        />
      </FieldGroup>
      <details open={typed.which === 'some'}>
        <summary>Choose events</summary>
        <CheckGroup
          name="types"
          label="Events that are sent"
          error={errors.types}
          checks={LISTED_EVENT_TYPES.map(({ name, when }) => ({
            value: name,
            label: name,
            meaning: when.replaceAll('`', ''),
          }))}
          chosen={typed.types}
        />
      </details>
      <p class="save">
        <button class="main">{answer}</button>
      </p>
    </PostForm>
  );
}
