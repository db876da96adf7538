import { CALL_STATES, type HistoryEntry } from '../../domain/call-states.js';
import { causesText, statesText } from '../../domain/narrator/labels.js';
import {
  type Decision,
  type DecisionWarning,
  GUARDRAIL_REASONS,
} from '../../domain/guardrails/guardrails.js';
import { RESULT_VIEW_SCHEMA } from '../../http/call-result-fields.js';
import {
  ANY_OBJECT_SCHEMA,
  COUNT_SCHEMA,
  described,
  E164_SCHEMA,
  FLAG_SCHEMA,
  INSTANT_SCHEMA,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  oneOf,
  STORED_NUMBER_SCHEMA,
  TEXT_SCHEMA,
  UUID_SCHEMA,
} from '../../http/json-schema.js';
import { COMPLIANCE_VIEW_SCHEMA } from '../explain/compliance.schema.js';
import { RULE_SCHEMA } from '../explain/explain.openapi.js';
import { type CallListItem, type CallResource } from './calls-admin.service.js';
import { type CallView, type ListedCallView } from './calls.service.js';

const STATE = oneOf(CALL_STATES);

const HISTORY_ENTRY = objectOf<HistoryEntry>('CallHistoryEntry', {
  at: INSTANT_SCHEMA,
  from: described(nullable(STATE), 'The state before the transition. Null in the first entry.'),
  to: STATE,
  cause: described(
    TEXT_SCHEMA,
    `The cause of the transition: ${causesText()}. Or the reason for which the call was refused when it was due.`,
  ),
});

const VIEW: Record<keyof CallView, JsonSchema> = {
  callRequestId: UUID_SCHEMA,
  contactId: described(UUID_SCHEMA, 'The id of the called contact.'),
  externalId: described(
    nullable(TEXT_SCHEMA),
    'The external id that the contact has at the time of the answer. Null if it has none, or was erased.',
  ),
  agentId: described(UUID_SCHEMA, 'The id of the voice agent.'),
  enrollmentId: described(nullable(UUID_SCHEMA), 'The id of the enrollment. Null for a triggered call.'),
  campaignId: described(
    nullable(UUID_SCHEMA),
    'The id of the campaign of the enrollment. Null for a triggered call.',
  ),
  acceptedAt: described(
    INSTANT_SCHEMA,
    'The instant of acceptance, or of the refusal of a trigger that is stored as `blocked`. Lists begin with the newest call.',
  ),
  status: described(STATE, `The state of the call: ${statesText()}.`),
  reason: described(
    nullable(TEXT_SCHEMA),
    'The reason code of a call that ended without a conversation or is in `dial_unknown`. Null if there is none.',
  ),
  runsAt: described(INSTANT_SCHEMA, 'The instant at which the call is or was due.'),
  expiresAt: described(INSTANT_SCHEMA, 'The instant at which the call expires if it is still pending.'),
  notBefore: described(
    nullable(INSTANT_SCHEMA),
    'The instant before which the trigger asked for no call. Null if it named none.',
  ),
  notAfter: described(
    nullable(INSTANT_SCHEMA),
    'The instant after which the trigger asked for no call. Null if it named none.',
  ),
  phoneNumber: described(
    STORED_NUMBER_SCHEMA,
    'The number to call. After the erasure of its contact, it is `erased:` and a hash.',
  ),
  callerId: described(nullable(E164_SCHEMA), 'The caller ID. Null if the call was not claimed.'),
  answeredAt: described(
    nullable(INSTANT_SCHEMA),
    'The instant at which the call was answered. Null if it was not answered, or the carrier does not report it.',
  ),
  endedAt: described(
    nullable(INSTANT_SCHEMA),
    'The instant at which the call ended, even if it was not dialed. Null before.',
  ),
  durationSeconds: described(
    nullable(COUNT_SCHEMA),
    'The length of the conversation in seconds. Null if the carrier does not report it.',
  ),
  prompt: described(
    nullable(TEXT_SCHEMA),
    'The prompt, rendered from the agent’s template. Null if the call was not claimed, its contact was erased, or its retention time is over.',
  ),
  firstMessage: described(
    nullable(TEXT_SCHEMA),
    'The first message, rendered from the agent’s template. Null if the call was not claimed, its contact was erased, or its retention time is over.',
  ),
  result: described(
    nullable(RESULT_VIEW_SCHEMA),
    'The result of the call. Null if none was reported, or its retention time is over.',
  ),
  unknownPlaceholders: described(
    listOf(TEXT_SCHEMA),
    'The placeholders of the prompt and the first message that had no value. Empty if the call was not claimed, its contact was erased, or its retention time is over.',
  ),
  history: described(listOf(HISTORY_ENTRY), 'Every transition of the call, the oldest first.'),
};

