/** The part of JSON Schema 2020-12 (the dialect of OpenAPI 3.1) that the API's document is written in. */
export interface JsonSchema {
  $ref?: string;
  /** The name of an object's schema among the document's components. */
  title?: string;
  description?: string;
  type?: SchemaType | SchemaType[];
  format?: 'uuid' | 'email' | 'date' | 'date-time';
  pattern?: string;
  const?: unknown;
  enum?: readonly unknown[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  dependentRequired?: Record<string, string[]>;
  anyOf?: JsonSchema[];
  default?: unknown;
  examples?: readonly unknown[];
  contentMediaType?: string;
  /** The schema of each line, for a text of lines. */
  contentSchema?: JsonSchema;
}

type SchemaType = 'string' | 'number' | 'integer' | 'boolean' | 'object' | 'array' | 'null';

export const E164_SCHEMA = {
  type: 'string',
  pattern: '^\\+[1-9]\\d{6,14}$',
  examples: ['+14155552671'],
} as const satisfies JsonSchema;

/** The phone number in a row that outlives its contact. The number can be erased. */
export const STORED_NUMBER_SCHEMA = {
  type: 'string',
  pattern: '^(\\+[1-9]\\d{6,14}|erased:[0-9a-f-]{36,64})$',
  examples: ['+14155552671'],
} as const satisfies JsonSchema;

export const UUID_SCHEMA = { type: 'string', format: 'uuid' } as const satisfies JsonSchema;

/** An instant in UTC with milliseconds, as every answer writes it. */
export const INSTANT_SCHEMA = {
  type: 'string',
  format: 'date-time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$',
  examples: ['2026-11-20T14:00:00.000Z'],
} as const satisfies JsonSchema;

export const TEXT_SCHEMA = { type: 'string' } as const satisfies JsonSchema;
export const FLAG_SCHEMA = { type: 'boolean' } as const satisfies JsonSchema;
export const COUNT_SCHEMA = { type: 'integer', minimum: 0 } as const satisfies JsonSchema;
/** Counts by name. */
export const COUNTS_SCHEMA = {
  type: 'object',
  additionalProperties: COUNT_SCHEMA,
} as const satisfies JsonSchema;
/** A rank, counted from 1. */
export const ORDINAL_SCHEMA = { type: 'integer', minimum: 1 } as const satisfies JsonSchema;

/** Any JSON object. */
export const ANY_OBJECT_SCHEMA = {
  type: 'object',
  additionalProperties: true,
} as const satisfies JsonSchema;

export function oneOf(values: readonly string[]): JsonSchema {
  return { type: 'string', enum: values };
}

export function listOf(items: JsonSchema, limits: { minItems?: number; maxItems?: number } = {}): JsonSchema {
  return { type: 'array', items, ...limits };
}

export const NDJSON = 'application/x-ndjson';

/** A text with a JSON value on each line. */
export function linesOf(value: JsonSchema): JsonSchema {
  return { ...TEXT_SCHEMA, contentMediaType: NDJSON, contentSchema: value };
}

/** A schema that also allows null. */
export function nullable(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = schema;
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] };
  const types = Array.isArray(type) ? type : [type];
  if (types.includes('null')) return schema;
  return { ...schema, type: [...types, 'null'], ...(values && { enum: [...values, null] }) };
}

/** The warnings in an answer; the field is absent if there is none. */
export const WARNINGS_SCHEMA: JsonSchema = {
  type: 'array',
  minItems: 1,
  items: {
    title: 'Warning',
    type: 'object',
    properties: {
      key: {
        type: 'string',
        description:
          'The key of the request, or the template of the agent: `promptTemplate`, `firstMessageTemplate`.',
      },
      text: { type: 'string', description: 'What is probably unintended. The wording may change.' },
    },
    required: ['key', 'text'],
  },
  description:
    'What is accepted and probably unintended, such as a key that looks like a field, or a contact that was not enrolled in the ' +
    'campaign of the request. Absent if there is nothing.',
};

/** A schema that also allows the empty string. */
export function orEmpty(schema: JsonSchema): JsonSchema {
  const { anyOf, enum: values, format, minLength } = schema;
  const mayBeEmpty = [anyOf, values, format, minLength].every((limit) => limit === undefined);
  return mayBeEmpty ? schema : { anyOf: [schema, { type: 'string', maxLength: 0 }] };
}

export function described(schema: JsonSchema, description: string): JsonSchema {
  return { ...schema, description };
}

/**
 * The schema of an object in an answer. `T` is the type that the code returns, so no field can be missing or
 * invented. All fields are required except those in `optional`.
 */
export function objectOf<T extends object>(
  title: string,
  properties: Record<keyof T & string, JsonSchema>,
  { optional = [], description }: { optional?: (keyof T & string)[]; description?: string } = {},
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !(optional as string[]).includes(name));
  return { title, ...(description && { description }), type: 'object', properties, required };
}
