import { complianceGuardrail, ruleOf } from './compliance-guardrail.js';
import { shown } from './guardrail.js';

export const coolOff = complianceGuardrail({
  of: 'coolOff',
  reason: 'COOL_OFF',
  status: 429,
  message: 'The law allows no call so soon after a conversation with this person',
  retryable: true,
  kind: 'clock',
  title: 'Days after a conversation',
  label: 'It is too soon after a conversation by law',
  explain: (result, timeOf) => {
    const { lastConversationAt } = result.evidence;
    if (result.allow || typeof lastConversationAt !== 'string')
      return `${ruleOf(result)} would refuse no call now.`;
    const days = shown(result.evidence, 'days');
    return `${ruleOf(result)} allows no call for ${days} days; the last conversation ended on ${timeOf(lastConversationAt)}.`;
  },
});
