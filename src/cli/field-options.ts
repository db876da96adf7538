import { readFileSync } from 'node:fs';
import { type JsonSchema } from '../http/json-schema.js';
import { type Fields, type FieldSpec } from './command.js';
import { fieldsOf, type OperationField, operationNamed } from './operations.js';
import { optionName } from './options.js';
import { UsageError } from './usage-error.js';

/** The longest text that is typed rather than read from a file. */
const MAX_TYPED_TEXT = 1_000;
/** The longest example in a help. */
const MAX_EXAMPLE = 80;

/** What a command says of a field otherwise than the API's document does. */
export interface FlagSpec {
  /** The name of the option, without its dashes. */
  name?: string;
  help?: string;
  /** The word that stands for null; `none` unless given. */
  nullWord?: string;
}

/** Options for the fields of an operation's requests, except those in `without`. */
export function fieldOptions(
  id: string,
  {
    without = [],
    flags = {},
  }: { without?: readonly string[]; flags?: Readonly<Record<string, FlagSpec>> } = {},
): Fields {
  const options: Record<string, FieldSpec> = {};
  const fields = fieldsOf(operationNamed(id));
  for (const [field, about] of Object.entries(fields)) {
    if (!without.includes(field)) options[field] = optionOf(field, about, flags[field] ?? {});
  }
  // The document names fields. On the command line these are options.
  for (const spec of Object.values(options)) {
    spec.help = spec.help.replace(/`(\w+)`/g, (text, field: string) => {
      const named = options[field];
      return named === undefined ? text : `--${optionName(field, named)}`;
    });
  }
  return options;
}

function optionOf(
  field: string,
  { schema, required }: OperationField,
  { name, help, nullWord = 'none' }: FlagSpec,
): FieldSpec {
  const types = typesOf(schema);
  const mayBeNull = types.has('null');
  const { value, read } = kindOf(schema, types);
  const flag = optionName(field, { name });
  const texts = [
    ...(help === undefined ? [schema.description ?? '', ...limitsOf(schema)] : [help]),
    ...(value === undefined ? [`--no-${flag} is false.`] : []),
    ...(mayBeNull ? [`The word ${nullWord} is null.`] : []),
    ...(help === undefined ? exampleOf(schema) : []),
  ];
  return {
    name,
    value,
    required,
    help: texts.join(' '),
    read: (typed) => {
      if (typeof typed === 'boolean') return typed;
      return mayBeNull && typed === nullWord ? null : read(typed, flag);
    },
  };
}

/** Every type that a value of the schema can have. */
function typesOf({ type, anyOf = [] }: JsonSchema): Set<string> {
  return new Set([type ?? [], ...anyOf.map((part) => [...typesOf(part)])].flat());
}

interface Kind {
  /** What stands for the value in the help; undefined for a flag. */
  value: string | undefined;
  read: (typed: string, option: string) => unknown;
}

function kindOf(schema: JsonSchema, types: Set<string>): Kind {
  if (types.has('object') || schema.items?.type === 'object') return { value: '<json|@file>', read: jsonIn };
  if (types.has('array')) return { value: '<value,…>', read: itemsIn };
  if (types.has('boolean')) return { value: undefined, read: (typed) => typed };
  if (types.has('integer') || types.has('number')) return { value: '<n>', read: numberIn };
  if ((schema.maxLength ?? 0) > MAX_TYPED_TEXT) return { value: '<text|@file>', read: contentOf };
  const formats: Partial<Record<string, string>> = { uuid: '<id>', 'date-time': '<time>' };
  const value = schema.enum === undefined ? formats[schema.format ?? ''] : '<name>';
  return { value: value ?? '<text>', read: (typed) => typed };
}

/** What else the schema says of a value. */
function limitsOf({ minimum, maximum, default: byDefault, ...schema }: JsonSchema): string[] {
  const names = (schema.enum ?? schema.items?.enum)?.filter((name) => typeof name === 'string');
  return [
    ...(names === undefined ? [] : [`One of ${names.join(', ')}.`]),
    ...(minimum === undefined || maximum === undefined ? [] : [`From ${minimum} to ${maximum}.`]),
    ...(byDefault === undefined ? [] : [`${JSON.stringify(byDefault)} unless given.`]),
  ];
}

function exampleOf({ examples: [example] = [] }: JsonSchema): string[] {
  const text = typeof example === 'string' ? example : JSON.stringify(example);
  return example === undefined || text.length > MAX_EXAMPLE ? [] : [`Such as ${text}`];
}

/** Text that is no number, or one that would be rounded, is left as it is; the validation of the field refuses it. */
function numberIn(typed: string): unknown {
  return /^(\d{1,15}|-?\d{1,9}([.]\d{1,6})?)$/.test(typed) ? Number(typed) : typed;
}

/** Values with commas between them. */
function itemsIn(typed: string): string[] {
  return typed
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** JSON as it was typed. The body contains the typed text, because `JSON.parse` rounds numbers. */
export class TypedJson {
  constructor(readonly text: string) {}
}

/** JSON, or `@` and the name of a file that holds it. */
function jsonIn(typed: string, option: string): TypedJson {
  const content = contentOf(typed, option);
  try {
    JSON.parse(content);
  } catch {
    throw new UsageError(`--${option} is not JSON; put it into a file and give --${option} @file.json`);
  }
  // Spaces between values do not count as the size of the body.
  return new TypedJson(content.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1'));
}

/** A longer text, or `@` and the name of a file that holds it. */
function contentOf(typed: string, option: string): string {
  if (!typed.startsWith('@')) return typed;
  try {
    return readFileSync(typed.slice(1), 'utf8');
  } catch (error) {
    throw new UsageError(
      `--${option}: ${typed.slice(1)} cannot be read (${(error as NodeJS.ErrnoException).code})`,
    );
  }
}
