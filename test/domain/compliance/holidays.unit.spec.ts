import { easterSunday, HolidayCalendar } from '../../../src/domain/compliance/holidays.js';
import { type Holiday } from '../../../src/domain/compliance/pack.js';

const day = 86_400_000;
const datesIn = (year: number, days: readonly Holiday[]) => {
  const calendar = new HolidayCalendar(days);
  const length = (Date.UTC(year + 1, 0) - Date.UTC(year, 0)) / day;
  return Array.from({ length }, (_, index) =>
    new Date(Date.UTC(year, 0, 1 + index)).toISOString().slice(0, 10),
  ).filter(calendar.isClosed);
};

const on = (name: string, month: number, dayOfMonth: number): Holiday => ({ name, month, day: dayOfMonth });
const nth = (name: string, month: number, weekday: string, count: number, offset = 0): Holiday => ({
  name,
  month,
  weekday,
  nth: count,
  offset,
});
const easter = (name: string, distance: number): Holiday => ({ name, easter: distance });

// 5 U.S.C. 6103.
const usFederal: Holiday[] = [
  { name: 'New Year’s Day', month: 1, day: 1, observed: 'nearestWeekday', alsoOnItsDate: true },
  nth('Birthday of Martin Luther King, Jr.', 1, 'monday', 3),
  nth('Washington’s Birthday', 2, 'monday', 3),
  nth('Memorial Day', 5, 'monday', -1),
  { name: 'Juneteenth', month: 6, day: 19, observed: 'nearestWeekday' },
  { name: 'Independence Day', month: 7, day: 4, observed: 'nearestWeekday' },
  nth('Labor Day', 9, 'monday', 1),
  nth('Columbus Day', 10, 'monday', 2),
  { name: 'Veterans Day', month: 11, day: 11, observed: 'nearestWeekday' },
  nth('Thanksgiving Day', 11, 'thursday', 4),
  { name: 'Christmas Day', month: 12, day: 25, observed: 'nearestWeekday' },
];

// C. trav. L.3133-1.
const france: Holiday[] = [
  on('Jour de l’an', 1, 1),
  easter('Lundi de Pâques', 1),
  on('Fête du Travail', 5, 1),
  on('Victoire 1945', 5, 8),
  easter('Ascension', 39),
  easter('Lundi de Pentecôte', 50),
  on('Fête nationale', 7, 14),
  on('Assomption', 8, 15),
  on('Toussaint', 11, 1),
  on('Armistice', 11, 11),
  on('Noël', 12, 25),
];

// Public Holidays Act 36 of 1994, section 2: on a Sunday, the following Monday is one as well.
const southAfrica: Holiday[] = [
  ...(
    [
      ['New Year’s Day', 1, 1],
      ['Human Rights Day', 3, 21],
      ['Freedom Day', 4, 27],
      ['Workers’ Day', 5, 1],
      ['Youth Day', 6, 16],
      ['National Women’s Day', 8, 9],
      ['Heritage Day', 9, 24],
      ['Day of Reconciliation', 12, 16],
      ['Christmas Day', 12, 25],
      ['Day of Goodwill', 12, 26],
    ] as const
  ).map(([name, month, date]): Holiday => ({
    name,
    month,
    day: date,
    observed: 'sundayToMonday',
    alsoOnItsDate: true,
  })),
  easter('Good Friday', -2),
  easter('Family Day', 1),
];

describe('the calendars of 2026', () => {
  test.each([
    ['US federal', usFederal, '01-01 01-19 02-16 05-25 06-19 07-03 09-07 10-12 11-11 11-26 12-25'],
    ['France', france, '01-01 04-06 05-01 05-08 05-14 05-25 07-14 08-15 11-01 11-11 12-25'],
    [
      'South Africa',
      southAfrica,
      '01-01 03-21 04-03 04-06 04-27 05-01 06-16 08-09 08-10 09-24 12-16 12-25 12-26',
    ],
    [
      'Utah, whose Juneteenth is the Monday from the 15th to the 21st',
      [
        ...usFederal.filter(({ name }) => name !== 'Juneteenth'),
        nth('Juneteenth', 6, 'monday', 3),
        on('Pioneer Day', 7, 24),
      ],
      '01-01 01-19 02-16 05-25 06-15 07-03 07-24 09-07 10-12 11-11 11-26 12-25',
    ],
    ['Rhode Island’s Victory Day', [nth('Victory Day', 8, 'monday', 2)], '08-10'],
  ])('%s', (_, days, expected) => {
    expect(datesIn(2026, days)).toEqual(expected.split(' ').map((date) => `2026-${date}`));
  });
});

