import { SIMULATOR_OUTCOMES, SIMULATOR_REPORTS, type SimulatorRule } from './rules.js';

/** Rules, or a message that names the place of the first mistake, such as `rules[1].outcome: …`. */
export type ParsedSimulatorRules = { ok: true; rules: SimulatorRule[] } | { ok: false; message: string };

const LONGEST_MS = 3_600_000;

const milliseconds = {
  expected: `must be a whole number of milliseconds from 0 to ${LONGEST_MS}`,
  accepts: (value: unknown) =>
    typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= LONGEST_MS,
};

const FIELDS: Record<keyof SimulatorRule, { expected: string; accepts: (value: unknown) => boolean }> = {
  match: {
    expected: 'must be an E.164 number, or a prefix of one followed by *',
    accepts: (value) =>
      typeof value === 'string' && /^(?:\*|\+\*|\+[1-9]\d{0,14}\*|\+[1-9]\d{4,14})$/.test(value),
  },
  outcome: {
    expected: `must be one of ${Object.keys(SIMULATOR_OUTCOMES).join(', ')}`,
    accepts: (value) => typeof value === 'string' && Object.hasOwn(SIMULATOR_OUTCOMES, value),
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

/** Reads the JSON text of `SIMULATOR_RULES` or of the control endpoint; nothing at all means no rules. */
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
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) return ': must be an object';
  const given = rule as Record<string, unknown>;
  const stranger = Object.keys(given).find((key) => !Object.hasOwn(FIELDS, key));
  if (stranger !== undefined)
    return `.${stranger}: is not known; a rule has ${Object.keys(FIELDS).join(', ')}`;
  for (const [key, { expected, accepts }] of Object.entries(FIELDS)) {
    const required = key === 'match' || key === 'outcome';
    const present = Object.hasOwn(given, key);
    if (required && !present) return `.${key}: is missing`;
    if (present && !accepts(given[key])) return `.${key}: ${expected}`;
  }
  return null;
}
