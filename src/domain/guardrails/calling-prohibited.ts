import { complianceGuardrail, ruleOf } from './compliance-guardrail.js';
import { shown } from './guardrail.js';

/** Also the reason of a call for which the agent's hours and those of the law have no common opening. */
export const callingProhibited = complianceGuardrail({
  of: 'prohibition',
  reason: 'CALLING_PROHIBITED',
  status: 400,
  message: 'The law prohibits such a call to this person',
  retryable: false,
  kind: 'person',
  title: 'Prohibitions',
  label: 'The law prohibits such a call',
  explain: (result) => {
    const { allow, evidence } = result;
    if (evidence.opening === null) return 'The agent’s hours and those of the law have no common opening.';
    return allow
      ? `${ruleOf(result)} would refuse no call now.`
      : `${ruleOf(result)} prohibits it: ${shown(evidence, 'what')}.`;
  },
});
