import { GUARDRAIL_REASONS } from '../../domain/guardrails/guardrails.js';
import {
  ANY_OBJECT_SCHEMA,
  described,
  E164_SCHEMA,
  FLAG_SCHEMA,
  INSTANT_SCHEMA,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  oneOf,
  TEXT_SCHEMA,
  WARNINGS_SCHEMA,
} from '../../http/json-schema.js';
import { filterParameters } from '../../http/filters.js';
import { documented } from '../../http/openapi/operation.js';
import { refusalsBeforeRules, TRIGGER_BODY } from '../trigger/trigger.openapi.js';
import { WINDOW_PARAMETERS } from '../trigger/window.js';
import { ExplainController } from './explain.controller.js';
import { COMPLIANCE_VIEW_SCHEMA } from './compliance.schema.js';
import { type Explanation } from './explain.js';

/** The result of one guardrail. */
export const RULE_SCHEMA: JsonSchema = {
  title: 'CallDecisionRule',
  type: 'object',
  properties: {
    reason: oneOf(GUARDRAIL_REASONS),
    allow: FLAG_SCHEMA,
    evidence: described(ANY_OBJECT_SCHEMA, 'The facts that the guardrail evaluated.'),
    retryAt: described(
      INSTANT_SCHEMA,
      'The instant from which the guardrail would allow the call if its facts stay the same. Absent if the guardrail allows the call, or if waiting does not help.',
    ),
  },
  required: ['reason', 'allow', 'evidence'],
};

const SOURCES = ['request_pool', 'from_number', 'agent_pool', 'agent_number'];

const EXPLAINED: Record<keyof Explanation, JsonSchema> = {
  wouldBe: described(
    oneOf(['queued', 'scheduled', 'refused']),
    'Whether the trigger would queue, schedule or refuse the call.',
  ),
  status: described({ type: 'integer' }, 'The HTTP status of the trigger’s answer.'),
  reason: described(
    nullable(oneOf(GUARDRAIL_REASONS)),
    'The guardrail by which the trigger would refuse the call. Null if it would accept the call.',
  ),
  message: described(
    nullable(TEXT_SCHEMA),
    'The message of the refusal. Null if the trigger would accept the call.',
  ),
  runsAt: described(
    nullable(INSTANT_SCHEMA),
    'The instant at which the call would be due. Null unless it would be scheduled.',
  ),
  zones: described(
    listOf(TEXT_SCHEMA),
    'The time zone in which calling hours are evaluated, as a list of one item.',
  ),
  zoneSource: described(
    oneOf(['request', 'contact', 'agent']),
    'Where the time zone comes from: the request, the stored contact or the agent.',
  ),
  callerId: objectOf<Explanation['callerId']>('CallerIdExplanation', {
    source: described(
      nullable(oneOf(SOURCES)),
      'Where the caller ID comes from: the request’s pool or number, or the agent’s. Null if no caller ID can be used.',
    ),
    candidates: described(
      listOf(E164_SCHEMA),
      'The numbers from which the call could be made. Of a pool, these are at most 16, the least recently used first.',
    ),
  }),
  rules: described(
    listOf(RULE_SCHEMA),
    'The current results of all guardrails, even outside calling hours. Guardrails of packs are among them if a rule of theirs is enforced.',
  ),
  compliance: COMPLIANCE_VIEW_SCHEMA,
  firstAllowedAt: described(
    nullable(INSTANT_SCHEMA),
    'The first instant inside calling hours at which no guardrail would refuse, if the facts stay the same. Null if waiting does not help.',
  ),
  prompt: described(TEXT_SCHEMA, 'The prompt, rendered from the agent’s template.'),
  firstMessage: described(TEXT_SCHEMA, 'The first message, rendered from the agent’s template.'),
  unknownPlaceholders: described(
    listOf(TEXT_SCHEMA),
    'The placeholders of the prompt and the first message that have neither a value nor a default.',
  ),
  warnings: described(
    WARNINGS_SCHEMA,
    'Keys of the request that look like fields, and placeholders of the agent’s templates that are not closed, unknown, or without a ' +
      'value for this contact. Absent if there are none.',
  ),
};

const EXPLANATION = objectOf<Explanation>('CallExplanation', EXPLAINED, {
  optional: ['warnings', 'compliance'],
});

export const EXPLAIN_OPENAPI = documented(
  ExplainController,
  { surface: 'call', tag: 'Calls' },
  {
    post: {
      id: 'explainCall',
      summary: 'Dry-run a trigger and explain its decision',
      description:
        'Takes the body of a trigger, stores nothing and places no call. A wrong key, agent, body or caller ID is refused as the ' +
        'trigger refuses it. A refusal by a guardrail is part of an answer with status 200. An `Idempotency-Key` has no effect.',
      query: filterParameters(WINDOW_PARAMETERS),
      body: TRIGGER_BODY,
      bodyExamples: { number: { phoneNumber: '+14155552671' } },
      status: 200,
      success: { description: 'The decision that the trigger would make now.', schema: EXPLANATION },
      refusals: refusalsBeforeRules('ExplainRefusal'),
    },
  },
);
