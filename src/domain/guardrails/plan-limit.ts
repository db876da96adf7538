import { guardrail, type GuardrailFacts, type RuleResult, shown } from './guardrail.js';

/** Contract 4.1, rule 6: the team's calls in a calendar month, UTC. */
export const planLimit = guardrail({
  reason: 'PLAN_LIMIT',
  status: 429,
  message: 'The team’s monthly call limit is reached',
  retryable: true,
  kind: 'configuration',
  title: 'Monthly plan',
  label: 'The monthly call limit was reached',
  check: withinPlan,
  explain: ({ evidence }) => {
    if (evidence.limit === null) return 'The team has no monthly limit.';
    if (evidence.countedThisMonth === true) return 'This call was counted in the month already.';
    return `${shown(evidence, 'used')} of the month’s ${shown(evidence, 'limit')} calls were used.`;
  },
});

/** A call that was already counted this month is allowed. A limit of n refuses the (n+1)st call. */
function withinPlan({ monthlyCallLimit, planUsed, countedThisMonth }: GuardrailFacts, now: Date): RuleResult {
  const allow = monthlyCallLimit === null || countedThisMonth || planUsed < monthlyCallLimit;
  const evidence = {
    limit: monthlyCallLimit,
    used: monthlyCallLimit === null ? null : planUsed,
    countedThisMonth,
  };
  // A limit of 0 refuses in every month.
  if (allow || monthlyCallLimit === 0) return { allow, evidence };
  const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
  return { allow, evidence, retryAt: nextMonth.toISOString() };
}
