import { guardrail } from './guardrail.js';

/** Contract 4.1, rule 7. */
export const doNotCall = guardrail({
  reason: 'DO_NOT_CALL',
  status: 500,
  message: 'The number is on the Do Not Call list and is not dialed',
  retryable: false,
  kind: 'person',
  title: 'Do Not Call',
  label: 'The number is on the Do Not Call list',
  check: ({ onDoNotCall, doNotCallScope: scope }) => ({
    allow: !onDoNotCall,
    evidence: { onDoNotCall, ...(scope !== undefined && { scope }) },
  }),
  explain: ({ allow, evidence: { scope } }) => {
    if (allow) return 'The number was not on the list.';
    if (scope === undefined) return 'The number was on the list.';
    return scope === 'platform'
      ? 'The number was on the platform’s list, which the operator keeps.'
      : `The number was on the list for this ${String(scope)}.`;
  },
});
