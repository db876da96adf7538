import { diffsOfPage, ExtendedCopy } from './support/extended-copy.js';

/** For a compiler and a run of Jest on a busy machine. */
const PATIENCE_MS = 600_000;

let copy: ExtendedCopy;

beforeAll(async () => {
  copy = new ExtendedCopy();
  const diffs = diffsOfPage();
  expect(diffs).toHaveLength(5);
  for (const diff of diffs) await copy.apply(diff);
}, PATIENCE_MS);
afterAll(() => copy.remove());

test.each([
  ['a contact field', 'src/domain/contact-fields.ts', 5],
  ['a team setting', 'src/domain/team-settings.ts', 4],
])('%s changes few files of src/', (_, list, most) => {
  const [diff] = diffsOfPage().filter((one) => one.includes(`b/${list}`));
  expect(diff?.match(/^\+\+\+ b\/src\//gm)?.length).toBeLessThanOrEqual(most);
});

test('the examples of docs/extending.md compile, with all tests', () => copy.typeCheck(), PATIENCE_MS);

test(
  'the tests of the examples pass, and every other place shows what they add',
  () =>
    copy.test(
      [
        'test/domain/unanswered-too-often.spec.ts',
        'test/domain/guardrails.unit.spec.ts',
        'test/domain/quiet-hours.spec.ts',
        'test/contacts/contact-fields.unit.spec.ts',
        'test/teams/team-settings.unit.spec.ts',
        'test/carriers/ringline-conformance.spec.ts',
        'test/carriers/vendor-names.unit.spec.ts',
        'test/config/config.unit.spec.ts',
        'test/docs/refusals.unit.spec.ts',
      ],
      ['extended-checks', 'extended-contact-field', 'extended-team-setting'],
    ),
  PATIENCE_MS,
);
