import { END_REASONS, WAITING_FOR } from '../../domain/campaigns/decide/decision.js';
import { ENROLLMENT_STATES } from '../../domain/enrollment-states.js';
import {
  ANY_OBJECT_SCHEMA,
  COUNT_SCHEMA,
  described,
  FLAG_SCHEMA,
  INSTANT_SCHEMA,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  oneOf,
  ORDINAL_SCHEMA,
  TEXT_SCHEMA,
  UUID_SCHEMA,
} from '../../http/json-schema.js';
import { errorDoc } from '../../http/openapi/errors.js';
import { type OperationDoc } from '../../http/openapi/operation.js';
import { type WhyNot } from '../engine/why-not.js';
import { type EnrollmentDetail, type EnrollmentResource } from './enrollment.dto.js';

export const STATE = oneOf(ENROLLMENT_STATES);
export const SOURCE = described(nullable(TEXT_SCHEMA), 'The label of the request that enrolled.');
export const VERSION = described(UUID_SCHEMA, 'The version that was resolved at enrollment.');

export const ENTRY = described(
  { type: 'integer', minimum: 1 },
  'Counts the enrollments of the contact in the campaign.',
);

const END_REASON_NAMES = Object.values(END_REASONS).flat();

const RESOURCE_PROPERTIES = {
  id: UUID_SCHEMA,
  enrollmentId: described(UUID_SCHEMA, 'The same as `id`.'),
  campaignId: UUID_SCHEMA,
  contactId: UUID_SCHEMA,
  versionId: VERSION,
  entry: ENTRY,
  status: STATE,
  endReason: described(nullable(oneOf(END_REASON_NAMES)), 'Null while the enrollment is active or paused.'),
  step: described(nullable(TEXT_SCHEMA), 'The key of the current step; null before the first step.'),
  nextAttemptAt: described(
    nullable(INSTANT_SCHEMA),
    'The next attempt if nothing changes; null while the enrollment is held, and after its end.',
  ),
  waitingFor: described(
    nullable(oneOf(WAITING_FOR)),
    'Null before the first decision, if the version places no calls, and after the end.',
  ),
  source: SOURCE,
  createdAt: INSTANT_SCHEMA,
  updatedAt: INSTANT_SCHEMA,
};

export const RESOURCE = objectOf<EnrollmentResource>('EnrollmentResource', RESOURCE_PROPERTIES);

const TIMELINE_ENTRY: JsonSchema = {
  title: 'TimelineEntry',
  type: 'object',
  properties: {
    at: INSTANT_SCHEMA,
    kind: oneOf([
      'step',
      'version',
      'dial',
      'call',
      'result',
      'deferred',
      'held',
      'paused',
      'resumed',
      'ended',
    ]),
    step: described(TEXT_SCHEMA, 'Of `step` and `dial`: the key.'),
    seq: described(ORDINAL_SCHEMA, 'Of `dial`: counts the calls of the enrollment.'),
    callback: described(FLAG_SCHEMA, 'Of `dial`: whether the result of a call requested it.'),
    callRequestId: described(UUID_SCHEMA, 'Of `dial`, `call` and `result`.'),
    versionId: described(UUID_SCHEMA, 'Of `version`: the one that it was moved to.'),
    goal: described(FLAG_SCHEMA, 'Of `result`: whether it reaches the goal of its step.'),
    optOut: described(FLAG_SCHEMA, 'Of `result`.'),
    callbackAt: described(nullable(INSTANT_SCHEMA), 'Of `result`: when a callback was requested for.'),
    status: described(
      TEXT_SCHEMA,
      'Of `call`: the status of the call; of `ended`: the status of the enrollment.',
    ),
    waitingFor: described(oneOf(WAITING_FOR), 'Of `deferred` and `held`.'),
    until: described(nullable(INSTANT_SCHEMA), 'Of `deferred` and `held`: the next attempt as known then.'),
    endReason: described(oneOf(END_REASON_NAMES), 'Of `ended`.'),
  },
  required: ['at', 'kind'],
};

export const DETAIL = objectOf<EnrollmentDetail>('EnrollmentDetail', {
  ...RESOURCE_PROPERTIES,
  attempts: described(COUNT_SCHEMA, 'The processed dials of the enrollment.'),
  whyNot: described(
    nullable(
      objectOf<WhyNot>('WhyNot', {
        rule: oneOf(WAITING_FOR),
        evidence: described(ANY_OBJECT_SCHEMA, 'What the rule goes by; its keys depend on the rule.'),
        retryAt: described(
          nullable(INSTANT_SCHEMA),
          'The next instant at which it is dialed if nothing changes; null where only a change, a call or a report helps.',
        ),
      }),
    ),
    'Why it is not dialed now, decided at the read; null where it is dialed next, moves on, or has ended.',
  ),
  timeline: described(listOf(TIMELINE_ENTRY), 'The events of the enrollment, oldest first.'),
});

export const transition = (id: string, summary: string, becomes: string): OperationDoc => ({
  id,
  summary,
  success: { description: `The enrollment, ${becomes}.`, schema: DETAIL },
  refusals: {
    409: errorDoc('Its state does not allow that.', `The enrollment is exited and cannot become ${becomes}`),
  },
});
