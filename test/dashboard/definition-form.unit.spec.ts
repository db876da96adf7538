import fc from 'fast-check';
import { DEFINITION_EXAMPLE, DEFINITION_SCHEMA } from '../../src/campaigns/definition/definition.schema.js';
import { controlAt, controlsOf, definitionErrors } from '../../src/dashboard/versions/controls.js';
import { definitionOf, formOf } from '../../src/dashboard/versions/definition-form.js';
import { differencesOf } from '../../src/dashboard/versions/differences.js';
import { edited, newStep, openAfter } from '../../src/dashboard/versions/edits.js';
import { durationText, isoDuration } from '../../src/dashboard/campaigns/typed-values.js';
import { weekdays } from '../../src/domain/calling-hours.js';
import {
  COMPLETED_REASONS,
  RETRY_OUTCOMES,
  STEP_OUTCOMES,
} from '../../src/domain/campaigns/definition/definition.js';
import { definitionFaults } from '../../src/domain/campaigns/definition/definition-faults.js';
import { parseDefinition } from '../../src/domain/campaigns/definition/parse-definition.js';
import { type JsonSchema } from '../../src/http/json-schema.js';
import { problemOf } from '../../src/http/app-error.js';

const RUNS = { numRuns: 300, seed: 7 };

const digits = fc.nat({ max: 40 });
const duration = fc
  .tuple(...Array.from({ length: 5 }, () => fc.option(digits)))
  .map(([w, d, h, m, s]) => {
    const part = (value: number | null | undefined, unit: string) => (value == null ? '' : `${value}${unit}`);
    const time = part(h, 'H') + part(m, 'M') + part(s, 'S');
    return `P${part(w, 'W')}${part(d, 'D')}${time && `T${time}`}`;
  })
  .filter((iso) => iso !== 'P');
const lasting = duration.filter((iso) => /[1-9]/.test(iso));
const disposition = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 20 })
  .filter((text) => /^(?=.*\S).{1,80}$/su.test(text));
const text = fc.string({ unit: 'binary', maxLength: 30 });
const json = fc.jsonValue({ maxDepth: 2 });
const object = fc.dictionary(text, json, { maxKeys: 4 });
const clock = (hour: number) =>
  fc
    .tuple(fc.integer({ min: hour, max: hour + 11 }), fc.constantFrom('00', '05', '59'))
    .map(([h, m]) => `${String(h).padStart(2, '0')}:${m}`);
const windows = fc.array(fc.record({ start: clock(0), end: clock(12) }), { minLength: 1, maxLength: 3 });
const hours = fc.dictionary(fc.constantFrom(...weekdays), windows, { minKeys: 1 });
const date = fc.constantFrom('2027-01-01', '2027-12-25', '2028-02-29');
const count = fc.integer({ min: 1, max: 100 });
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 });

const callback = disposition.map((one) => ({ disposition: one, callback: true }));
const route = (later: readonly string[]) => fc.oneof({ weight: 4, arbitrary: plainRoute(later) }, callback);
const plainRoute = (later: readonly string[]) =>
  fc
    .record({
      when: fc.oneof(
        fc.constantFrom(...STEP_OUTCOMES).map((outcome) => ({ outcome })),
        disposition.map((one) => ({ disposition: one })),
      ),
      then: fc.oneof(
        fc.constant({ goal: true }),
        fc.constantFrom(...COMPLETED_REASONS).map((end) => ({ end })),
        ...(later.length === 0 ? [] : [fc.constantFrom(...later).map((next) => ({ next }))]),
      ),
    })
    .map(({ when, then }) => ({ ...when, ...then }));

const KEYS = ['first', 'second', '3', 'a-b_c'];
const step = (index: number) =>
  fc
    .record({
      agentId: fc.uuid(),
      after: optional(duration),
      maxAttempts: optional(count),
      retry: optional(
        fc.dictionary(fc.constantFrom(...RETRY_OUTCOMES), fc.array(duration, { maxLength: 4 }), {
          maxKeys: 4,
        }),
      ),
      on: optional(fc.array(route(KEYS.slice(index + 1)), { maxLength: 4 })),
    })
    .map((fields) => ({ key: KEYS[index], ...fields }));

