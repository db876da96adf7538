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
  check: ({ onDoNotCall }) => ({ allow: !onDoNotCall, evidence: { onDoNotCall } }),
  explain: ({ allow }) => (allow ? 'The number was not on the list.' : 'The number was on the list.'),
});
