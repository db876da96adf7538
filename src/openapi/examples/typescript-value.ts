import { type ExampleValue, variableOf } from './operation-example.js';

/**
 * A value that makes a line longer than this is broken into several lines. So a phone shows most lines whole.
 */
const WIDTH = 56;

/** A value as TypeScript writes it. @param indent of the line on which the value begins. */
export function sourceOf(value: ExampleValue, indent = ''): string {
  const flat = flatSourceOf(value);
  if (typeof value !== 'object' || value === null || indent.length + flat.length <= WIDTH) return flat;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const lines = isList
    ? value.map((item: ExampleValue) => `${inner}${sourceOf(item, inner)},`)
    : Object.entries(value).map(([key, member]) => `${inner}${keyOf(key)}: ${sourceOf(member, inner)},`);
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${lines.join('\n')}\n${indent}${close}`;
}

function flatSourceOf(value: ExampleValue): string {
  if (typeof value === 'string') return variableSource(value) ?? quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map(flatSourceOf).join(', ')}]`;
  const members = Object.entries(value).map(([key, member]) => {
    const source = flatSourceOf(member);
    return `${keyOf(key)}: ${source}`;
  });
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

const keyOf = (key: string) => (/^[A-Za-z_]\w*$/.test(key) ? key : quoted(key));

const quoted = (text: string) =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;

function variableSource(text: string): string | null {
  const name = variableOf(text);
  return name === null ? null : `env.${name}`;
}
