import { CALL_STATES, type HistoryEntry } from '../../domain/call-states.js';
import { causesText, statesText } from '../../domain/narrator/labels.js';
import { type Decision, GUARDRAIL_REASONS } from '../../domain/guardrails/guardrails.js';
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
import { RULE_SCHEMA } from '../explain/explain.openapi.js';
import { type CallListItem, type CallResource } from './calls-admin.service.js';
import { type CallView, type ListedCallView } from './calls.service.js';

const STATE = oneOf(CALL_STATES);

const HISTORY_ENTRY = objectOf<HistoryEntry>('CallHistoryEntry', {
  at: INSTANT_SCHEMA,
  from: described(nullable(STATE), 'Null for the first entry.'),
  to: STATE,
  cause: described(
    TEXT_SCHEMA,
    `The cause of the transition: ${causesText()}, or the reason of a refusal just before the dial.`,
  ),
});

const VIEW: Record<keyof CallView, JsonSchema> = {
  callRequestId: UUID_SCHEMA,
  contactId: described(UUID_SCHEMA, 'The contact that is called.'),
  agentId: described(UUID_SCHEMA, 'The voice agent that talks.'),
  enrollmentId: described(
    nullable(UUID_SCHEMA),
    'The enrollment that dials the call; null if the call was triggered.',
  ),
  acceptedAt: described(INSTANT_SCHEMA, 'When the call was accepted; lists are in this order.'),
  status: described(STATE, `The state of the call: ${statesText()}.`),
  reason: described(
    nullable(TEXT_SCHEMA),
    'The code of why the call ended without a conversation, or is in `dial_unknown`.',
  ),
  runsAt: described(INSTANT_SCHEMA, 'The instant at which the call is or was due.'),
  expiresAt: described(INSTANT_SCHEMA, 'When the call expires if it is not dialed before.'),
  phoneNumber: described(
    STORED_NUMBER_SCHEMA,
    'The number to call; after the erasure of its contact, `erased:` and a hash.',
  ),
  callerId: described(
    nullable(E164_SCHEMA),
    'The number that the call was dialed from; null before the dial.',
  ),
  answeredAt: described(nullable(INSTANT_SCHEMA), 'When the call was answered, if the carrier reports it.'),
  endedAt: described(nullable(INSTANT_SCHEMA), 'When the call ended, dialed or not.'),
  durationSeconds: described(nullable(COUNT_SCHEMA), 'Seconds talked, if the carrier reports them.'),
  prompt: described(nullable(TEXT_SCHEMA), 'The rendered template; null before the dial.'),
  firstMessage: described(nullable(TEXT_SCHEMA), 'The rendered template; null before the dial.'),
  result: described(nullable(RESULT_VIEW_SCHEMA), 'The result of the call; null before a report.'),
  unknownPlaceholders: described(listOf(TEXT_SCHEMA), 'Placeholders of the templates without a value.'),
  history: described(listOf(HISTORY_ENTRY), 'Every transition, the oldest first.'),
};

/** A call as its team reads it. */
export const CALL_SCHEMA = objectOf<CallView>('Call', VIEW);

const { prompt, history, ...LISTED_BY_TEAM } = VIEW;

/** A call in its team's list. */
export const LISTED_CALL_SCHEMA = objectOf<ListedCallView>('ListedCall', LISTED_BY_TEAM);

const DECISION = objectOf<Decision>('CallDecision', {
  at: INSTANT_SCHEMA,
  allow: FLAG_SCHEMA,
  reason: described(nullable(oneOf(GUARDRAIL_REASONS)), 'The first rule that refused.'),
  rules: listOf(RULE_SCHEMA),
});

const { firstMessage, result, ...LISTED_VIEW } = LISTED_BY_TEAM;

const LISTED: Record<keyof CallListItem, JsonSchema> = {
  id: UUID_SCHEMA,
  ...LISTED_VIEW,
  history,
  teamId: UUID_SCHEMA,
  waitingForLineSince: described(
    nullable(INSTANT_SCHEMA),
    'Since when the call is due and waits for a concurrency slot, because its team has `maxConcurrentCalls` active calls; null if it does not wait.',
  ),
  wokenAt: described(
    nullable(INSTANT_SCHEMA),
    'The last wake-up of a pending call. After its carrier was unreachable or throttled it, the instant at which it is tried again.',
  ),
  claimedAt: nullable(INSTANT_SCHEMA),
  processedAt: described(
    nullable(INSTANT_SCHEMA),
    'Since when the call counts against the limits of its number.',
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
  variables: described(ANY_OBJECT_SCHEMA, 'The variables of the request; none if it was refused.'),
  decisions: described(listOf(DECISION), 'The results of the guardrails, for each evaluation.'),
});
