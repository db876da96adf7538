import {
  CONTACT_FIELD_ALIASES,
  CONTACT_FIELD_NAMES,
  type ContactFieldName,
  type ContactFieldValues,
  EXTERNAL_ID,
} from './contact-fields.js';

/** The contact's fields in templates. Custom properties are any JSON, as they were sent. */
export type ContactForPrompt = {
  contactId: string;
  phoneNumber: string | null;
  customProperties: Record<string, unknown>;
} & ContactFieldValues;

/** A part of a template between braces. */
export interface Placeholder {
  /** Without spaces around it. */
  name: string;
  /** The text after the first `|`, without spaces around it; null without a `|`. */
  fallback: string | null;
}

/**
 * The text, and the placeholders with neither a value nor a default: their names, once each, in order of
 * appearance.
 */
export type RenderedTemplate = { text: string; unknownPlaceholders: string[] };

/** Longest placeholder, in UTF-16 units between the braces; anything longer is ordinary text. */
export const MAX_PLACEHOLDER = 256;

/**
 * The maximum length that values may add to one text, in UTF-16 units. Without this limit, a template that
 * repeats a large variable could exceed the maximum length of a string and crash the worker.
 */
export const MAX_VALUES_TEXT = 1_000_000;

type PromptField = 'contactId' | 'phoneNumber' | ContactFieldName;

/** The contract's fields of a contact, by each name that the contract gives them. */
export const FIELDS: ReadonlyMap<string, PromptField> = new Map<string, PromptField>([
  ['contactId', 'contactId'],
  ['phoneNumber', 'phoneNumber'],
  ...CONTACT_FIELD_NAMES.flatMap((name) => [
    [name, name] as const,
    ...CONTACT_FIELD_ALIASES.filter(([, field]) => field === name),
  ]),
]);
const NOT_IN_A_NAME = /[{}\r\n]/;
const SPACED_DOT = /\s*\.\s*/g;

/**
 * Fills `{{…}}` with the contact and the call's variables.
 *
 * - `{{contact}}` is the name, `{{contact.<field>}}` a field (`fullName` is `name`), and `{{contact.<key>}}`
 *   a custom property. A field takes precedence over a property of the same name, except the external id.
 * - Any other name is a variable. A variable named `contact` has no effect.
 * - Dots lead into objects and arrays: `{{contact.address.city}}`, `{{items.0}}`. A key that contains dots
 *   takes precedence over a path. Inherited properties do not count.
 * - Text is inserted as it is, objects and arrays as JSON, null as nothing. Inserted values are not rendered
 *   again.
 * - `{{name | default}}` becomes the default if the name has no value, or a value that is empty or only
 *   whitespace. Everything after the first `|` is the default. It is plain text, and is not rendered. It may
 *   be empty.
 * - A placeholder with neither a value nor a default becomes empty and is listed. The same holds for the
 *   first placeholder whose value would make all values longer than {@link MAX_VALUES_TEXT}, and for every
 *   placeholder after it.
 * - Braces that enclose no name, or a name or default with a brace or a line break, stay as they are.
 *
 * Never throws; takes linear time.
 */
export function renderTemplate(
  template: string,
  contact: ContactForPrompt,
  variables: Record<string, unknown>,
): RenderedTemplate {
  const parts: string[] = [];
  const unknown = new Set<string>();
  const rendered = new Map<string, string | undefined>();
  let budget = MAX_VALUES_TEXT;
  readTemplate(
    template,
    (text) => parts.push(text),
    ({ name, fallback }) => {
      if (budget > 0 && !rendered.has(name)) rendered.set(name, valueText(name, contact, variables));
      const value = rendered.get(name);
      if (fallback !== null && isBlank(value)) {
        parts.push(fallback);
        return;
      }
      budget -= value?.length ?? 0;
      if (value === undefined || budget < 0) unknown.add(name);
      else parts.push(value);
    },
  );
  return { text: parts.join(''), unknownPlaceholders: [...unknown] };
}

/** Whether a default replaces the text of a value; undefined: there is no value. */
export function isBlank(value: string | undefined): boolean {
  return value === undefined || value.trim() === '';
}

/** Calls `onText` and `onPlaceholder` with the parts of a template, in their order. Takes linear time. */
export function readTemplate(
  template: string,
  onText: (text: string) => void,
  onPlaceholder: (placeholder: Placeholder) => void,
): void {
  let done = 0;
  while (done < template.length) {
    const firstOpen = template.indexOf('{{', done);
    const close = firstOpen === -1 ? -1 : template.indexOf('}}', firstOpen + 2);
    if (close === -1) break;
    // The last opening counts: `{{{name}}}` is a placeholder in braces, and `{{ {{name}}` begins with a stray
    // pair.
    const open = template.lastIndexOf('{{', close - 2);
    const placeholder = placeholderAt(template, open + 2, close);
    if (placeholder === null) {
      onText(template.slice(done, close + 2));
    } else {
      onText(template.slice(done, open));
      onPlaceholder(placeholder);
    }
    done = close + 2;
  }
  onText(template.slice(done));
}

function placeholderAt(template: string, start: number, end: number): Placeholder | null {
  if (end - start > MAX_PLACEHOLDER) return null;
  const inner = template.slice(start, end).trim();
  if (NOT_IN_A_NAME.test(inner)) return null;
  const bar = inner.indexOf('|');
  const name = bar === -1 ? inner : inner.slice(0, bar).trimEnd();
  if (name === '') return null;
  return { name, fallback: bar === -1 ? null : inner.slice(bar + 1).trimStart() };
}

/** Undefined if the name has no value. */
export function valueText(
  name: string,
  contact: ContactForPrompt,
  variables: Record<string, unknown>,
): string | undefined {
  const found =
    resolve(name, contact, variables) ?? resolve(name.replace(SPACED_DOT, '.'), contact, variables);
  return found && asText(found.value);
}

/** A value, wrapped in an object, because null is a value, too. */
type Found = { value: unknown } | undefined;

function resolve(name: string, contact: ContactForPrompt, variables: Record<string, unknown>): Found {
  if (name === 'contact') return { value: contact.name };
  if (!name.startsWith('contact.')) return find(variables, name);
  const path = name.slice('contact.'.length);
  const [head = ''] = path.split('.', 1);
  const property = head === EXTERNAL_ID.name ? find(contact.customProperties, path) : undefined;
  if (property !== undefined) return property;
  const field = FIELDS.get(path);
  if (field !== undefined) return { value: contact[field] };
  return FIELDS.has(head) ? own(contact.customProperties, path) : find(contact.customProperties, path);
}

/** Tries the whole path as one key, then each beginning of the path as a key, the shortest first. */
function find(container: object, path: string): Found {
  const whole = own(container, path);
  if (whole) return whole;
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const step = own(container, path.slice(0, dot))?.value;
    if (typeof step !== 'object' || step === null) continue;
    const found = find(step, path.slice(dot + 1));
    if (found) return found;
  }
  return undefined;
}

function own(container: object, key: string): Found {
  // Own and enumerable: an array has its own `length`, which was not sent.
  if (!Object.prototype.propertyIsEnumerable.call(container, key)) return undefined;
  return { value: (container as Record<string, unknown>)[key] };
}

function asText(value: unknown): string | undefined {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(value);
    case 'undefined':
      return '';
    case 'object':
      return value === null ? '' : json(value);
    case 'function':
    case 'symbol':
      return undefined;
  }
}

function json(value: object): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // A cycle, a bigint, or nesting that exceeds the stack. No JSON within the allowed depth has these.
    return undefined;
  }
}
