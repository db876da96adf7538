import {
  type Guardrail,
  guardrail,
  type GuardrailFacts,
  HOUR_MS,
  type RuleResult,
  shown,
  type StoredResult,
} from './guardrail.js';

const DAILY_HOURS = 24;
const WEEKLY_HOURS = 7 * 24;
const MONTHLY_HOURS = 30 * 24;

const WINDOWS: Record<string, string> = {
  [DAILY_HOURS]: '24 hours',
  [WEEKLY_HOURS]: '7 days',
  [MONTHLY_HOURS]: '30 days',
};

/**
 * Contract 4.1, rule 6, for one number. The windows are rolling, because the law counts calls in rolling
 * windows.
 */
export const numberLimitDaily = numberLimit({
  reason: 'NUMBER_LIMIT_DAILY',
  message: 'The daily call limit for this number is reached',
  label: 'The number’s daily limit was reached',
  hours: DAILY_HOURS,
  limitOf: ({ numberDailyLimit }) => numberDailyLimit,
});

export const numberLimitWeekly = numberLimit({
  reason: 'NUMBER_LIMIT_WEEKLY',
  message: 'The weekly call limit for this number is reached',
  label: 'The number’s weekly limit was reached',
  hours: WEEKLY_HOURS,
  limitOf: ({ numberWeeklyLimit }) => numberWeeklyLimit,
});

export const numberLimitMonthly = numberLimit({
  reason: 'NUMBER_LIMIT_MONTHLY',
  message: 'The monthly call limit for this number is reached',
  label: 'The number’s monthly limit was reached',
  hours: MONTHLY_HOURS,
  limitOf: ({ numberMonthlyLimit }) => numberMonthlyLimit,
});

function numberLimit<const Reason extends string>({
  hours,
  limitOf,
  ...texts
}: Pick<Guardrail<Reason>, 'reason' | 'message' | 'label'> & {
  hours: number;
  limitOf: (facts: GuardrailFacts) => number | null;
}): Guardrail<Reason> {
  return guardrail({
    ...texts,
    status: 429,
    retryable: true,
    kind: 'clock',
    title: `This number, ${WINDOWS[hours]}`,
    check: (facts, now) => withinLimit(limitOf(facts), hours, facts, now),
    explain,
  });
}

/** A call exactly `hours` old is outside the window. */
function withinLimit(limit: number | null, hours: number, facts: GuardrailFacts, now: Date): RuleResult {
  const since = now.getTime() - hours * HOUR_MS;
  const inWindow = facts.processedAt.filter((at) => at > since).sort((a, b) => a - b);
  const evidence = { limit, processed: inWindow.length, windowHours: hours };
  if (limit === null || inWindow.length < limit) return { allow: true, evidence };
  const leavesLast = inWindow[inWindow.length - limit];
  if (leavesLast === undefined) return { allow: false, evidence };
  return { allow: false, evidence, retryAt: new Date(leavesLast + hours * HOUR_MS).toISOString() };
}

function explain({ evidence }: StoredResult): string {
  const processed = Number(evidence.processed);
  const others =
    processed === 0 ? 'No other call' : processed === 1 ? '1 other call' : `${processed} other calls`;
  const window = WINDOWS[shown(evidence, 'windowHours')] ?? 'time';
  const calls = `${others} to the number in the ${window} before`;
  return evidence.limit === null
    ? `${calls}; there is no limit.`
    : `${calls}; the limit is ${shown(evidence, 'limit')}.`;
}
