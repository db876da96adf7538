import { maxWindowsADay, parseCallingHours, type Weekday, weekdays } from '../../domain/calling-hours.js';
import { Checks, FieldGroup } from '../design/form-field.view.js';
import { type FieldErrors } from '../frame/form-errors.js';
import { type TypedDates, moreField } from './closed-dates.js';
import {
  ANY_TIME,
  dayName,
  type HoursEdit,
  IN_WINDOWS,
  isTyped,
  type TypedHours,
  windowField,
  hoursIn,
} from './hours-form.js';
import { hoursInWords } from './hours-words.js';

/** The name of the buttons that change the form and save nothing; the value says what, after the field's name. */
export const EDIT = 'edit';

/** @returns what a button of this field asks for, such as `add.monday`; null: it is a button of another. */
export function editOf(name: string, value: string): string | null {
  return value.startsWith(`${name}:`) ? value.slice(name.length + 1) : null;
}

/** Where a button sends the form, so that the browser shows this field of the page that comes back. */
export const shownAt = (action: string, name: string): string => `${action}#field-${name}`;

interface HoursEditorProps {
  /** Of the field, as the API has it. */
  name: string;
  typed: TypedHours;
  errors: FieldErrors;
  /** Where the form is sent. */
  action: string;
}

/** The week of calling hours: a row a day with its windows. Works without a script. */
export function HoursEditor({ name, typed, errors, action }: HoursEditorProps) {
  const { mode, week } = typed;
  const read = parseCallingHours(hoursIn(typed));
  return (
    <FieldGroup
      name={name}
      label="Calling hours"
      hint="By the clock of the called person. An end before its beginning is on the next day; an end at 00:00 is the end of the day."
      error={errors[name] ?? null}
    >
      <Checks
        type="radio"
        name={name}
        checks={[
          { value: ANY_TIME, label: 'At any time', meaning: 'The windows below do not count.' },
          { value: IN_WINDOWS, label: 'Only in these windows' },
        ]}
        chosen={[mode]}
      />
      <div class="week">
        {weekdays.map((day) => (
          <Day
            name={name}
            action={action}
            day={day}
            windows={week[day].length === 0 ? [{ start: '', end: '' }] : week[day]}
            closed={!week[day].some(isTyped)}
            error={errors[`${name}.${day}`] ?? null}
          />
        ))}
      </div>
      {read.ok && <p class="soft small">In words: {hoursInWords(read.value)}.</p>}
    </FieldGroup>
  );
}

interface DayProps {
  name: string;
  action: string;
  day: Weekday;
  windows: TypedHours['week'][Weekday];
  closed: boolean;
  error: string | null;
}

function Day({ name, action, day, windows, closed, error }: DayProps) {
  const id = `field-${name}-${day}`;
  return (
    <div
      class={error === null ? 'day' : 'day refused'}
      id={id}
      role="group"
      aria-label={dayName(day)}
      aria-describedby={error === null ? undefined : `${id}-error`}
    >
      <span class="name">
        {dayName(day)}
        {closed && <span class="soft small"> closed</span>}
      </span>
      <div class="windows">
        {error !== null && (
          <p class="error" id={`${id}-error`}>
            {error}
          </p>
        )}
        {windows.map(({ start, end }, n) => (
          <div class="window">
            <Time
              name={windowField(name, day, n, 'start')}
              label={`${dayName(day)}, window ${n + 1}, from`}
              value={start}
            />
            <span aria-hidden="true">–</span>
            <Time
              name={windowField(name, day, n, 'end')}
              label={`${dayName(day)}, window ${n + 1}, to`}
              value={end}
            />
          </div>
        ))}
      </div>
      <div class="acts">
        {windows.length < maxWindowsADay && (
          <Edit name={name} action={action} edit={`add.${day}`} label={`Add a window on ${dayName(day)}`}>
            Add
          </Edit>
        )}
        {!closed && (
          <Edit name={name} action={action} edit={`clear.${day}`} label={`Close all ${dayName(day)}`}>
            Close
          </Edit>
        )}
        {day === 'monday' && (
          <>
            <Edit name={name} action={action} edit="copy.weekdays" label="Copy to Tue–Fri what Monday has">
              Copy to Tue–Fri
            </Edit>
            <Edit name={name} action={action} edit="copy.every" label="Copy to all days what Monday has">
              Copy to all days
            </Edit>
          </>
        )}
      </div>
    </div>
  );
}

function Time({ name, label, value }: { name: string; label: string; value: string }) {
  return <input type="time" name={name} aria-label={label} value={value} />;
}

interface EditProps {
  name: string;
  action: string;
  edit: HoursEdit;
  /** Begins with what the button shows. */
  label: string;
  children: string;
}

function Edit({ name, action, edit, label, children }: EditProps) {
  return (
    <button
      class="quiet"
      name={EDIT}
      value={`${name}:${edit}`}
      formaction={shownAt(action, name)}
      aria-label={label}
      formnovalidate
    >
      {children}
    </button>
  );
}

interface ClosedDatesProps {
  name: string;
  typed: TypedDates;
  errors: FieldErrors;
  /** Where the form is sent. */
  action: string;
}

/** The dates on which no window begins: a list, and a field for one more. */
export function ClosedDatesEditor({ name, typed: { list, more }, errors, action }: ClosedDatesProps) {
  const lines = list.split('\n').length;
  return (
    <FieldGroup
      name={name}
      label="Closed dates"
      hint="Holidays and other days without calls, one a line, such as 2026-12-25. No window begins on them or reaches into them."
      error={errors[name] ?? null}
    >
      <textarea name={name} aria-label="Closed dates, one a line" rows={Math.min(Math.max(lines, 3), 12)}>
        {list}
      </textarea>
      <div class="window">
        <input type="date" name={moreField(name)} aria-label="One more closed date" value={more} />
        <button
          class="quiet"
          name={EDIT}
          value={`${name}:add`}
          formaction={shownAt(action, name)}
          formnovalidate
        >
          Add this date
        </button>
      </div>
    </FieldGroup>
  );
}
