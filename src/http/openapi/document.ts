import { bodySchemaOf } from '../body-schema.js';
import { filterParameters } from '../filters.js';
import { type JsonSchema } from '../json-schema.js';
import {
  HEADERS,
  IDEMPOTENCY_KEY_PARAMETER,
  PAGE_PARAMETERS,
  PATH_PARAMETERS,
  RATE_LIMIT_HEADERS,
  SECURITY_SCHEMES,
} from './components.js';
import { asError, sharedRefusals } from './errors.js';
import { scopeText, securityOf, withScopeRefusal } from './scopes.js';
import { type DocumentedController, type QueryDoc, type ResponseDoc, type Surface } from './operation.js';
import { type DocumentedRoute, routesOf } from './routes.js';
import { SchemaComponents } from './schema-components.js';

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: JsonSchema;
  example?: unknown;
}

export interface MediaType {
  schema: JsonSchema;
  examples?: Record<string, { value: unknown }>;
}

export interface ResponseObject {
  description: string;
  headers: Record<string, { $ref: string }>;
  content?: Record<string, MediaType>;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  deprecated?: true;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required: true; content: Record<string, MediaType> };
  responses: Record<string, ResponseObject>;
}

export type PathItem = Partial<Record<DocumentedRoute['method'], Operation>>;

/** The part of OpenAPI 3.1 that this service's document uses. */
export interface OpenApiDocument {
  openapi: '3.1.0';
  jsonSchemaDialect: string;
  info: { title: string; version: string; description: string };
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  /** Groups of tags. Readers of OpenAPI such as Redoc make a section of each group. */
  'x-tagGroups': { name: string; tags: string[] }[];
  paths: Record<string, PathItem>;
  components: {
    schemas: Record<string, JsonSchema>;
    headers: typeof HEADERS;
    securitySchemes: typeof SECURITY_SCHEMES;
  };
}

/** Builds the document of the controllers. `tags` are in the order of reading. */
export function buildDocument(
  controllers: readonly DocumentedController[],
  about: Pick<OpenApiDocument, 'info' | 'servers' | 'tags' | 'x-tagGroups'>,
): OpenApiDocument {
  const components = new SchemaComponents();
  const paths: OpenApiDocument['paths'] = {};
  for (const route of controllers.flatMap(routesOf)) {
    (paths[route.path] ??= {})[route.method] = operationOf(route, components);
  }
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    ...about,
    paths,
    components: { schemas: components.schemas(), headers: HEADERS, securitySchemes: schemesOf(controllers) },
  };
}

/** The security schemes of the surfaces, and those of controllers with credentials of their own. */
function schemesOf(controllers: readonly DocumentedController[]): typeof SECURITY_SCHEMES {
  const own = controllers.flatMap(({ credentials }) =>
    credentials === undefined ? [] : [[credentials.name, credentials.scheme] as const],
  );
  return { ...SECURITY_SCHEMES, ...Object.fromEntries(own) };
}

function operationOf(route: DocumentedRoute, components: SchemaComponents): Operation {
  const { operation, about, input, scope = [], isDeprecated, status, pathParameters } = route;
  const body = input.body ? { ...bodySchemaOf(input.body), additionalProperties: false } : operation.body;
  const parameters = parametersOf(route);
  const refusals = {
    ...sharedRefusals(about, {
      body: body !== undefined,
      query: input.filters !== undefined,
      path: pathParameters.length > 0,
    }),
    ...withScopeRefusal(operation, scope),
  };
  const description = [operation.description, scopeText(scope)]
    .filter((text) => text !== undefined)
    .join(' ');
  const headers = operation.idempotent ? ['Idempotency-Replayed'] : [];
  const success = { ...operation.success, headers: [...headers, ...(operation.success.headers ?? [])] };
  const responses = Object.entries({ [status]: success, ...operation.otherSuccesses, ...refusals });
  return {
    operationId: operation.id,
    tags: [about.tag],
    summary: operation.summary,
    ...(isDeprecated && { deprecated: true }),
    ...(description !== '' && { description }),
    security: about.credentials ? [{ [about.credentials.name]: [] }] : securityOf(about.surface, scope),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: {
        required: true as const,
        content: {
          ...content(body, components, operation.bodyExamples, operation.bodyType),
          ...mediaTypes(operation.otherBodies, components),
        },
      },
    }),
    responses: Object.fromEntries(
      responses.map(([code, doc]) => [
        code,
        responseOf(asError(Number(code), withLimitHeaders(about.surface, code, doc)), components),
      ]),
    ),
  };
}

/** Adds the headers of the rate limit. A 401 has none, because a request with a wrong key is not counted. */
function withLimitHeaders(surface: Surface, status: string, doc: ResponseDoc): ResponseDoc {
  const isCounted = (surface === 'team' || surface === 'call') && status !== '401';
  return isCounted ? { ...doc, headers: [...(doc.headers ?? []), ...RATE_LIMIT_HEADERS] } : doc;
}

/** What a route reads of its path, its query and its headers. */
export function parametersOf({ input, operation, pathParameters }: DocumentedRoute): Parameter[] {
  const { limit, ...cursor } = PAGE_PARAMETERS;
  const page = { limit, ...(input.hasCursor !== false && cursor) };
  if (input.filters && operation.query)
    throw new Error(`the parameters of ${operation.id} are its filters, which document themselves`);
  const filtered = input.filters && { ...filterParameters(input.filters), ...page };
  const query: Record<string, QueryDoc> = { ...operation.query, ...filtered };
  return [
    ...pathParameters.map((name): Parameter => {
      const doc = PATH_PARAMETERS[name];
      if (doc === undefined) throw new Error(`the path parameter ${name} is not documented`);
      return { name, in: 'path', required: true, ...doc };
    }),
    ...Object.entries(query).map(([name, doc]): Parameter => {
      return { name, in: 'query', required: false, ...doc };
    }),
    ...Object.entries(operation.headers ?? {}).map(([name, doc]): Parameter => {
      return { name, in: 'header', required: false, ...doc };
    }),
    ...(operation.idempotent ? [IDEMPOTENCY_KEY_PARAMETER] : []),
  ];
}

function responseOf(doc: ResponseDoc, components: SchemaComponents): ResponseObject {
  const headers = ['X-Request-Id', ...(doc.headers ?? [])];
  return {
    description: doc.description,
    headers: Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    ...(doc.schema && {
      content: {
        ...content(doc.schema, components, doc.examples, doc.contentType),
        ...mediaTypes(doc.others, components),
      },
    }),
  };
}

function mediaTypes(
  schemas: Record<string, JsonSchema> = {},
  components: SchemaComponents,
): Record<string, MediaType> {
  return Object.fromEntries(
    Object.entries(schemas).map(([type, schema]) => [type, { schema: components.refer(schema) }]),
  );
}

function content(
  schema: JsonSchema,
  components: SchemaComponents,
  examples: Record<string, unknown> = {},
  contentType = 'application/json',
): Record<string, MediaType> {
  const named = Object.entries(examples).map(([name, value]) => [name, { value }] as const);
  return {
    [contentType]: {
      schema: components.refer(schema),
      ...(named.length > 0 && { examples: Object.fromEntries(named) }),
    },
  };
}
