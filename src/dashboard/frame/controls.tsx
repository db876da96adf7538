import { type ComponentChildren } from 'preact';
import { isErasedNumber, shownNumber } from '../../domain/erased-number.js';
import { address } from '../design/address.js';
import { PhoneNumber } from '../design/phone-number.view.js';
import { FORM_TOKEN } from './form.js';
import { type Frame } from './page-frame.service.js';

interface PostFormProps {
  frame: Pick<Frame, 'request'>;
  action: string;
  id?: string;
  /** Where it leads; by default, back to its page. */
  back?: string;
  /** Whether a field of the form is a file. The file is the last field. */
  withFile?: boolean;
  /** Whether the fields stand in one line. */
  inBar?: boolean;
  children: ComponentChildren;
}

/** A form that changes something and leads back to its page. */
export function PostForm(props: PostFormProps) {
  const {
    frame: { request },
    action,
    id,
    back = request.self,
    withFile = false,
    inBar = false,
    children,
  } = props;
  return (
    <form
      class={inBar ? 'bar' : undefined}
      method="post"
      action={action}
      id={id}
      enctype={withFile ? 'multipart/form-data' : undefined}
    >
      <input type="hidden" name={FORM_TOKEN} value={request.formToken} />
      <input type="hidden" name="back" value={back} />
      {children}
    </form>
  );
}

interface QuestionProps {
  frame: Frame;
  action: string;
  /** Such as `Pause`. */
  what: ComponentChildren;
  /** The text of the button. */
  answer: string;
  children: string;
}

/** A form with a confirmation. */
export function Question({ frame, action, what, answer, children }: QuestionProps) {
  return (
    <details>
      <summary>{what}…</summary>
      <p class="soft small">{children}</p>
      <PostForm frame={frame} action={action}>
        <button class="danger">{answer}</button>
      </PostForm>
    </details>
  );
}

/** Text that is read and not seen, such as the row of a button whose text is that of every row. */
export function Hidden({ children }: { children: ComponentChildren }) {
  return <span class="hidden">{children}</span>;
}

/** Chooses the team, on pages of the platform. `none` is the label of the empty choice; without `none`, there is no empty choice. */
export function TeamSelect({ frame: { scope, teams, team }, none }: { frame: Frame; none?: string }) {
  if (scope === 'team') return null;
  const listed = team === null || teams.some(({ id }) => id === team.id) ? teams : [team, ...teams];
  return (
    <label>
      Team
      <select name="teamId">
        {none !== undefined && <option value="">{none}</option>}
        {listed.map(({ id, name }) => (
          <option value={id} selected={id === team?.id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

interface ChoiceProps {
  label: string;
  name: string;
  chosen: string | undefined;
  options: readonly (readonly [value: string, label: string])[];
}

/** Chooses a value; no choice means any value. */
export function Choice({ label, name, chosen, options }: ChoiceProps) {
  return (
    <label>
      {label}
      <select name={name}>
        <option value="">Any</option>
        {options.map(([value, text]) => (
          <option value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface PhoneFieldProps {
  value: string | null;
  required?: boolean;
}

export function PhoneField({ value, required = false }: PhoneFieldProps) {
  return (
    <label>
      Phone number
      <input
        name="phoneNumber"
        type="tel"
        value={value ?? ''}
        placeholder="+14155552671"
        autocomplete="off"
        required={required}
      />
    </label>
  );
}

/** Why a search without a team shows nothing; the typed number stays in its form. */
export function TeamMissing({ frame: { team, teams, request } }: { frame: Frame }) {
  if (team !== null || request.phoneNumber === null) return null;
  return (
    <p class="notice warn" role="alert">
      {teams.length === 0
        ? 'There is no team yet, so there is nothing to look up.'
        : 'Choose the team whose number you look up.'}
    </p>
  );
}

export type Mood = 'good' | 'warn' | 'bad' | '';

/** A state as a badge, whose colour shows what the state means. */
export function Badge({ mood = '', children }: { mood?: Mood; children: ComponentChildren }) {
  return <span class={`state ${mood}`}>{children}</span>;
}

export function NumberLink({ teamId, phoneNumber }: { teamId: string; phoneNumber: string }) {
  if (isErasedNumber(phoneNumber)) return <span>{shownNumber(phoneNumber)}</span>;
  return (
    <a href={address(`/t/${teamId}/numbers`, { phoneNumber })}>
      <PhoneNumber number={phoneNumber} />
    </a>
  );
}
