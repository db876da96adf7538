import { complianceGuardrail, ruleOf } from './compliance-guardrail.js';
import { shown } from './guardrail.js';

export const jurisdictionCap = complianceGuardrail({
  of: 'frequencyCap',
  reason: 'JURISDICTION_CAP',
  status: 429,
  message: 'The limit of calls to this person by law is reached',
  retryable: true,
  kind: 'clock',
  title: 'Calls by law',
  label: 'The limit of calls by law was reached',
  explain: (result) =>
    result.allow
      ? `${ruleOf(result)} would refuse no call now.`
      : `${ruleOf(result)} allows ${shown(result.evidence, 'max')} calls; ${shown(result.evidence, 'calls')} were made.`,
});
