import { complianceGuardrail, ruleOf } from './compliance-guardrail.js';
import { shown } from './guardrail.js';

export const onRegister = complianceGuardrail({
  of: 'registerScrub',
  reason: 'ON_REGISTER',
  status: 400,
  message: 'The number is on a register of people who must not be called',
  retryable: false,
  kind: 'person',
  title: 'Registers',
  label: 'The number is on a register',
  explain: (result) =>
    result.allow
      ? `${ruleOf(result)}: the number is on no register, or a consent lifts the rule.`
      : `${ruleOf(result)}: the number is on the register ${shown(result.evidence, 'register')}.`,
});
