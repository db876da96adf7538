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
} from '../../http/json-schema.js';
import { documented } from '../../http/openapi/operation.js';
import { refusalsBeforeRules, TRIGGER_BODY } from '../trigger/trigger.openapi.js';
import { ExplainController } from './explain.controller.js';
import { type Explanation } from './explain.js';

/** The result of one guardrail. */
export const RULE_SCHEMA: JsonSchema = {
  title: 'CallDecisionRule',
  type: 'object',
  properties: {
    reason: oneOf(GUARDRAIL_REASONS),
    allow: FLAG_SCHEMA,
    evidence: described(ANY_OBJECT_SCHEMA, 'The facts that the rule evaluated.'),
    retryAt: described(INSTANT_SCHEMA, 'The first instant at which the same facts do not refuse.'),
  },
  required: ['reason', 'allow', 'evidence'],
};

const SOURCES = ['request_pool', 'from_number', 'agent_pool', 'agent_number'];

const EXPLANATION = objectOf<Explanation>('CallExplanation', {
  wouldBe: described(oneOf(['queued', 'scheduled', 'refused']), 'What the trigger would do.'),
  status: described({ type: 'integer' }, 'The HTTP status of the trigger’s answer.'),
  reason: described(nullable(oneOf(GUARDRAIL_REASONS)), 'The first guardrail that refuses.'),
  message: nullable(TEXT_SCHEMA),
  runsAt: described(nullable(INSTANT_SCHEMA), 'When a scheduled call would be due.'),
  zones: described(listOf(TEXT_SCHEMA), 'The time zones in which calling hours are evaluated.'),
  zoneSource: described(oneOf(['request', 'contact', 'agent']), 'What names the time zone.'),
  callerId: objectOf<Explanation['callerId']>('CallerIdExplanation', {
    source: described(nullable(oneOf(SOURCES)), 'What names the caller ID; null if nothing does.'),
    candidates: described(
      listOf(E164_SCHEMA),
      'The numbers to call from. Of a pool at most 16, the least recently used first.',
    ),
  }),
  rules: described(listOf(RULE_SCHEMA), 'Every guardrail, evaluated now, also outside calling hours.'),
  firstAllowedAt: described(
    nullable(INSTANT_SCHEMA),
    'The first instant inside calling hours at which the same facts refuse nothing; null if waiting does not help.',
  ),
  prompt: described(TEXT_SCHEMA, 'The rendered template.'),
  firstMessage: described(TEXT_SCHEMA, 'The rendered template.'),
  unknownPlaceholders: described(listOf(TEXT_SCHEMA), 'Placeholders of the templates without a value.'),
});

export const EXPLAIN_OPENAPI = documented(
  ExplainController,
  { surface: 'call', tag: 'Calls' },
  {
    post: {
      id: 'explainCall',
      summary: 'Tell what a trigger would do, and why',
      description:
        'Takes the body of a trigger, stores nothing and calls nothing. A fault of the key, agent, body or caller ID is refused as ' +
        'the trigger refuses it. A guardrail that refuses is part of the answer. An `Idempotency-Key` has no effect.',
      body: TRIGGER_BODY,
      bodyExamples: { number: { phoneNumber: '+14155552671' } },
      status: 200,
      success: { description: 'What the trigger would do now.', schema: EXPLANATION },
      refusals: refusalsBeforeRules('ExplainRefusal'),
    },
  },
);
