import { E164_SCHEMA, type JsonSchema, UUID_SCHEMA } from '../json-schema.js';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../page.js';
import { type QueryDoc, type SecurityScheme, type Surface } from './operation.js';

/** The parameters of paths. The answer to a malformed id is 404, as to an id that does not exist. */
export const PATH_PARAMETERS: Record<string, QueryDoc> = {
  agentId: { description: 'The voice agent.', schema: UUID_SCHEMA },
  callRequestId: { description: 'The `callRequestId` that the trigger returned.', schema: UUID_SCHEMA },
  campaignId: { description: 'The campaign.', schema: UUID_SCHEMA },
  contactId: { description: 'The contact.', schema: UUID_SCHEMA },
  enrollmentId: { description: 'The enrollment.', schema: UUID_SCHEMA },
  importId: { description: 'The import.', schema: UUID_SCHEMA },
  id: { description: 'The `id` of the resource.', schema: UUID_SCHEMA },
  phoneNumber: { description: 'The number, in E.164.', schema: E164_SCHEMA },
  teamId: { description: 'The team.', schema: UUID_SCHEMA },
  versionId: { description: 'The version of the campaign.', schema: UUID_SCHEMA },
};

/** The parameters of every list. */
export const PAGE_PARAMETERS = {
  limit: {
    description: 'How many items at most.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
  },
  cursor: {
    description: 'The `nextCursor` of the page before.',
    schema: { type: 'string', pattern: '^[\\w-]+$', maxLength: 500 },
  },
} satisfies Record<string, QueryDoc>;

export const IDEMPOTENCY_KEY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A text of your own, quoted or bare. For 24 hours the same key with the same request returns the first answer ' +
    'again, and does nothing; with another request it is refused. Successes and refusals by a guardrail are kept.',
  schema: { type: 'string', minLength: 1, maxLength: 257 } satisfies JsonSchema,
  example: 'order-4711-reminder-1',
} as const;

export const HEADERS: Record<string, { description: string; schema: JsonSchema }> = {
  'X-Request-Id': {
    description: 'The id of the request in the logs: the caller’s own `X-Request-Id`, or a new one.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'Seconds until the next attempt makes sense.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  'RateLimit-Limit': {
    description: 'Requests a second with the key, and as many at once; only where there is a limit.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  'RateLimit-Remaining': {
    description: 'How many of them are left.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  'RateLimit-Reset': {
    description: 'Seconds until all of them are back.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  'Idempotency-Replayed': {
    description: '`true` if the answer is that of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
};

const bearer = (description: string): SecurityScheme => ({ type: 'http', scheme: 'bearer', description });
export const SECURITY_SCHEMES: Record<string, SecurityScheme> = {
  teamKey: bearer('The team’s API key; it names the team.'),
  operatorToken: bearer('The `OPERATOR_TOKEN` of the deployment.'),
  metricsToken: bearer('The `METRICS_TOKEN` of the deployment; where that is not set, none is asked for.'),
};

/** The headers of every answer to a request that the API rate limit has counted. */
export const RATE_LIMIT_HEADERS = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];

/** Which credentials the routes of a surface require. Each carrier has credentials of its own. */
export const SECURITY: Record<Surface, Record<string, string[]>[]> = {
  call: [{ teamKey: [] }],
  team: [{ teamKey: [] }],
  operator: [{ operatorToken: [] }],
  carrier: [],
  metrics: [{ metricsToken: [] }, {}],
  public: [],
};
