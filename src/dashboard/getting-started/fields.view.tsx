import { type ComponentChildren } from 'preact';
import { type Problem } from '../../http/app-error.js';

/** A form that was refused: what was typed, and what is wrong with it. */
export interface Sent {
  sent: ReadonlyMap<string, string>;
  problems: readonly Problem[];
}

interface FieldProps {
  /** Null: the form was not sent yet. */
  attempt: Sent | null;
  /** Begins the ids of the form's fields, since a page has several forms. */
  form: string;
  name: string;
  label: string;
  hint?: ComponentChildren;
}

/** What people call the fields that the API's messages begin with. */
const NOUNS = new Map([
  ['defaultCountry', 'The country'],
  ['firstMessageTemplate', 'The first message'],
  ['name', 'The name'],
  ['outboundPhoneNumber', 'The number to call from'],
  ['phoneNumber', 'The number'],
  ['promptTemplate', 'The prompt'],
  ['timezone', 'The time zone'],
]);

function textOf({ path, message }: Problem): string {
  const noun = NOUNS.get(path);
  return noun !== undefined && message.startsWith(`${path} `) ? noun + message.slice(path.length) : message;
}

function problemWith(attempt: Sent | null, name: string): string | null {
  const problem = attempt?.problems.find(({ path }) => path === name || path.startsWith(`${name}.`));
  return problem === undefined ? null : textOf(problem);
}

/** The attributes that tie a field to its hint and to what is wrong with it. */
function described({ attempt, form, name, hint }: FieldProps) {
  const problem = problemWith(attempt, name);
  const ids = [hint && `${form}-${name}-hint`, problem && `${form}-${name}-problem`].filter(Boolean);
  return {
    id: `${form}-${name}`,
    name,
    'aria-invalid': problem === null ? undefined : ('true' as const),
    'aria-describedby': ids.length === 0 ? undefined : ids.join(' '),
  };
}

function Row(props: FieldProps & { children: ComponentChildren }) {
  const { attempt, form, name, label, hint, children } = props;
  const problem = problemWith(attempt, name);
  return (
    <div class="field">
      <label for={`${form}-${name}`}>{label}</label>
      {children}
      {hint && (
        <p class="soft small" id={`${form}-${name}-hint`}>
          {hint}
        </p>
      )}
      {problem !== null && (
        <p class="problem small" id={`${form}-${name}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}

type TextFieldProps = FieldProps & { value: string; inputmode?: 'tel' };

/** A line of text that must be there. */
export function TextField({ value, inputmode, ...field }: TextFieldProps) {
  const { attempt, name } = field;
  return (
    <Row {...field}>
      <input
        {...described(field)}
        type="text"
        inputmode={inputmode}
        value={attempt?.sent.get(name) ?? value}
        autocomplete="off"
        required
      />
    </Row>
  );
}

export function LongTextField({ value, ...field }: FieldProps & { value: string }) {
  const { attempt, name } = field;
  return (
    <Row {...field}>
      <textarea {...described(field)} rows={4}>
        {attempt?.sent.get(name) ?? value}
      </textarea>
    </Row>
  );
}

type SelectFieldProps = FieldProps & {
  /** Null: nothing is chosen yet. */
  value: string | null;
  options: readonly (readonly [value: string, label: string])[];
};

export function SelectField({ value, options, ...field }: SelectFieldProps) {
  const { attempt, name } = field;
  const chosen = attempt?.sent.get(name) ?? value ?? '';
  return (
    <Row {...field}>
      <select {...described(field)} required>
        {value === null && <option value="">Choose…</option>}
        {options.map(([one, text]) => (
          <option value={one === text ? undefined : one} selected={one === chosen}>
            {text}
          </option>
        ))}
      </select>
    </Row>
  );
}

type RadioFieldProps = Omit<SelectFieldProps, 'value'> & { value: string };

export function RadioField({ attempt, form, name, label, value, options }: RadioFieldProps) {
  const chosen = attempt?.sent.get(name) ?? value;
  const problem = problemWith(attempt, name);
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      {options.map(([one, text]) => (
        <label class="choice" for={`${form}-${name}-${one}`}>
          <input
            type="radio"
            id={`${form}-${name}-${one}`}
            name={name}
            value={one}
            checked={one === chosen}
          />
          {text}
        </label>
      ))}
      {problem !== null && <p class="problem small">{problem}</p>}
    </fieldset>
  );
}

/** What is wrong with a form as a whole, and how many of its fields are wrong. */
export function FormProblem({ attempt }: { attempt: Sent | null }) {
  if (attempt === null) return null;
  const text = attempt.problems.map(textOf).join('; ');
  return (
    <p class="notice bad" role="alert" id="problem">
      Nothing was changed: {text}
    </p>
  );
}
