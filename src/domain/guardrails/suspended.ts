import { complianceGuardrail, ruleOf } from './compliance-guardrail.js';
import { shown } from './guardrail.js';

export const suspended = complianceGuardrail({
  of: 'suspension',
  reason: 'SUSPENDED',
  status: 400,
  message: 'Such calls to this person are suspended',
  retryable: false,
  kind: 'configuration',
  title: 'Suspensions',
  label: 'Such calls are suspended',
  explain: (result) =>
    result.allow
      ? `${ruleOf(result)} would refuse no call now.`
      : `${ruleOf(result)} holds until ${shown(result.evidence, 'until')}: ${shown(result.evidence, 'what')}.`,
});
