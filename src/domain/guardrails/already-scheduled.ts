import { guardrail } from './guardrail.js';

/**
 * Contract 4.1, rule 9. Only an older pending call counts, so that two calls for one number never block each
 * other.
 */
export const alreadyScheduled = guardrail({
  reason: 'ALREADY_SCHEDULED',
  status: 500,
  message: 'A call is already scheduled for this number',
  retryable: true,
  kind: 'other_call',
  title: 'One at a time',
  label: 'Another call to the number was waiting already',
  check: ({ olderPendingCallId }) => ({
    allow: olderPendingCallId === null,
    evidence: { olderPendingCallId },
  }),
  explain: ({ allow }) =>
    allow ? 'No older call to the number was waiting.' : 'An older call to the number was waiting.',
});
