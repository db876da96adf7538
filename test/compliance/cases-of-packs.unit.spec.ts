import fc from 'fast-check';
import { HolidayCalendar } from '../../src/domain/compliance/holidays.js';
import { isOpenInAll } from '../../src/domain/compliance/lawful-hours.js';
import { ruleText } from '../../src/domain/compliance/rule-text.js';
import { offsetMs } from '../../src/domain/zones/time-zone.js';
import { HOLIDAYS_OF_2026 } from './cases/holidays-of-2026.js';
import { HOURS_OF_PACKS } from './cases/hours-of-packs.js';
import { VALUES_OF_RULES, WARNING_RULES } from './cases/values-of-packs.js';
import { lawfulHoursOf } from './support/lawful-hours-of.js';
import { SHIPPED } from './support/shipped-packs.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
const RULES = SHIPPED.all.flatMap(({ rules }) => rules);

const named = HOURS_OF_PACKS.map((place) => {
  const { pack, zones, purpose = 'marketing', voice = 'ai' } = place;
  return [`${pack}, ${purpose} by ${voice}, in ${zones.join(' or ')}`, place] as const;
});

test.each(named)('%s: the hours are those of the law', (_, place) => {
  const { cases } = place;
  const list = lawfulHoursOf(place);
  const found = cases.map(({ at, why }) => ({ at, open: isOpenInAll(list, new Date(at)), why }));
  expect(found).toEqual(cases);
});

test('the local times of the table have the offset that one of the zones has then', () => {
  const offsetOf = (at: string) => {
    const [, sign, hours = '', minutes = ''] = /([+-])(\d\d):(\d\d)$/.exec(at) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE;
  };
  const wrong = HOURS_OF_PACKS.flatMap(({ zones, cases }) =>
    cases
      .filter(({ at }) => !zones.some((zone) => offsetMs(zone, Date.parse(at)) === offsetOf(at)))
      .map(({ at }) => `${zones.join()}: ${at}`),
  );
  expect(wrong).toEqual([]);
});

test('every shipped pack has cases of its hours', () => {
  const covered = new Set(HOURS_OF_PACKS.map(({ pack }) => pack));
  expect(SHIPPED.all.map(({ pack }) => pack).filter((pack) => !covered.has(pack))).toEqual([]);
});

test.each(VALUES_OF_RULES)('$rule says what its law says, from its first to its last day', (value) => {
  const rule = RULES.find(({ id }) => id === value.rule)!;
  expect(ruleText(rule)).toBe(value.says);
  expect([rule.effectiveFrom, rule.effectiveTo]).toEqual([value.holdsFrom ?? null, value.holdsTo ?? null]);
  const holdsOn = (date: string) =>
    SHIPPED.inForce(SHIPPED.all, date).some((found) => found.rule.id === value.rule);
  if (value.holdsFrom !== undefined)
    expect([dayAfter(value.holdsFrom, -1), value.holdsFrom].map(holdsOn)).toEqual([false, true]);
  if (value.holdsTo !== undefined)
    expect([value.holdsTo, dayAfter(value.holdsTo, 1)].map(holdsOn)).toEqual([true, false]);
});

test('every rule that is enforced and no hours has a case, and those that warn are as listed', () => {
  const sure = RULES.filter(({ confidence }) => confidence === 'high');
  const others = sure.filter(({ kind }) => kind !== 'callingHours' && kind !== 'closedDates');
  expect(others.map(({ id }) => id).sort()).toEqual(VALUES_OF_RULES.map(({ rule }) => rule).sort());
  expect(
    RULES.filter((rule) => !sure.includes(rule))
      .map(({ id }) => id)
      .sort(),
  ).toEqual(WARNING_RULES);
});

test.each(HOLIDAYS_OF_2026)('%s: its days of 2026 are those of %s', (id, _, dates) => {
  const rule = RULES.find((one) => one.id === id);
  if (rule?.kind !== 'closedDates') throw new Error(`${id} is no rule of closed dates`);
  const calendar = new HolidayCalendar(rule.days);
  const days = Array.from({ length: 365 }, (_day, index) => dayAfter('2026-01-01', index));
  expect(
    days
      .filter(calendar.isClosed)
      .map((date) => date.slice(5))
      .join(' '),
  ).toBe(dates);
});

test('Italy has a rule for each weekday before a holiday to the end of 2028', () => {
  const holidays = RULES.filter(({ id }) => ['it-holidays', 'it-san-francesco'].includes(id)).map(
    (rule) => new HolidayCalendar(rule.kind === 'closedDates' ? rule.days : []),
  );
  const isHoliday = (date: string) => holidays.some(({ isClosed }) => isClosed(date));
  const isWeekday = (date: string) => ![0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());
  const first = '2026-11-28';
  const days = Array.from({ length: 765 }, (_day, index) => dayAfter(first, index));
  const eves = days.filter((date) => isWeekday(date) && !isHoliday(date) && isHoliday(dayAfter(date, 1)));
  const rules = RULES.filter(({ id }) => id.startsWith('it-eve-'));
  expect(days.at(-1)).toBe('2028-12-31');
  expect(rules.map(({ id }) => id)).toEqual(eves.map((date) => `it-eve-${date}`));
  expect(rules.map(({ effectiveFrom, effectiveTo }) => [effectiveFrom, effectiveTo])).toEqual(
    eves.map((date) => [date, date]),
  );
});

test.each(named)('%s: opens at least once in any week', (_, place) => {
  const list = lawfulHoursOf(place);
  const quarters = 7 * 24 * 4;
  const opensFrom = (start: number) =>
    Array.from({ length: quarters }, (_quarter, index) => start + index * 15 * MINUTE).some((instant) =>
      isOpenInAll(list, new Date(instant)),
    );
  const day = fc.integer({ min: Date.UTC(2026, 0, 1) / DAY, max: Date.UTC(2031, 0, 1) / DAY });
  fc.assert(
    fc.property(day, (date) => opensFrom(date * DAY)),
    { examples: [[Date.UTC(2026, 11, 25) / DAY], [Date.UTC(2027, 2, 25) / DAY]], numRuns: 30 },
  );
});

function dayAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);
}
