import { CHANCE_NAMES, faultOfChances, MAX_SEED } from '../../domain/drawn-outcome.js';
import { SIMULATOR_OUTCOMES, SIMULATOR_REPORTS, type SimulatorResult, type SimulatorRule } from './rules.js';
import { TEST_DESTINATIONS } from './test-destinations.js';

/** Rules, or a message that names the place of the first mistake, such as `rules[1].outcome: …`. */
export type ParsedSimulatorRules = { ok: true; rules: SimulatorRule[] } | { ok: false; message: string };

const LONGEST_MS = 3_600_000;
const MOST_OUTCOMES = 100;
const OUTCOME_NAMES = Object.keys(SIMULATOR_OUTCOMES).join(', ');

type Field = { expected: string; accepts: (value: unknown) => boolean };

const milliseconds: Field = {
  expected: `must be a whole number of milliseconds from 0 to ${LONGEST_MS}`,
  accepts: (value: unknown) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= LONGEST_MS,
};

const isOutcome = (value: unknown) => typeof value === 'string' && Object.hasOwn(SIMULATOR_OUTCOMES, value);

const RESULT_FIELDS: Record<keyof SimulatorResult, (value: unknown) => boolean> = {
  disposition: (value) => typeof value === 'string' && /^(?=.*\S).{1,80}$/su.test(value),
  callbackAt: (value) =>
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/.test(value) &&
    !Number.isNaN(Date.parse(value)),
  optOut: (value) => typeof value === 'boolean',
};

const FIELDS: Record<keyof SimulatorRule, Field> = {
  match: {
    expected: 'must be an E.164 number, or a prefix of one followed by *',
    accepts: (value) =>
      typeof value === 'string' && /^(?:\*|\+\*|\+[1-9]\d{0,14}\*|\+[1-9]\d{4,14})$/.test(value),
  },
  outcome: { expected: `must be one of ${OUTCOME_NAMES}`, accepts: isOutcome },
  outcomes: {
    expected: `must be a list of 1 to ${MOST_OUTCOMES} of ${OUTCOME_NAMES}`,
    accepts: (value) =>
      Array.isArray(value) && value.length >= 1 && value.length <= MOST_OUTCOMES && value.every(isOutcome),
  },
  assume: {
    expected: `must be an object of ${CHANCE_NAMES.join(', ')}, each from 0 to 1, that add up to at most 1; the rest is failed`,
    accepts: (value) =>
      isObject(value) &&
      Object.keys(value).every((key) => CHANCE_NAMES.some((name) => name === key)) &&
      faultOfChances(value) === undefined,
  },
  seed: {
    expected: `must be a whole number from 0 to ${MAX_SEED}`,
    accepts: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  },
  result: {
    expected:
      'must be an object of disposition (1 to 80 characters), callbackAt (a date-time with an offset) and optOut',
    accepts: (value) =>
      isObject(value) &&
      Object.entries(value).every(
        ([key, sent]) =>
          Object.hasOwn(RESULT_FIELDS, key) && RESULT_FIELDS[key as keyof SimulatorResult](sent),
      ),
  },
  acceptMs: milliseconds,
  ringMs: milliseconds,
  talkMs: milliseconds,
  retryAfterMs: milliseconds,
  reports: {
    expected: `must be one of ${SIMULATOR_REPORTS.join(', ')}`,
    accepts: (value) => SIMULATOR_REPORTS.some((known) => known === value),
  },
  listed: { expected: 'must be true or false', accepts: (value) => typeof value === 'boolean' },
};

/** A rule has exactly one of these fields. */
const DECIDING = ['outcome', 'outcomes', 'assume'] as const;

/**
 * The rules of a deployment.
 *
 * @param text the value of `SIMULATOR_RULES`; undefined or blank: the rules of the test destinations apply.
 */
export function configuredRules(text: string | undefined): ParsedSimulatorRules {
  if (text === undefined || text.trim() === '') return { ok: true, rules: [...TEST_DESTINATIONS] };
  return parseSimulatorRules(text);
}

/** Reads the JSON text of rules; a blank text means no rules. */
export function parseSimulatorRules(text: string): ParsedSimulatorRules {
  if (text.trim() === '') return { ok: true, rules: [] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {
      ok: false,
      message: `rules: not JSON: ${error instanceof Error ? error.message : 'unreadable'}`,
    };
  }
  if (!Array.isArray(value)) return { ok: false, message: 'rules: must be a JSON array' };
  const rules: unknown[] = value;
  for (const [index, rule] of rules.entries()) {
    const mistake = mistakeIn(rule);
    if (mistake !== null) return { ok: false, message: `rules[${index}]${mistake}` };
  }
  return { ok: true, rules: rules as SimulatorRule[] };
}

function mistakeIn(rule: unknown): string | null {
  if (!isObject(rule)) return ': must be an object';
  const stranger = Object.keys(rule).find((key) => !Object.hasOwn(FIELDS, key));
  if (stranger !== undefined)
    return `.${stranger}: is not known; a rule has ${Object.keys(FIELDS).join(', ')}`;
  const [decides, another] = DECIDING.filter((key) => Object.hasOwn(rule, key));
  if (another !== undefined) return `.${another}: cannot stand beside ${decides}`;
  if (Object.hasOwn(rule, 'seed') && decides !== 'assume') return '.seed: stands beside assume';
  for (const [key, { expected, accepts }] of Object.entries(FIELDS)) {
    const required = key === 'match' || (key === 'outcome' && decides === undefined);
    const present = Object.hasOwn(rule, key);
    if (required && !present) return `.${key}: is missing`;
    if (present && !accepts(rule[key])) return `.${key}: ${expected}`;
  }
  return null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
