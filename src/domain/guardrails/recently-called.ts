import { guardrail, type GuardrailFacts, HOUR_MS, type RuleResult } from './guardrail.js';

const WINDOW_HOURS = 12;

/**
 * Re-dial window: "a number with a call already processed in the last 12 hours is not dialed" (contract 4.1,
 * rule 8).
 */
export const REDIAL_WINDOW_MS = WINDOW_HOURS * HOUR_MS;

export const recentlyCalled = guardrail({
  reason: 'RECENTLY_CALLED',
  status: 500,
  message: 'A call to this number was already processed within the last 12 hours',
  retryable: true,
  kind: 'clock',
  exemptibleForRetries: true,
  title: '12 hours apart',
  label: 'The number was called within the last 12 hours',
  check: notRecentlyCalled,
  explain: ({ evidence: { lastProcessedAt } }, timeOf) =>
    typeof lastProcessedAt === 'string'
      ? `The last call before it was on ${timeOf(lastProcessedAt)}.`
      : 'There was no other call in the 30 days before.',
});

function notRecentlyCalled({ processedAt }: GuardrailFacts, now: Date): RuleResult {
  const last = processedAt.length === 0 ? null : Math.max(...processedAt);
  const evidence = {
    lastProcessedAt: last === null ? null : new Date(last).toISOString(),
    windowHours: WINDOW_HOURS,
  };
  if (last === null || last + REDIAL_WINDOW_MS <= now.getTime()) return { allow: true, evidence };
  return { allow: false, evidence, retryAt: new Date(last + REDIAL_WINDOW_MS).toISOString() };
}
