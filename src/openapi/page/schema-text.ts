import { type JsonSchema } from '../../http/json-schema.js';

/** A schema's kind of value in a few words: `string (uuid) or null`, `list of Call`. */
export function kindOf(schema: JsonSchema): string {
  if (schema.$ref) return componentOf(schema);
  if (schema.anyOf) return schema.anyOf.map(kindOf).join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum)
    return schema.enum.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ');
  if (schema.type === undefined) return 'anything';
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.map((type) => (type === 'null' ? 'null' : kindOfType(type, schema))).join(' or ');
}

function kindOfType(type: string, schema: JsonSchema): string {
  if (type === 'array') return `list of ${schema.items ? kindOf(schema.items) : 'anything'}`;
  const limits = limitsOf(schema);
  return limits === '' ? type : `${type} (${limits})`;
}

function limitsOf({ format, maxLength, minimum, maximum }: JsonSchema): string {
  const limits = [
    format,
    maxLength !== undefined && `at most ${maxLength} characters`,
    minimum !== undefined && (maximum === undefined ? `from ${minimum}` : `${minimum} to ${maximum}`),
  ];
  return limits.filter((limit) => typeof limit === 'string').join(', ');
}

/** The name of the component that a reference points to. */
export function componentOf({ $ref = '' }: JsonSchema): string {
  return $ref.slice($ref.lastIndexOf('/') + 1);
}
