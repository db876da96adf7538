import fc from 'fast-check';
import { closedInWords, hoursInWords } from '../../src/dashboard/hours/hours-words.js';
import { ClosedDatesEditor, editOf, HoursEditor } from '../../src/dashboard/hours/hours-editor.view.js';
import { addedDate, datesIn, readTypedDates, typedDatesOf } from '../../src/dashboard/hours/closed-dates.js';
import {
  editedHours,
  hoursErrors,
  hoursIn,
  readTypedHours,
  type TypedHours,
  typedHoursOf,
} from '../../src/dashboard/hours/hours-form.js';
import { SentFields } from '../../src/dashboard/frame/sent-fields.js';
import {
  type CallingHours,
  isOpen,
  parseCallingHours,
  parseClosedDates,
  weekdays,
} from '../../src/domain/calling-hours.js';
import { renderPage } from '../../src/http/html-page.js';
import { fieldsIn } from './form-fields.js';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1440;
/** A Monday. The week before and after it are the same, so that windows over midnight are judged at both ends. */
const WEEK = Date.parse('2027-03-01T00:00:00Z');
const DATES = Array.from({ length: 7 }, (_, n) => new Date(WEEK + n * 86_400_000).toISOString().slice(0, 10));

const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
const time = fc.integer({ min: 0, max: DAY_MINUTES - 1 }).map(clock);
const end = fc.oneof(time, fc.constantFrom('24:00', '00:00'));
const stored = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  {
    weight: 9,
    arbitrary: fc
      .record(
        Object.fromEntries(
          weekdays.map((day) => [day, fc.array(fc.record({ start: time, end }), { maxLength: 4 })]),
        ),
        { requiredKeys: [] },
      )
      .filter((hours) => parseCallingHours(hours).ok),
  },
);
const closed = fc.uniqueArray(fc.constantFrom(...DATES), { maxLength: 3 });

/** The fields of the rendered editor, as a browser sends them. */
function sentBy(typed: TypedHours): SentFields {
  const html = renderPage(HoursEditor({ name: 'hours', typed, errors: {}, action: '/agents' }));
  return new SentFields(new URLSearchParams(fieldsIn(html)));
}

/** The minutes of the week at which these hours are open, by the oracle; around each limit of a window and each hour. */
function openAt(callingHours: CallingHours, closedDates: readonly string[], minutes: readonly number[]) {
  return minutes.map((minute) =>
    isOpen({ callingHours, closedDates }, 'UTC', new Date(WEEK + minute * MINUTE_MS)),
  );
}

function minutesAround(hours: CallingHours): number[] {
  const minutes = new Set<number>();
  for (let minute = 0; minute < 7 * DAY_MINUTES; minute += 60) minutes.add(minute);
  weekdays.forEach((day, n) => {
    for (const { start, end: ends } of hours?.[day] ?? []) {
      for (const text of [start, ends]) {
        const at = n * DAY_MINUTES + Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
        for (const near of [at - 1, at, at + 1, at + DAY_MINUTES - 1, at + DAY_MINUTES]) minutes.add(near);
      }
    }
  });
  return [...minutes];
}

function parsed(value: unknown): CallingHours {
  const read = parseCallingHours(value);
  if (!read.ok) throw new Error(read.message);
  return read.value;
}

test('the form of stored hours says when the hours are open, and nothing else', () => {
  fc.assert(
    fc.property(stored, closed, (hours, dates) => {
      const back = parsed(hoursIn(readTypedHours('hours', sentBy(typedHoursOf(hours)))));
      const html = renderPage(
        ClosedDatesEditor({ name: 'dates', typed: typedDatesOf(dates), errors: {}, action: '/agents' }),
      );
      const sent = readTypedDates('dates', new SentFields(new URLSearchParams(fieldsIn(html))));
      const datesBack = parseClosedDates(datesIn(sent));
      if (!datesBack.ok) throw new Error(datesBack.message);
      const minutes = minutesAround(hours);
      expect(openAt(back, datesBack.value, minutes)).toEqual(openAt(hours, dates, minutes));
    }),
    { seed: 4711, numRuns: 150 },
  );
});

