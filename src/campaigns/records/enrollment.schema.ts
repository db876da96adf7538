import { END_REASONS, WAITING_FOR } from '../../domain/campaigns/decide/decision.js';
import { REFUSAL_OUTCOMES } from '../../domain/refused-by.js';
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
export const SOURCE = described(
  nullable(TEXT_SCHEMA),
  'The `source` of the request that enrolled the contact. Null if it had none.',
);
export const VERSION = described(
  UUID_SCHEMA,
  'The version that the enrollment follows. A migration to another version changes it.',
);

export const EXTERNAL_ID = described(
  nullable(TEXT_SCHEMA),
  'The external id that the contact has at the time of the answer. Null if it has none, or was erased.',
);

export const ENTRY = described(
  { type: 'integer', minimum: 1 },
  'The number of this enrollment among the enrollments of the contact in the campaign, from 1.',
);

const END_REASON_NAMES = Object.values(END_REASONS).flat();

const RESOURCE_PROPERTIES = {
  id: UUID_SCHEMA,
  enrollmentId: described(UUID_SCHEMA, 'The same as `id`.'),
  campaignId: UUID_SCHEMA,
  contactId: UUID_SCHEMA,
  externalId: EXTERNAL_ID,
  versionId: VERSION,
  entry: ENTRY,
  status: STATE,
  endReason: described(
    nullable(oneOf(END_REASON_NAMES)),
    'Why the enrollment ended. Null while it is active or paused. Also null if it ended in a version of Outdial whose campaigns placed no calls.',
  ),
  step: described(
    nullable(TEXT_SCHEMA),
    'The key of the current step. Null before the first call of the first step.',
  ),
  nextAttemptAt: described(
    nullable(INSTANT_SCHEMA),
    'When the next call is due if nothing changes. During a pause: when it would be due without the pause. ' +
      'Null before the first decision, during a call, while a result is awaited, and after the end. ' +
      'Also null if only a change, the end of another call or a report can lead to a call. Also null if the lifetime ends before it.',
  ),
  waitingFor: described(
    nullable(oneOf(WAITING_FOR)),
    'What the enrollment waits for before its next call: the reason of a guardrail, or another cause. ' +
      '`no_steps`: the version places no calls. Null before the first decision, and after the end.',
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
    step: described(TEXT_SCHEMA, 'Only with the kinds `step` and `dial`: the key of the step.'),
    seq: described(
      ORDINAL_SCHEMA,
      'Only with the kind `dial`: the number of the call among the calls of the enrollment, from 1.',
    ),
    callback: described(
      FLAG_SCHEMA,
      'Only with the kind `dial`: whether the result of an earlier call requested this call.',
    ),
    callRequestId: described(
      UUID_SCHEMA,
      'Only with the kinds `dial`, `call` and `result`: the id of the call.',
    ),
    versionId: described(
      UUID_SCHEMA,
      'Only with the kind `version`: the version to which the enrollment was moved.',
    ),
    goal: described(
      FLAG_SCHEMA,
      'Only with the kind `result`: whether the result reaches the goal of the step.',
    ),
    optOut: described(FLAG_SCHEMA, 'Only with the kind `result`: whether the contact opted out of calls.'),
    callbackAt: described(
      nullable(INSTANT_SCHEMA),
      'Only with the kind `result`: the instant of the requested callback. Null if none was requested.',
    ),
    status: described(
      TEXT_SCHEMA,
      'With the kind `call`: the status of the call. With the kind `ended`: the status of the enrollment.',
    ),
    reason: described(
      oneOf(REFUSAL_OUTCOMES),
      'Only with the kind `call`, if the call failed because the called person declined it or a network blocked it.',
    ),
    waitingFor: described(
      oneOf(WAITING_FOR),
      'Only with the kinds `deferred` and `held`: what the enrollment began to wait for.',
    ),
    until: described(
      nullable(INSTANT_SCHEMA),
      'Only with the kinds `deferred` and `held`: the `nextAttemptAt` that was decided at this instant.',
    ),
    endReason: described(oneOf(END_REASON_NAMES), 'Only with the kind `ended`: why the enrollment ended.'),
  },
  required: ['at', 'kind'],
};

export const DETAIL = objectOf<EnrollmentDetail>('EnrollmentDetail', {
  ...RESOURCE_PROPERTIES,
  attempts: described(
    COUNT_SCHEMA,
    'The number of calls of the enrollment that were dialed or perhaps dialed, active calls included.',
  ),
  whyNot: described(
    nullable(
      objectOf<WhyNot>('WhyNot', {
        rule: described(
          oneOf(WAITING_FOR),
          'The rule that prevents the next call. The names are those of `waitingFor`.',
        ),
        evidence: described(
          ANY_OBJECT_SCHEMA,
          'The facts on which the rule decided. The keys depend on the rule.',
        ),
        retryAt: described(
          nullable(INSTANT_SCHEMA),
          'When the next call is due if nothing changes. Null while a result is awaited, and during a pause. Also null if only a change, the end of a call or a report can lead to a call. ' +
            'Also null if the lifetime ends before it.',
        ),
      }),
    ),
    'Why the enrollment is not called now, as of this answer. Null if no rule prevents the next call, and after ' +
      'the end.',
  ),
  timeline: described(listOf(TIMELINE_ENTRY), 'What happened to the enrollment, the oldest entry first.'),
});

export const transition = (id: string, summary: string, becomes: string): OperationDoc => ({
  id,
  summary,
  success: { description: `The enrollment, which is now ${becomes}.`, schema: DETAIL },
  refusals: {
    409: errorDoc(
      'The current status of the enrollment does not allow the change.',
      `The enrollment is exited and cannot become ${becomes}`,
    ),
  },
});
