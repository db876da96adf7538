import { ErrorOfField } from '../design/form-field.view.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { controlAt, ELSEWHERE, JSON_TEXT, labelAt } from './controls.js';
import { type Warnings } from './answers.js';

interface CheckResultProps {
  errors: FieldErrors;
  warnings: Warnings;
  wasChecked: boolean;
}

/** What is wrong with a definition, or probably unintended in it. */
export function CheckResult({ errors, warnings, wasChecked }: CheckResultProps) {
  const refused = Object.entries(errors);
  return (
    <div id="check" role="status">
      {refused.length > 0 && (
        <div class="notice bad">
          This would be refused:
          <ul>
            {refused.map(([name, text]) => (
              <li>
                <a href={`#field-${name.replaceAll('.', '-')}`}>{text}</a>
              </li>
            ))}
          </ul>
        </div>
      )}
      <WarningList warnings={warnings} />
      {wasChecked && refused.length === 0 && <p class="notice">Nothing in it would be refused.</p>}
    </div>
  );
}

export function WarningList({ warnings }: { warnings: Warnings }) {
  if (warnings.length === 0) return null;
  return (
    <div class="notice warn" id="warnings">
      Valid, but possibly unintended:
      <ul>
        {warnings.map(({ path, message }) => (
          <li data-at={controlAt(path)}>
            {path === '' ? '' : `${labelAt(path)}: `}
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface CheckedFormProps extends CheckResultProps {
  /** The names of the form's controls. */
  controls: readonly string[];
  /** What the JSON becomes; null: it is what is sent. */
  json: string | null;
}

/** The answer to a check while one types: the result, and what is wrong at each field. */
export function checkedForm({ controls, json, ...result }: CheckedFormProps) {
  return (
    <div>
      <CheckResult {...result} />
      {[...controls, JSON_TEXT]
        .filter((name) => name !== ELSEWHERE)
        .map((name) => (
          <ErrorOfField name={name} error={result.errors[name]} />
        ))}
      {json !== null && (
        <textarea
          id={`field-${JSON_TEXT}`}
          name={JSON_TEXT}
          rows={16}
          spellcheck={false}
          autocapitalize="none"
          aria-describedby={`field-${JSON_TEXT}-error`}
          hx-swap-oob="true"
        >
          {json}
        </textarea>
      )}
    </div>
  );
}