const definition = fc
  .record({
    note: optional(
      fc.oneof(
        text.filter((note) => note !== ''),
        object,
      ),
    ),
    steps: fc
      .nat({ max: KEYS.length })
      .chain((steps) => fc.tuple(...KEYS.slice(0, steps).map((_, n) => step(n)))),
    variables: optional(object),
    hours: optional(fc.oneof(hours, fc.constant(null))),
    closedDates: optional(fc.array(date, { maxLength: 3 })),
    caps: optional(
      fc.record({
        maxAttempts: optional(count),
        perNumber: optional(fc.array(fc.record({ count, per: lasting }), { maxLength: 3 })),
        afterConversation: optional(duration),
        lifetime: optional(lasting),
      }),
    ),
  })
  .map((fields) => JSON.parse(JSON.stringify(fields)) as Record<string, unknown>)
  .filter((one) => parseDefinition(one).ok);

/** What a definition means: an outcome without delays is not listed. */
function meaningOf(value: unknown): unknown {
  const parsed = parseDefinition(value);
  if (!parsed.ok) throw new Error(parsed.message);
  const { note } = value as { note?: unknown };
  const steps = parsed.value.steps.map((one) => ({
    ...one,
    retry: Object.fromEntries(Object.entries(one.retry).filter(([, delays]) => delays.length > 0)),
  }));
  return { ...parsed.value, steps, note: note ?? null };
}

test('a definition that was filled into the form and read from it means the same', () => {
  fc.assert(
    fc.property(definition, (one) => {
      const form = formOf(one);
      const read = definitionOf(form);
      expect(meaningOf(read)).toEqual(meaningOf(one));
      // Once in its shortest form, it stays as it is.
      expect(definitionOf(formOf(read))).toEqual(read);
    }),
    RUNS,
  );
});

test('durations have one spelling in the form, and both are read', () => {
  fc.assert(
    fc.property(duration, (iso) => isoDuration(durationText(iso)) === iso),
    RUNS,
  );
  expect(durationText('P1DT12H')).toBe('1d 12h');
  expect(isoDuration(' 90M ')).toBe('PT90M');
  expect(isoDuration('p2w')).toBe('P2W');
  expect(isoDuration('soon')).toBe('SOON');
});

/** The paths of a schema's values, such as `steps[0].retry.busy[0]`. */
function pathsOf(schema: JsonSchema, path = ''): string[] {
  if (schema.properties !== undefined)
    return Object.entries(schema.properties).flatMap(([key, one]) =>
      pathsOf(one, path === '' ? key : `${path}.${key}`),
    );
  if (schema.items !== undefined) return pathsOf(schema.items, `${path}[0]`);
  return [path];
}

const full = formOf({
  steps: [{ key: 'a', agentId: '', on: [{ outcome: 'completed', goal: true }] }],
  caps: { perNumber: [{ count: 1, per: 'P1D' }] },
});

test('every field of a definition has a control', () => {
  const controls = controlsOf(full);
  const paths = pathsOf(DEFINITION_SCHEMA);
  expect(paths.length).toBeGreaterThan(30);
  expect(paths.filter((path) => !controls.includes(controlAt(path) ?? ''))).toEqual([]);
  // A field that the form does not have is found.
  const more = { ...DEFINITION_SCHEMA.properties, priority: { type: 'integer' } as const };
  const missing = pathsOf({ properties: more }).filter((path) => controlAt(path) === null);
  expect(missing).toEqual(['priority']);
});

test('every control edits a field, so that no typed value is lost', () => {
  const edits = new Set(pathsOf(DEFINITION_SCHEMA).map((path) => controlAt(path)));
  expect(controlsOf(full).filter((name) => !edits.has(name))).toEqual([]);
});

test.each([
  [
    'steps[1].retry.busy[0] must be …',
    'steps.1.retry.busy',
    'Step 2, retries after “Busy”, delay 1 must be …',
  ],
  ['steps[0].on[2].goal must be true', 'steps.0.on.2.then', 'Step 1, route 3, then must be true'],
  [
    'steps[0].on[2] must have exactly one condition',
    'steps.0.on.2.when',
    'Step 1, route 3 must have exactly',
  ],
  ['hours.monday[0].start must be a time', 'hours.monday', 'Monday, window 1 must be a time'],
  ['hours never open', 'hours.monday', 'Calling hours never open'],
  ['closedDates[1] must be a date', 'closedDates', 'Closed date 2 must be a date'],
  ['caps.perNumber[0].per must be', 'caps.perNumber.0.per', 'Limit 1 of calls to a number must be'],
  ['caps.lifetime must be longer', 'caps.lifetime', 'Lifetime of an enrollment must be longer'],
  ['priority is not known here', 'definition', 'priority is not known here'],
])('the fault “%s” is said at %s', (fault, control, message) => {
  const errors = definitionErrors([problemOf(`definition.${fault}`)], false);
  expect(Object.keys(errors)).toEqual([control]);
  expect(errors[control]).toContain(message);
});

