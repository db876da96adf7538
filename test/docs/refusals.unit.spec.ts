import { REFUSALS } from '../../src/calls/trigger/refusals.js';
import { GUARDRAIL_REASONS, guardrailOf } from '../../src/domain/guardrails/guardrails.js';
import { read } from '../support/repository.js';

const page = read('docs/api.md');

/** A reason as the page shows it: one that stands in two rows is there twice. */
interface DocumentedRefusal {
  reason: string;
  status: number;
  guardrail: boolean;
  retryable: boolean;
}

const byReason = (a: DocumentedRefusal, b: DocumentedRefusal) => a.reason.localeCompare(b.reason);

/** The text between a heading and the next one. */
function sectionOf(heading: string): string {
  return page.split(`\n## ${heading}\n`)[1]?.split('\n## ', 1)[0] ?? '';
}

/** The reasons of the table that begins with the columns `status` and `reason`. */
function documentedRefusals(): DocumentedRefusal[] {
  const [, table = ''] =
    /^\| status \| reason .*\n\|[-| ]+\n((?:\|.*\n)+)/m.exec(sectionOf('Refusals')) ?? [];
  return [...table.matchAll(/^\| (\d{3}) +\| ([^|]+)\|/gm)].flatMap(([, status, reasons = '']) =>
    [...reasons.matchAll(/`(\w+)`( ●)?( ↻)?/g)].map(([, reason = '', guardrail, retryable]) => ({
      reason,
      status: Number(status),
      guardrail: guardrail !== undefined,
      retryable: retryable !== undefined,
    })),
  );
}

test('the table of refusals in docs/api.md has every reason with its status and its marks', () => {
  const refusals = Object.entries(REFUSALS).map(([reason, { status, retryable }]) => ({
    reason,
    status,
    guardrail: guardrailOf(reason) !== undefined,
    retryable,
  }));
  expect(documentedRefusals().sort(byReason)).toEqual(refusals.sort(byReason));
});

test('docs/api.md names the guardrails in their order', () => {
  const [, order = ''] = /The order is: ([^.]+)\./.exec(sectionOf('Guardrails')) ?? [];
  expect([...order.matchAll(/`(\w+)`/g)].map(([, reason]) => reason)).toEqual(GUARDRAIL_REASONS);
});
