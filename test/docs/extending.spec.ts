import { diffsOfPage, ExtendedCopy } from './support/extended-copy.js';

/** For a compiler and a run of Jest on a busy machine. */
const PATIENCE_MS = 600_000;

let copy: ExtendedCopy;

beforeAll(async () => {
  copy = new ExtendedCopy();
  const diffs = diffsOfPage();
  expect(diffs).toHaveLength(3);
  for (const diff of diffs) await copy.apply(diff);
}, PATIENCE_MS);
afterAll(() => copy.remove());

test('the examples of docs/extending.md compile, with all tests', () => copy.typeCheck(), PATIENCE_MS);

test(
  'the tests of the examples pass, and every other place shows what they add',
  () =>
    copy.test(
      [
        'test/domain/unanswered-too-often.spec.ts',
        'test/domain/guardrails.spec.ts',
        'test/domain/quiet-hours.spec.ts',
        'test/carriers/ringline-conformance.spec.ts',
        'test/carriers/vendor-names.spec.ts',
        'test/config/config.spec.ts',
        'test/docs/refusals.spec.ts',
      ],
      'extended-checks.ts',
    ),
  PATIENCE_MS,
);
