import { parseCallingHours } from '../../domain/calling-hours.js';
import {
  CALLED_PARTY,
  CONFIDENCES,
  CONSENT_LEVELS,
  type DisclosureRule,
  type FrequencyCapRule,
  type PackRule,
  PURPOSES,
  RULE_KINDS,
  type RuleHead,
  type RuleKind,
  VOICES,
} from '../../domain/compliance/pack.js';
import { MAX_DURATION_DAYS } from '../../domain/campaigns/duration.js';
import { timeZoneFault } from '../../domain/zones/time-zone.js';
import { Fields } from './fields.js';
import { windowsFault } from './windows-fault.js';
import { parseHoliday } from './parse-holiday.js';
import { PackError } from './pack-error.js';

export const ID = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const REGISTER = /^[a-z0-9]+(?:[-+][a-z0-9]+)*$/;
const LANGUAGE = /^[a-z]{2,3}(?:-[A-Z]{2})?$/;
const DISCLOSURES = ['identity', 'artificialVoice', 'recording', 'optOut'] as const;
const WINDOW_TYPES = ['rolling', 'calendarDays', 'localDay'] as const;
/** A sentence that is spoken in a call. */
const MAX_TEXT = 300;

/** The facts of a call reach back as far as a cap of a campaign can ({@link MAX_DURATION_DAYS}), and no further. */
const LONGEST_DAYS = MAX_DURATION_DAYS;

type WithoutHead<Rule> = Rule extends PackRule ? Omit<Rule, keyof RuleHead> : never;
type Value = WithoutHead<PackRule>;

/**
 * A rule as a pack's file has it. Dates that are missing are open.
 *
 * @param file where it stands, for messages.
 * @throws PackError naming the file, the rule and the field.
 */
export function parseRule(input: unknown, file: string, index: number): PackRule {
  const where = `${file}: rules[${index}]`;
  const id = Fields.of(input, where).text('id', ID, 'must be lower-case words with - between');
  const fields = Fields.of(input, `${file}: ${id}`);
  fields.take('id');
  const kind = fields.oneOf('kind', RULE_KINDS);
  const head = headOf(fields, id, kind);
  const value = valueOf(fields, kind);
  fields.end();
  return { ...head, ...value };
}

function headOf(fields: Fields, id: string, kind: RuleKind): RuleHead {
  const appliesTo = fields.object('appliesTo');
  const source = fields.object('source');
  const head: RuleHead = {
    id,
    appliesTo: { purpose: appliesTo.someOf('purpose', PURPOSES), voice: appliesTo.someOf('voice', VOICES) },
    effectiveFrom: fields.optionalDate('effectiveFrom'),
    effectiveTo: fields.optionalDate('effectiveTo'),
    unless: fields.optionalOneOf('unless', CONSENT_LEVELS),
    citation: fields.text('citation'),
    source: {
      url: source.text('url', /^https?:\/\/\S+$/, 'must be an address http(s)://…'),
      readOn: source.date('readOn'),
    },
    confidence: fields.oneOf('confidence', CONFIDENCES),
    note: fields.optionalText('note'),
  };
  appliesTo.end();
  source.end();
  if (head.effectiveFrom !== null && head.effectiveTo !== null && head.effectiveTo < head.effectiveFrom)
    throw fields.fault('effectiveTo', 'must not be before effectiveFrom');
  if (head.unless !== null && (kind === 'callingHours' || kind === 'closedDates'))
    throw fields.fault('unless', `is not for ${kind}: a consent never widens when calls may be placed`);
  if (kind === 'suspension' && head.effectiveTo === null)
    throw fields.fault('effectiveTo', 'must be set: a suspension expires');
  return head;
}

function valueOf(fields: Fields, kind: RuleKind): Value {
  switch (kind) {
    case 'callingHours':
      return { kind, clock: clockOf(fields), hours: hoursOf(fields) };
    case 'closedDates':
      return {
        kind,
        days: fields.list('days').map((day, index) => parseHoliday(day, `${fields.where}: days[${index}]`)),
      };
    case 'frequencyCap':
      return { kind, max: fields.whole('max', 1, 1_000), window: capWindowOf(fields) };
    case 'coolOff':
      return { kind, days: fields.whole('days', 1, LONGEST_DAYS) };
    case 'consentRequired':
      return { kind, level: fields.oneOf('level', CONSENT_LEVELS) };
    case 'registerScrub':
      return {
        kind,
        register: fields.text('register', REGISTER, 'must be the name of a register, such as us-ftc-dnc'),
        maxAgeDays: fields.optionalWhole('maxAgeDays', 1, 3_650),
      };
    case 'disclosure':
      return { kind, disclosure: fields.oneOf('disclosure', DISCLOSURES), texts: textsOf(fields) };
    case 'prohibition':
    case 'suspension':
      return { kind, what: fields.text('what') };
  }
}

function clockOf(fields: Fields): string {
  const clock = fields.text('clock');
  const fault = clock === CALLED_PARTY ? null : timeZoneFault(clock);
  if (fault !== null) throw fields.fault('clock', `must be ${CALLED_PARTY}, or a zone: it ${fault}`);
  return clock;
}

function hoursOf(fields: Fields) {
  const hours = parseCallingHours(fields.take('hours'), `${fields.where}: hours`);
  if (!hours.ok) throw new PackError(hours.message);
  if (hours.value === null) throw fields.fault('hours', 'must be an object of weekdays');
  const fault = windowsFault(hours.value);
  if (fault !== null) throw new PackError(`${fields.where}: hours.${fault}`);
  return hours.value;
}

function capWindowOf(fields: Fields): FrequencyCapRule['window'] {
  const window = fields.object('window');
  const length = window.whole('length', 1, 3_650);
  const unit = window.oneOf('unit', ['hours', 'days']);
  const type = window.oneOf('type', WINDOW_TYPES);
  window.end();
  if (unit === 'days' && length > LONGEST_DAYS)
    throw window.fault('length', `must be at most ${LONGEST_DAYS} where unit is days`);
  if (type !== 'rolling' && unit !== 'days') throw window.fault('unit', `must be days where type is ${type}`);
  if (type === 'localDay' && length !== 1) throw window.fault('length', 'must be 1 where type is localDay');
  return { length, unit, type };
}

function textsOf(fields: Fields): DisclosureRule['texts'] {
  const texts = fields.entries('texts').map(([language, text]): [string, string] => {
    if (!LANGUAGE.test(language)) throw fields.fault('texts', 'must be by language, such as en or pt-BR');
    if (typeof text !== 'string' || text.trim() === '' || text.length > MAX_TEXT || text.includes('\n'))
      throw fields.fault(`texts.${language}`, `must be a sentence of at most ${MAX_TEXT} characters`);
    return [language, text];
  });
  if (!texts.some(([language]) => language === 'en')) throw fields.fault('texts', 'must have one in en');
  return Object.fromEntries(texts);
}
