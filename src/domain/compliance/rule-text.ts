import { type CallingHours, type CallingWindow, type Weekday, weekdays } from '../calling-hours.js';
import {
  CALLED_PARTY,
  type FrequencyCapRule,
  type Holiday,
  type ObservedShift,
  type PackRule,
} from './pack.js';

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);
const NTH = ['first', 'second', 'third', 'fourth', 'fifth'];
const OBSERVED: Readonly<Record<ObservedShift, string>> = {
  nearestWeekday: 'if on a weekend on the nearest weekday',
  nextMonday: 'if on a weekend on the next Monday',
  sundayToMonday: 'if on a Sunday on the next Monday',
};
const SAID: Readonly<Record<string, string>> = {
  identity: 'who is calling',
  artificialVoice: 'that the voice is artificial',
  recording: 'that the call is recorded',
  optOut: 'how to get no further calls',
};

/** What a rule says, in English sentences, for pages. */
export function ruleText(rule: PackRule): string {
  const lifted =
    rule.unless === null
      ? ''
      : ` ${rule.unless === 'express' ? 'An express' : 'A written'} consent on file lifts it.`;
  return `${valueText(rule)}${lifted}`;
}

function valueText(rule: PackRule): string {
  switch (rule.kind) {
    case 'callingHours': {
      const clock = rule.clock === CALLED_PARTY ? 'the called person’s clock' : `the clock of ${rule.clock}`;
      return `Calls only at these times, by ${clock}: ${hoursText(rule.hours)}.`;
    }
    case 'closedDates':
      return `No calls on ${rule.days.map(holidayText).join('; ')}.`;
    case 'frequencyCap':
      return `At most ${counted(rule.max, 'call')} to a person ${windowText(rule.window)}.`;
    case 'coolOff':
      return `After a conversation, no call for ${counted(rule.days, 'day')}, the day of the conversation included.`;
    case 'consentRequired':
      return `Calls need an earlier ${rule.level === 'express' ? 'express' : 'express written'} consent.`;
    case 'registerScrub': {
      const age = rule.maxAgeDays === null ? '' : ` of at most ${counted(rule.maxAgeDays, 'day')}`;
      return `No calls to numbers in the register ${rule.register}, which is looked up in a copy${age}.`;
    }
    case 'disclosure':
      return `The call says ${SAID[rule.disclosure]}.`;
    case 'prohibition':
      return `Forbidden: ${rule.what}`;
    case 'suspension':
      return `Suspended: ${rule.what}`;
  }
}

/** `Monday to Friday 09:00–20:00; Saturday 10:00–17:00; not on Sunday`. */
export function hoursText(hours: NonNullable<CallingHours>): string {
  const groups: { days: Weekday[]; times: string }[] = [];
  for (const day of weekdays) {
    const times = (hours[day] ?? []).map(timesText).join(' and ');
    const last = groups.at(-1);
    if (last?.times === times) last.days.push(day);
    else groups.push({ days: [day], times });
  }
  return groups
    .map(({ days, times }) => (times === '' ? `not on ${daysText(days)}` : `${daysText(days)} ${times}`))
    .join('; ');
}

function timesText({ start, end }: CallingWindow): string {
  const endsDay = end === '24:00' || end === '00:00';
  if (endsDay && start === '00:00') return 'all day';
  return `${start}–${endsDay ? '24:00' : end}${end < start && !endsDay ? ' the next day' : ''}`;
}

function daysText(days: readonly Weekday[]): string {
  if (days.length === weekdays.length) return 'every day';
  const [first = '', last = ''] = [days[0], days.at(-1)].map((day = 'monday') => capital(day));
  return days.length === 1 ? first : `${first} ${days.length === 2 ? 'and' : 'to'} ${last}`;
}

function holidayText(day: Holiday): string {
  if ('dates' in day) return `${day.name} (${day.dates.join(', ')})`;
  if ('easter' in day) return `${day.name} (${easterText(day.easter)})`;
  const month = MONTHS[day.month - 1];
  if ('weekday' in day) {
    const nth = day.nth < 0 ? lastText(-day.nth) : NTH[day.nth - 1];
    const offset =
      day.offset === undefined || day.offset === 0
        ? ''
        : `${counted(Math.abs(day.offset), 'day')} ${day.offset > 0 ? 'after' : 'before'} `;
    return `${day.name} (${offset}the ${nth} ${capital(day.weekday)} of ${month})`;
  }
  const observed = day.observed === undefined ? '' : `, ${OBSERVED[day.observed]}`;
  return `${day.name} (${day.day} ${month}${observed}${day.alsoOnItsDate === true ? ' as well' : ''})`;
}

const lastText = (fromEnd: number) => (fromEnd === 1 ? 'last' : `${NTH[fromEnd - 1]} last`);

function easterText(distance: number): string {
  if (distance === 0) return 'Easter Sunday';
  return `${counted(Math.abs(distance), 'day')} ${distance > 0 ? 'after' : 'before'} Easter Sunday`;
}

function windowText({ length, unit, type }: FrequencyCapRule['window']): string {
  if (type === 'rolling') return `in ${counted(length, unit.slice(0, -1))}`;
  if (type === 'localDay') return 'on one day of the called person';
  return `in ${counted(length, 'calendar day')}, that of the call included`;
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
