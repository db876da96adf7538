import { MAX_LISTED, problemOf } from '../app-error.js';
import { type JsonSchema, WARNINGS_SCHEMA } from '../json-schema.js';
import { MAX_BODY_BYTES } from '../request-body.js';
import { MAX_LIMIT } from '../page.js';
import { type DocumentedController, type ResponseDoc, type Surface } from './operation.js';

/** The `{error}` of every surface but the call endpoint's. */
export const ERROR_SCHEMA: JsonSchema = {
  title: 'Error',
  type: 'object',
  properties: {
    error: {
      type: 'string',
      description:
        'Describes the fault, and names the field if there is one. Of many faults, it describes the first 20.',
    },
  },
  required: ['error'],
};

/** The id of the request in the examples. */
export const EXAMPLE_REQUEST_ID = '6d1c1d0e-4a3f-4c53-9d4e-0f5b7f6f2a11';

/** What helps a client whose key was not found because it was sent in another way. */
export const HINT_SCHEMA: JsonSchema = {
  type: 'string',
  description: 'What to change, if the key was sent otherwise than as a bearer token. Absent otherwise.',
};

const PROBLEM: JsonSchema = {
  title: 'Problem',
  type: 'object',
  properties: {
    path: {
      type: 'string',
      description:
        'The path of the field, query parameter or header, such as `definition.steps[1].key`. Empty if the fault concerns the whole request.',
    },
    message: { type: 'string', description: 'Describes the fault, including its path.' },
  },
  required: ['path', 'message'],
};

const REQUEST_ID: JsonSchema = {
  type: 'string',
  description:
    'The id of the request, as in `X-Request-Id` and the logs. A replayed answer has the id of the first request.',
};

const PROBLEMS: JsonSchema = {
  type: 'array',
  items: PROBLEM,
  minItems: 1,
  maxItems: MAX_LISTED,
  description: `One entry for each fault of the request, at most ${MAX_LISTED}.`,
};

/** Adds the fields that an error has on every surface: `requestId`, and `errors` in a 400. */
export function asError(status: number, doc: ResponseDoc): ResponseDoc {
  if (status < 400 || doc.schema === undefined || doc.contentType !== undefined) return doc;
  const examples = Object.entries(doc.examples ?? {}).map(
    ([name, value]) => [name, exampleOf(status, value as ErrorExample)] as const,
  );
  return { ...doc, schema: errorSchema(status, doc.schema), examples: Object.fromEntries(examples) };
}

function errorSchema(status: number, schema: JsonSchema): JsonSchema {
  if (schema.anyOf) return { ...schema, anyOf: schema.anyOf.map((one) => errorSchema(status, one)) };
  const { properties = {}, required = [] } = schema;
  if (!('error' in properties || 'message' in properties)) return schema;
  const added = { requestId: REQUEST_ID, ...(status === 400 && { errors: PROBLEMS }) };
  const optional: Record<string, JsonSchema> =
    status === 400 ? { warnings: WARNINGS_SCHEMA } : status === 401 ? { hint: HINT_SCHEMA } : {};
  return {
    ...schema,
    ...(schema === ERROR_SCHEMA && status === 400 && { title: 'InvalidRequest' }),
    ...(schema === ERROR_SCHEMA && status === 401 && { title: 'Unauthorized' }),
    properties: { ...properties, ...added, ...optional },
    required: [...required, ...Object.keys(added)],
  };
}

type ErrorExample = Record<string, unknown> & { error?: string; message?: string };

function exampleOf(status: number, value: ErrorExample): ErrorExample {
  const text = value.error ?? value.message;
  if (text === undefined) return value;
  const errors = text.split('; ').map((message) => problemOf(message));
  return { requestId: EXAMPLE_REQUEST_ID, ...(status === 400 && { errors }), ...value };
}

export function errorDoc(description: string, ...examples: string[]): ResponseDoc {
  return {
    description,
    schema: ERROR_SCHEMA,
    examples: Object.fromEntries(examples.map((error) => [exampleName(error), { error }])),
  };
}

/** What the request's route reads, as far as refusals depend on it. */
export interface Reads {
  body: boolean;
  query: boolean;
  path: boolean;
}

const CREDENTIALS: Record<Exclude<Surface, 'call' | 'carrier' | 'public'>, string> = {
  team: 'Invalid API key',
  operator: 'Invalid operator token',
  metrics: 'Invalid metrics token',
};

/** Every surface counts wrong credentials; other limits depend on the surface and on what the route reads. */
function tooMany(surface: Surface, reads: Reads): ResponseDoc {
  const cases: (false | [description: string, example: string])[] = [
    [
      'Too many requests with wrong credentials came from the client’s address.',
      'Too many failed authentications',
    ],
    surface === 'team' && ['The API rate limit of the key is reached.', 'Too many requests'],
    reads.body && [
      'The bodies of the sender’s requests in progress use too much memory.',
      'Too many large bodies at once',
    ],
  ];
  const applicable = cases.filter((one) => one !== false);
  const descriptions = applicable.map(([description]) => description);
  return {
    ...errorDoc(descriptions.join(' '), ...applicable.map(([, example]) => example)),
    headers: ['Retry-After'],
  };
}

const UNAVAILABLE: ResponseDoc = {
  ...errorDoc(
    'The service cannot answer now, for example because Postgres is unreachable, overloaded or too slow.',
    'Service unavailable, try again later',
  ),
  headers: ['Retry-After'],
};

/**
 * The refusals that every route of a surface with the `{error}` shape shares, depending on what the route
 * reads.
 */
export function sharedRefusals(
  { surface, credentials }: Pick<DocumentedController, 'surface' | 'credentials'>,
  reads: Reads,
): Record<number, ResponseDoc> {
  if (surface === 'call' || surface === 'public') return {};
  const refusal = surface === 'carrier' ? (credentials?.refusal ?? 'Unauthorized') : CREDENTIALS[surface];
  const refusals: Record<number, ResponseDoc> = {
    401: errorDoc('The credentials are missing or wrong.', refusal),
    429: tooMany(surface, reads),
  };
  if (surface === 'metrics') return refusals;
  if (reads.body) {
    const limit = `The body must be at most ${MAX_BODY_BYTES / 1024} KB`;
    refusals[400] = errorDoc('The body or a field is malformed.', 'The body is not valid JSON');
    refusals[413] = errorDoc('The body is too large.', limit);
    refusals[415] = errorDoc('The body has a `Content-Encoding`.', 'The body must have no Content-Encoding');
  } else if (reads.query) {
    const example = `limit must be a whole number from 1 to ${MAX_LIMIT}`;
    refusals[400] = errorDoc('A query parameter is malformed.', example);
  }
  if (reads.path) {
    refusals[404] = errorDoc('The resource does not exist, or it belongs to another team.', 'Team not found');
  }
  return {
    ...refusals,
    500: errorDoc('An unexpected error occurred.', 'Internal server error'),
    503: UNAVAILABLE,
  };
}

function exampleName(error: string): string {
  const words = error.replace(/[^a-zA-Z ]/g, '').split(' ');
  return words.slice(0, 5).join('_').toLowerCase();
}
