import { EXTERNAL_ID } from '../../domain/contact-fields.js';
import { E164_SCHEMA, type JsonSchema, UUID_SCHEMA } from '../json-schema.js';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../page.js';
import { printableSchema } from '../validators.js';
import { type QueryDoc, type SecurityScheme, type Surface } from './operation.js';

/** The parameters of paths. The answer to a malformed id is 404, as to an id that does not exist. */
export const PATH_PARAMETERS: Record<string, QueryDoc> = {
  agentId: { description: 'The id of the voice agent.', schema: UUID_SCHEMA },
  accountId: { description: 'The id of the team’s carrier account.', schema: UUID_SCHEMA },
  callRequestId: { description: 'The `callRequestId` of the call.', schema: UUID_SCHEMA },
  campaignId: { description: 'The id of the campaign.', schema: UUID_SCHEMA },
  contactId: { description: 'The id of the contact.', schema: UUID_SCHEMA },
  externalId: {
    description: 'The external id of the contact, percent-encoded.',
    schema: printableSchema(EXTERNAL_ID.kind.max),
    example: EXTERNAL_ID.example,
  },
  enrollmentId: { description: 'The id of the enrollment.', schema: UUID_SCHEMA },
  importId: { description: 'The id of the import.', schema: UUID_SCHEMA },
  id: { description: 'The `id` of the resource.', schema: UUID_SCHEMA },
  phoneNumber: { description: 'The phone number, in E.164.', schema: E164_SCHEMA },
  teamId: { description: 'The id of the team.', schema: UUID_SCHEMA },
  versionId: { description: 'The id of the campaign’s version.', schema: UUID_SCHEMA },
};

/** The parameters of every list. */
export const PAGE_PARAMETERS = {
  limit: {
    description: 'The maximum number of items.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
  },
  cursor: {
    description: 'The `nextCursor` of the previous page.',
    schema: { type: 'string', pattern: '^[\\w-]+$', maxLength: 500 },
  },
} satisfies Record<string, QueryDoc>;

export const IDEMPOTENCY_KEY_PARAMETER = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes a request safe to repeat. The key has 1 to 255 printable ASCII characters, quoted or bare. ' +
    'For 24 hours, the same request with the same key returns the first answer and has no further effect. ' +
    'Another request with the key is refused. Successes and refusals by a guardrail are stored.',
  schema: { type: 'string', minLength: 1, maxLength: 257 } satisfies JsonSchema,
  example: 'order-4711-reminder-1',
} as const;

export const HEADERS: Record<string, { description: string; schema: JsonSchema }> = {
  'X-Request-Id': {
    description: 'The id of the request in the logs: the `X-Request-Id` of the request, or a new id.',
    schema: { type: 'string' },
  },
  'Retry-After': {
    description: 'The number of seconds to wait before the next attempt.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  'RateLimit-Limit': {
    description:
      'The number of requests per second that the API key may send, and the largest burst. Absent if there is no limit.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  'RateLimit-Remaining': {
    description: 'The number of requests that the API key can still send at once.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  'RateLimit-Reset': {
    description:
      'The number of seconds after which the whole limit is available, if no further request is sent.',
    schema: { type: 'string', pattern: '^\\d+$' },
  },
  'Idempotency-Replayed': {
    description:
      '`true` if the answer is the stored answer to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
};

const bearer = (description: string): SecurityScheme => ({ type: 'http', scheme: 'bearer', description });
export const SECURITY_SCHEMES: Record<string, SecurityScheme> = {
  teamKey: bearer('The team’s API key, which identifies the team.'),
  operatorToken: bearer('The `OPERATOR_TOKEN` of the deployment.'),
  metricsToken: bearer('The `METRICS_TOKEN` of the deployment. If it is not set, the route needs no token.'),
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
