import { complianceGuardrail, ruleOf } from './compliance-guardrail.js';
import { shown } from './guardrail.js';

export const registerStale = complianceGuardrail({
  of: 'registerScrub',
  reason: 'REGISTER_STALE',
  status: 400,
  message: 'A register in which the number must be looked up is missing or too old: import it',
  retryable: false,
  kind: 'configuration',
  title: 'Age of registers',
  label: 'A register was missing or too old',
  explain: (result, timeOf) => {
    if (result.allow) return `${ruleOf(result)}: the registers are new enough.`;
    const { asOf } = result.evidence;
    const age = typeof asOf === 'string' ? `is of ${timeOf(asOf)}` : 'was never imported';
    return `${ruleOf(result)}: the register ${shown(result.evidence, 'register')} ${age}.`;
  },
});