/** A call as its team reads it. */
export const CALL_SCHEMA = objectOf<CallView>('Call', VIEW);

const { notBefore, notAfter, prompt, history, ...LISTED_BY_TEAM } = VIEW;

/** A call in its team's list. */
export const LISTED_CALL_SCHEMA = objectOf<ListedCallView>('ListedCall', LISTED_BY_TEAM);

const DECISION_WARNING = objectOf<DecisionWarning>('CallDecisionWarning', {
  key: described(TEXT_SCHEMA, 'The field of the request that the warning is about.'),
  text: described(TEXT_SCHEMA, 'The warning, as a sentence.'),
});

const DECISION = objectOf<Decision>(
  'CallDecision',
  {
    at: INSTANT_SCHEMA,
    allow: FLAG_SCHEMA,
    reason: described(
      nullable(oneOf(GUARDRAIL_REASONS)),
      'The first guardrail that refused. Null if all allowed the call.',
    ),
    rules: listOf(RULE_SCHEMA),
    compliance: COMPLIANCE_VIEW_SCHEMA,
    warnings: described(
      listOf(DECISION_WARNING),
      'What no guardrail refuses, but a person should know, such as a number of an unknown range. Absent without warnings.',
    ),
  },
  { optional: ['warnings', 'compliance'] },
);

const { firstMessage, result, ...LISTED_VIEW } = LISTED_BY_TEAM;

const LISTED: Record<keyof CallListItem, JsonSchema> = {
  id: UUID_SCHEMA,
  ...LISTED_VIEW,
  notBefore,
  notAfter,
  history,
  teamId: UUID_SCHEMA,
  waitingForLineSince: described(
    nullable(INSTANT_SCHEMA),
    'The instant since which the due call waits for a concurrency slot. Its team has `maxConcurrentCalls` active calls. Null if it does not wait.',
  ),
  wokenAt: described(
    nullable(INSTANT_SCHEMA),
    'The last wake-up of a pending call. If its carrier was unreachable or throttled it: the instant of the next attempt. Null if it is not pending.',
  ),
  claimedAt: nullable(INSTANT_SCHEMA),
  processedAt: described(
    nullable(INSTANT_SCHEMA),
    'The instant from which the call counts against the limits of its number. Null if it was not claimed, or claimed but not dialed.',
  ),
  carrier: nullable(TEXT_SCHEMA),
  carrierCallId: nullable(TEXT_SCHEMA),
};

/** A call in the operator's list. */
export const CALL_LIST_ITEM_SCHEMA = objectOf<CallListItem>('CallListItem', LISTED);

/** A call as the operator reads it. */
export const CALL_RESOURCE_SCHEMA = objectOf<CallResource>('CallResource', {
  ...LISTED,
  prompt,
  firstMessage,
  result,
  variables: described(
    ANY_OBJECT_SCHEMA,
    'The variables of the request. Empty if the trigger refused the call, its contact was erased, or its retention time is over.',
  ),
  decisions: described(
    listOf(DECISION),
    'One entry for each evaluation of the guardrails, the oldest first.',
  ),
});
