import { type ComponentChildren } from 'preact';

/** What a control of a form refers to, so that it is read with its hint and its error. */
export interface ControlAttributes {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': 'true' | undefined;
}

interface FormRowProps {
  /** The name of the field; its ids begin with it. */
  name: string;
  label: string;
  hint?: ComponentChildren;
  /** What is wrong with the value that was sent. */
  error?: string | null;
  /** Whether the place of the error is there without one, too, for forms that are checked as one types. */
  checked?: boolean;
  children: (attributes: ControlAttributes) => ComponentChildren;
}

/** One field of a form: its label, its hint, what is wrong with it, and its control. */
export function FormRow({ name, label, hint, error = null, checked = false, children }: FormRowProps) {
  const id = idOf(name);
  const shown = error ?? (checked ? '' : null);
  const described = describedBy(id, hint !== undefined, shown !== null);
  return (
    <div class={rowClass(error)}>
      <label for={id}>{label}</label>
      <HintAndError id={id} hint={hint} error={shown} />
      {children({ id, 'aria-describedby': described, 'aria-invalid': error === null ? undefined : 'true' })}
    </div>
  );
}

interface TextRowProps extends Omit<FormRowProps, 'children'> {
  value: string;
  placeholder?: string;
  type?: 'text' | 'email' | 'date';
  required?: boolean;
  /** For screens with a keyboard of digits. */
  numeric?: boolean;
  /** The id of a list of suggestions. */
  list?: string;
  autocomplete?: string;
}

/** A field with one line of text. */
export function TextRow(props: TextRowProps) {
  const { value, type = 'text', required, placeholder, numeric, list, autocomplete = 'off', ...row } = props;
  return (
    <FormRow {...row}>
      {(attributes) => (
        <input
          {...attributes}
          name={row.name}
          type={type}
          value={value}
          required={required}
          placeholder={placeholder}
          inputmode={numeric ? 'numeric' : undefined}
          list={list}
          autocomplete={autocomplete}
          autocapitalize="none"
          spellcheck={false}
        />
      )}
    </FormRow>
  );
}

interface AreaRowProps extends Omit<FormRowProps, 'children'> {
  value: string;
  rows: number;
  /** Sentences, which browsers check; otherwise the lines are codes or numbers. */
  prose?: boolean;
}

/** A field with several lines of text. */
export function AreaRow({ value, rows, prose = false, ...row }: AreaRowProps) {
  const codes = prose ? {} : ({ spellcheck: false, autocapitalize: 'none' } as const);
  return (
    <FormRow {...row}>
      {(attributes) => (
        <textarea {...attributes} {...codes} name={row.name} rows={rows}>
          {/* Browsers leave out a line break at the beginning. */}
          {value.startsWith('\n') ? `\n${value}` : value}
        </textarea>
      )}
    </FormRow>
  );
}

interface FileRowProps extends Omit<FormRowProps, 'children'> {
  /** The endings and types of files that are offered. */
  accept: string;
}

/** A field with a file. */
export function FileRow({ accept, ...row }: FileRowProps) {
  return (
    <FormRow {...row}>
      {(attributes) => <input {...attributes} name={row.name} type="file" accept={accept} required />}
    </FormRow>
  );
}

/** What is wrong with a field, to take the place of what was wrong before, where a script checks the form. */
export function ErrorOfField({ name, error }: { name: string; error: string | undefined }) {
  return (
    <p class="error" id={`${idOf(name)}-error`} hx-swap-oob="true">
      {error}
    </p>
  );
}

export type Option = readonly [value: string, label: string];

interface SelectRowProps extends Omit<FormRowProps, 'children'> {
  chosen: string;
  options: readonly Option[];
}

/** A field that chooses one of several values. */
export function SelectRow({ chosen, options, ...row }: SelectRowProps) {
  return (
    <FormRow {...row}>
      {(attributes) => (
        <select {...attributes} name={row.name}>
          {options.map(([value, text]) => (
            <option value={value} selected={value === chosen}>
              {text}
            </option>
          ))}
        </select>
      )}
    </FormRow>
  );
}

interface CheckRowProps extends Omit<FormRowProps, 'children' | 'checked'> {
  checked: boolean;
}

/** A field that is on or off. */
export function CheckRow({ name, label, hint, error = null, checked }: CheckRowProps) {
  const id = idOf(name);
  return (
    <div class={rowClass(error)}>
      <label class="check" for={id}>
        <input
          id={id}
          name={name}
          type="checkbox"
          value="true"
          checked={checked}
          aria-describedby={describedBy(id, hint !== undefined, error !== null)}
        />
        <span>{label}</span>
      </label>
      <HintAndError id={id} hint={hint} error={error} />
    </div>
  );
}

interface GroupProps extends Omit<FormRowProps, 'children'> {
  children: ComponentChildren;
}

/** Several controls that answer one question. */
export function FieldGroup({ name, label, hint, error = null, children }: GroupProps) {
  const id = idOf(name);
  return (
    <fieldset
      class={rowClass(error)}
      id={id}
      aria-describedby={describedBy(id, hint !== undefined, error !== null)}
    >
      <legend>{label}</legend>
      <HintAndError id={id} hint={hint} error={error} />
      {children}
    </fieldset>
  );
}

/** A choice with the sentence that says what it means. */
export interface Check {
  value: string;
  label: string;
  meaning?: string;
}

interface ChecksProps extends Omit<FormRowProps, 'children'> {
  checks: readonly Check[];
  chosen: readonly string[];
}

/** A field that takes several of several values. */
export function CheckGroup({ checks, chosen, ...group }: ChecksProps) {
  return (
    <FieldGroup {...group}>
      <Checks name={group.name} checks={checks} chosen={chosen} />
    </FieldGroup>
  );
}

interface CheckListProps {
  name: string;
  checks: readonly Check[];
  chosen: readonly string[];
  type?: 'checkbox' | 'radio';
}

/** The controls of a group. */
export function Checks({ name, checks, chosen, type = 'checkbox' }: CheckListProps) {
  return (
    <div class="checks">
      {checks.map(({ value, label, meaning }) => (
        <label class="check">
          <input type={type} name={name} value={value} checked={chosen.includes(value)} />
          <span>
            {label}
            {meaning !== undefined && <span class="soft small"> {meaning}</span>}
          </span>
        </label>
      ))}
    </div>
  );
}

function HintAndError({ id, hint, error }: { id: string; hint: ComponentChildren; error: string | null }) {
  return (
    <>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== null && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </>
  );
}

const idOf = (name: string): string => `field-${name.replaceAll('.', '-')}`;

const rowClass = (error: string | null): string => (error === null ? 'row' : 'row refused');

function describedBy(id: string, hinted: boolean, refused: boolean): string | undefined {
  const ids = [...(hinted ? [`${id}-hint`] : []), ...(refused ? [`${id}-error`] : [])];
  return ids.length === 0 ? undefined : ids.join(' ');
}
