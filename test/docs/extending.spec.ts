import { diffsOfPage, ExtendedCopy } from './support/extended-copy.js';

/** For a compiler and a run of Jest on a busy machine. */
const PATIENCE_MS = 600_000;

let copy: ExtendedCopy;

beforeAll(async () => {
  copy = new ExtendedCopy();
  const diffs = diffsOfPage();
  expect(diffs).toHaveLength(4);
  for (const diff of diffs) await copy.apply(diff);
}, PATIENCE_MS);
afterAll(() => copy.remove());

test('a contact field changes at most five files of src/', () => {
  const [field] = diffsOfPage().filter((diff) => diff.includes('b/src/domain/contact-fields.ts'));
  expect(field?.match(/^\+\+\+ b\/src\//gm)?.length).toBeLessThanOrEqual(5);
});

test('the examples of docs/extending.md compile, with all tests', () => copy.typeCheck(), PATIENCE_MS);

test(
  'the tests of the examples pass, and every other place shows what they add',
  () =>
    copy.test(
      [
        'test/domain/unanswered-too-often.spec.ts',
        'test/domain/guardrails.spec.ts',
        'test/domain/quiet-hours.spec.ts',
        'test/contacts/contact-fields.spec.ts',
        'test/contacts/job-title.spec.ts',
        'test/carriers/ringline-conformance.spec.ts',
        'test/carriers/vendor-names.spec.ts',
        'test/config/config.spec.ts',
        'test/docs/refusals.spec.ts',
      ],
      'extended-checks.ts',
    ),
  PATIENCE_MS,
);
