import { FormRow } from './form-field.view.js';

interface TextAreaRowProps {
  name: string;
  label: string;
  hint?: string;
  error?: string | null;
  value: string;
  /** How many lines are seen at first. */
  rows?: number;
}

/** A field with several lines of text. */
export function TextAreaRow({ value, rows = 4, ...row }: TextAreaRowProps) {
  return (
    <FormRow {...row}>
      {(attributes) => (
        <textarea {...attributes} name={row.name} rows={rows} spellcheck={false} autocapitalize="none">
          {value}
        </textarea>
      )}
    </FormRow>
  );
}
