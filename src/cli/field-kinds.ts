import { readFileSync } from 'node:fs';
import { type FieldSpec } from './command.js';
import { UsageError } from './usage-error.js';

const NONE = 'none';

/** JSON as it was typed. The body contains the typed text, because `JSON.parse` rounds numbers. */
export class TypedJson {
  constructor(
    readonly text: string,
    private readonly value: unknown,
  ) {}

  /** For the size of the body: spaces between values do not count. */
  toJSON(): unknown {
    return this.value;
  }
}

interface Shape {
  required?: boolean;
  /** Whether `none` clears the field. */
  clears?: boolean;
}

function field(
  value: string | undefined,
  help: string,
  shape: Shape,
  read: (text: string, option: string) => unknown,
): FieldSpec {
  return {
    value,
    help: shape.clears ? `${help}; ${NONE} clears it` : help,
    required: shape.required,
    read: (typed, option) => {
      if (typeof typed === 'boolean') return typed;
      return shape.clears && typed === NONE ? null : read(typed, option);
    },
  };
}

export function text(value: string, help: string, shape: Shape = {}): FieldSpec {
  return field(value, help, shape, (typed) => typed);
}

/** Text that is not a whole number is left as it is; the validation of the field refuses it. */
export function wholeNumber(help: string, shape: Shape = {}): FieldSpec {
  return field('<n>', help, shape, (typed) => (/^\d{1,15}$/.test(typed) ? Number(typed) : typed));
}

/** Days of a retention. */
export function days(help: string): FieldSpec {
  const kind = wholeNumber(help, { clears: true });
  return { ...kind, value: '<days>', help: `${help}; ${NONE} keeps them without end` };
}

/** A flag; `--no-…` turns it off. */
export function flag(help: string): FieldSpec {
  return field(undefined, help, {}, (typed) => typed);
}

/** Values with commas between them. */
export function list(value: string, help: string, shape: Shape = {}): FieldSpec {
  return field(value, help, shape, (typed) =>
    typed
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  );
}

/**
 * JSON, or `@` and the name of a file that holds it. `words` are texts that can be typed instead of JSON,
 * with their values.
 */
export function json(help: string, shape: Shape = {}, words: Record<string, unknown> = {}): FieldSpec {
  return field('<json|@file>', help, shape, (typed, option) => {
    if (Object.hasOwn(words, typed)) return words[typed];
    try {
      const content = contentOf(typed, option);
      return new TypedJson(content, JSON.parse(content));
    } catch (error) {
      if (error instanceof UsageError) throw error;
      throw new UsageError(`--${option} is not JSON; put it into a file and give --${option} @file.json`);
    }
  });
}

/** A longer text, or `@` and the name of a file that holds it. */
export function longText(help: string, shape: Shape = {}): FieldSpec {
  return field('<text|@file>', help, shape, contentOf);
}

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