describe('observed dates', () => {
  test('New Year’s Day on a Saturday is observed in the year before (1 January 2028)', () => {
    expect(datesIn(2027, usFederal)).toContain('2027-12-31');
    expect(datesIn(2028, usFederal)).toContain('2028-01-01');
    expect(datesIn(2028, usFederal)).not.toContain('2028-01-03');
  });

  test('a last day of the year on a Sunday is observed in the next year (31 December 2028)', () => {
    const last: Holiday[] = [{ name: 'Last day', month: 12, day: 31, observed: 'nextMonday' }];
    expect(datesIn(2028, last)).toEqual([]);
    expect(datesIn(2029, last)).toEqual(['2029-01-01', '2029-12-31']);
  });

  test.each([
    ['nearestWeekday', ['2027-12-24']],
    ['nextMonday', ['2027-12-27']],
    ['sundayToMonday', ['2027-12-25']],
  ] as const)('a Saturday by %s (25 December 2027)', (observed, expected) => {
    expect(datesIn(2027, [{ name: 'Christmas', month: 12, day: 25, observed }])).toEqual(expected);
  });

  test.each(['nearestWeekday', 'nextMonday', 'sundayToMonday'] as const)(
    'a Sunday by %s (26 January 2025)',
    (observed) => {
      const days: Holiday[] = [{ name: 'Australia Day', month: 1, day: 26, observed, alsoOnItsDate: true }];
      expect(datesIn(2025, days)).toEqual(['2025-01-26', '2025-01-27']);
    },
  );

  test('without a shift, a holiday stays on its date', () => {
    expect(datesIn(2027, [on('Christmas', 12, 25)])).toEqual(['2027-12-25']);
  });
});

describe('weekdays of a month', () => {
  test.each([
    [
      'the Tuesday after the first Monday of November',
      nth('Election Day', 11, 'monday', 1, 1),
      ['2026-11-03'],
    ],
    [
      'the day after the fourth Thursday',
      nth('Day after Thanksgiving', 11, 'thursday', 4, 1),
      ['2026-11-27'],
    ],
    ['the last Sunday of a month that ends on Saturday', nth('Last', 10, 'sunday', -1), ['2026-10-25']],
    ['the last but one Friday', nth('Last but one', 12, 'friday', -2), ['2026-12-18']],
    ['a fifth Monday that exists', nth('Fifth', 3, 'monday', 5), ['2026-03-30']],
    ['a fifth Monday that does not exist', nth('Fifth', 4, 'monday', 5), []],
  ])('%s', (_, holiday, expected) => {
    expect(datesIn(2026, [holiday])).toEqual(expected);
  });

  test('a text that is no weekday is refused', () => {
    expect(() => new HolidayCalendar([nth('Labor Day', 9, 'Mon', 1)])).toThrow('Mon is not a weekday');
  });
});

test('29 February is a date of leap years alone', () => {
  const leap = [on('Leap day', 2, 29)];
  expect(datesIn(2026, leap)).toEqual([]);
  expect(datesIn(2028, leap)).toEqual(['2028-02-29']);
});

test('proclaimed dates are those that are listed', () => {
  const calendar = new HolidayCalendar([{ name: 'Local election', dates: ['2026-11-04', '2031-05-02'] }]);
  expect(['2026-11-04', '2031-05-02', '2026-11-05'].map(calendar.isClosed)).toEqual([true, true, false]);
});

test('a decision shows the name of the holiday', () => {
  const calendar = new HolidayCalendar(usFederal);
  expect(calendar.nameOn('2026-07-03')).toBe('Independence Day');
  expect(calendar.nameOn('2026-07-04')).toBeNull();
});

// The Astronomical Almanac, and the extremes: 22 March 1818 and 25 April 1943 and 2038.
test.each([
  '1818-03-22',
  '1943-04-25',
  '2000-04-23',
  '2008-03-23',
  '2024-03-31',
  '2025-04-20',
  '2026-04-05',
  '2027-03-28',
  '2028-04-16',
  '2029-04-01',
  '2030-04-21',
  '2038-04-25',
  '2049-04-18',
  '2076-04-19',
])('Easter Sunday is %s', (date) => {
  expect(new Date(easterSunday(Number(date.slice(0, 4))) * day).toISOString().slice(0, 10)).toBe(date);
});