test('each part of a definition has its fault, and a valid one has none', () => {
  expect(definitionFaults(DEFINITION_EXAMPLE)).toEqual([]);
  const [first, second] = DEFINITION_EXAMPLE.steps;
  const faults = definitionFaults({
    ...DEFINITION_EXAMPLE,
    steps: [
      { ...first, maxAttempts: 'many', retry: { busy: ['soon'] } },
      { ...second, key: 'first', after: '' },
    ],
    caps: { lifetime: 'PT0S', maxAttempts: 0 },
  });
  expect(faults.map((fault) => problemOf(fault).path)).toEqual([
    'steps[0].maxAttempts',
    'steps[0].retry.busy[0]',
    'steps[1].after',
    'caps.lifetime',
    'caps.maxAttempts',
  ]);
  const twice = definitionFaults({ steps: [first, { ...second, key: 'first' }] });
  expect(twice).toEqual(['steps[1].key is the key of steps[0] too']);
});

test('the buttons add, remove and move steps, routes and limits, and nothing else', () => {
  const form = formOf(DEFINITION_EXAMPLE);
  const keysAfter = (button: string) => edited(form, button)?.steps.map(({ key }) => key);
  expect(keysAfter('steps.1.up')).toEqual(['second', 'first']);
  expect(keysAfter('steps.0.up')).toEqual(['first', 'second']);
  expect(keysAfter('steps.0.down')).toEqual(['second', 'first']);
  expect(keysAfter('steps.0.remove')).toEqual(['second']);
  expect(keysAfter('steps.add')).toEqual(['first', 'second', 'step-3']);
  expect(edited(form, 'steps.0.on.add')?.steps[0]?.on).toHaveLength(3);
  expect(edited(form, 'steps.0.on.0.down')?.steps[0]?.on[0]?.then).toBe('next');
  expect(edited(form, 'caps.perNumber.add')?.caps.perNumber).toHaveLength(2);
  expect(edited(form, 'caps.perNumber.0.remove')?.caps.perNumber).toHaveLength(0);
  for (const button of ['save', '', 'steps', 'steps.0.sideways', 'caps.0.remove'])
    expect(edited(form, button)).toBeNull();
  expect(newStep([], 'x').after).toBe('');
  expect(keysAfter('steps.1.open')).toEqual(['first', 'second']);
  const opened = [
    'steps.1.up',
    'steps.0.up',
    'steps.0.down',
    'steps.1.remove',
    'steps.add',
    'steps.1.on.add',
  ];
  expect(opened.map((button) => openAfter(form, button, 5))).toEqual([0, 0, 1, 0, 2, 1]);
  expect(openAfter(form, 'caps.perNumber.add', 5)).toBe(5);
});

test('the difference of two definitions is told part by part', () => {
  const [first, second] = DEFINITION_EXAMPLE.steps;
  const after = {
    ...DEFINITION_EXAMPLE,
    steps: [
      { ...second, after: 'P2D' },
      { ...first, retry: { busy: ['PT13H'] }, on: [] },
    ],
    variables: { offer: 'autumn' },
    hours: { monday: [{ start: '09:00', end: '12:00' }] },
    caps: undefined,
  };
  const parts = differencesOf(DEFINITION_EXAMPLE, after, () => 'Agent');
  expect(Object.fromEntries(parts.map(({ part, ...one }) => [part, [one.before, one.after]]))).toEqual({
    'Order of the steps': ['first, second', 'second, first'],
    'Step “second”, wait before the first call': ['3d', '2d'],
    'Step “first”, retries after “No answer”': ['16h, 1d', ''],
    'Step “first”, what follows': ['completed: ends reached; no response: step second', ''],
    'Calls of one enrollment, at most': ['6', ''],
    'Lifetime of an enrollment': ['14d', ''],
    'Limits of calls to a number': ['2 in 24h', ''],
    Monday: ['', '09:00-12:00'],
    'Variable “offer”': ['', 'autumn'],
  });
  expect(differencesOf(after, after, () => '')).toEqual([]);
});