test('what is typed is open exactly in its windows, or is refused', () => {
  const row = fc.record({ start: fc.oneof(time, fc.constant('')), end: fc.oneof(time, fc.constant('')) });
  const week = fc.record(Object.fromEntries(weekdays.map((day) => [day, fc.array(row, { maxLength: 3 })])));
  fc.assert(
    fc.property(week, (days) => {
      const typed = { mode: 'week', week: days as unknown as TypedHours['week'] };
      const read = parseCallingHours(hoursIn(readTypedHours('hours', sentBy(typed))));
      const rows = weekdays.flatMap((day, n) => (days[day] ?? []).map((one) => ({ ...one, n })));
      const isHalf = ({ start, end: ends }: { start: string; end: string }) =>
        (start === '') !== (ends === '');
      const whole = rows.filter(({ start, end: ends }) => start !== '' && ends !== '');
      const isNothing = whole.some(({ start, end: ends }) => start === ends && start !== '00:00');
      if (rows.some(isHalf) || isNothing || whole.length === 0) return expect(read.ok).toBe(false);
      if (!read.ok) throw new Error(read.message);
      const inWindow = (minute: number) =>
        whole.some(({ start, end: ends, n }) => {
          const at = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
          const length = (at(ends) - at(start) + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES;
          const since = (minute - n * DAY_MINUTES - at(start) + 7 * DAY_MINUTES) % (7 * DAY_MINUTES);
          return since < length;
        });
      const minutes = minutesAround(read.value).map(
        (minute) => (minute + 7 * DAY_MINUTES) % (7 * DAY_MINUTES),
      );
      expect(openAt(read.value, [], minutes)).toEqual(minutes.map(inWindow));
    }),
    { seed: 4712, numRuns: 200 },
  );
});

test('buttons change the week as they say', () => {
  const nine = { start: '09:00', end: '17:00' };
  const typed = typedHoursOf({ monday: [nine], sunday: [{ start: '10:00', end: '24:00' }] });
  const after = (value: string) => hoursIn(editedHours(typed, editOf('hours', value) ?? ''));
  const weekday = { monday: [nine], tuesday: [nine], wednesday: [nine], thursday: [nine], friday: [nine] };
  const sunday = [{ start: '10:00', end: '24:00' }];
  expect(after('hours:copy.weekdays')).toEqual({ ...weekday, sunday });
  expect(after('hours:copy.every')).toEqual({ ...weekday, saturday: [nine], sunday: [nine] });
  expect(after('hours:clear.monday')).toEqual({ sunday });
  // Buttons of other fields, and unknown ones, change nothing.
  for (const value of ['others:clear.monday', 'hours:clear.someday', 'hours:burn', ''])
    expect(after(value)).toEqual(hoursIn(typed));
});

test('a button adds an empty row, up to the most windows of a day', () => {
  let typed = typedHoursOf({ monday: [] });
  const rows = () =>
    Object.keys(
      fieldsIn(renderPage(HoursEditor({ name: 'hours', typed, errors: {}, action: '/agents' }))),
    ).filter((name) => name.startsWith('hours.friday.') && name.endsWith('.start')).length;
  expect(rows()).toBe(1);
  typed = editedHours(typed, 'add.friday');
  expect(rows()).toBe(2);
  for (let n = 0; n < 30; n += 1) typed = editedHours(typed, 'add.friday');
  expect(rows()).toBe(20);
});

test.each([
  [
    'hours.monday[1].start must be a time HH:MM from 00:00 to 23:59',
    'hours.monday',
    'Monday, window 2: the beginning must be a time HH:MM from 00:00 to 23:59',
  ],
  ['hours.friday must have at most 20 windows', 'hours.friday', 'Friday: must have at most 20 windows'],
  [
    'hours never open: send at least one window, or null for any time',
    'hours',
    'Give at least one window in the week',
  ],
])('%s', (message, field, text) => {
  expect(hoursErrors('hours', message)).toEqual({ [field]: text });
});

test('browsers without fields for times may leave out zeros or add seconds', () => {
  const typed = {
    mode: 'week',
    week: { ...typedHoursOf(null).week, monday: [{ start: ' 9:00', end: '17:30:00' }] },
  };
  expect(hoursIn(typed)).toEqual({ monday: [{ start: '09:00', end: '17:30' }] });
});

test('nothing chosen says nothing', () => {
  expect(hoursIn({ ...typedHoursOf(null), mode: '' })).toBeUndefined();
});

test('a date is added to the list once, in its order', () => {
  expect(addedDate({ list: '2026-12-25\n2026-07-04', more: '2026-07-04' })).toEqual({
    list: '2026-07-04\n2026-12-25',
    more: '',
  });
});

test.each<[CallingHours, string]>([
  [null, 'At any time'],
  [
    Object.fromEntries(weekdays.slice(0, 5).map((day) => [day, [{ start: '09:00', end: '17:00' }]])),
    'Monday to Friday 09:00–17:00; not on Saturday and Sunday',
  ],
  [
    { friday: [{ start: '22:00', end: '02:00' }] },
    'Not on Monday to Thursday; Friday 22:00–02:00 the next day; not on Saturday and Sunday',
  ],
  [Object.fromEntries(weekdays.map((day) => [day, [{ start: '00:00', end: '24:00' }]])), 'Every day all day'],
  [
    {
      monday: [
        { start: '09:00', end: '12:00' },
        { start: '13:00', end: '00:00' },
      ],
    },
    'Monday 09:00–12:00 and 13:00–24:00; not on Tuesday to Sunday',
  ],
])('%j in words', (hours, words) => {
  expect(hoursInWords(hours)).toBe(words);
});

test('closed dates in words are those to come', () => {
  const now = new Date('2026-12-25T03:00:00Z');
  expect(closedInWords(['2026-12-24', '2026-12-26'], 'UTC', now)).toBe('Closed on 2026-12-26');
  expect(closedInWords(['2026-12-24'], 'America/New_York', now)).toBe('Closed on 2026-12-24');
  expect(closedInWords(['2020-01-01'], 'UTC', now)).toBeNull();
});
