import { CONTACT_FIELDS } from './contact-fields.js';
import { MAX_WARNINGS, type Warning } from './near-misses.js';
import { foldKey, isMisspelling } from './spelling.js';
import {
  type ContactForPrompt,
  FIELDS,
  isBlank,
  type Placeholder,
  readTemplate,
  valueText,
} from './template.js';

/** The templates of an agent, by the names of their fields. */
export interface Templates {
  promptTemplate: string;
  firstMessageTemplate: string;
}

/** What is known of the custom properties that a placeholder may name. */
export interface KnownProperties {
  /** Whether there are contacts of which `has` knows the properties. */
  hasContacts: boolean;
  has(property: string): boolean;
}

/** What a contact and a call have for the placeholders. */
export interface Values {
  contact: ContactForPrompt;
  variables: Record<string, unknown>;
}

/** The most characters of a template that a warning repeats. */
const MAX_QUOTED = 40;

/** Single braces around the contact, as in `{contact.name}`. */
const SINGLE_BRACES = /(?<!\{)\{\s*contact\s*[.}]/i;
/** The default of other template languages, as in `{{contact.name | default: "there"}}`. */
const OTHER_DEFAULT = /^(?:default\b|["'“])/i;

/** Warns about what is probably unintended in an agent's templates, whatever the contact. */
export function warningsAboutTemplates(templates: Templates, properties: KnownProperties): Warning[] {
  return ofEach(templates, (template, add) => {
    readTemplate(template, addUnclosed(add), (placeholder) => addUnknown(placeholder, properties, add));
  });
}

/** Like {@link warningsAboutTemplates} for one call, and warns about the values that are missing. */
export function warningsAboutScript(templates: Templates, { contact, variables }: Values): Warning[] {
  const own = (property: string) => Object.hasOwn(contact.customProperties, property);
  const properties = { hasContacts: false, has: own };
  return ofEach(templates, (template, add) => {
    readTemplate(template, addUnclosed(add), (placeholder) => {
      if (addUnknown(placeholder, properties, add)) return;
      const { name, fallback } = placeholder;
      const value = fallback === null ? valueText(name, contact, variables) : fallback;
      if (fallback !== null || !isBlank(value)) return;
      const what = value === undefined ? 'has no value in this call' : 'is empty in this call';
      add(`{{${name}}} ${what}. {{${name} | …}} gives it a default.`);
    });
  });
}

/** The custom properties that the templates name, once each. */
export function propertiesNamedIn(templates: Templates): string[] {
  const properties = new Set<string>();
  for (const template of [templates.promptTemplate, templates.firstMessageTemplate]) {
    readTemplate(
      template,
      () => undefined,
      ({ name }) => {
        const path = propertyPath(plainName(name));
        if (path !== null) for (const property of beginningsOf(path)) properties.add(property);
      },
    );
  }
  return [...properties];
}

/** Collects the warnings about each template: each text once, and at most {@link MAX_WARNINGS} in all. */
function ofEach(
  templates: Templates,
  collect: (template: string, add: (text: string) => void) => void,
): Warning[] {
  const warnings: Warning[] = [];
  for (const key of ['promptTemplate', 'firstMessageTemplate'] as const) {
    const texts = new Set<string>();
    collect(templates[key], (text) => texts.add(text));
    warnings.push(...[...texts].map((text) => ({ key, text })));
  }
  return warnings.slice(0, MAX_WARNINGS);
}

/** Text that still has opening braces is probably a placeholder that is not closed. */
function addUnclosed(add: (text: string) => void): (text: string) => void {
  return (text) => {
    const open = text.indexOf('{{');
    if (open !== -1) {
      const isClosed = text.includes('}}', open);
      const fault = isClosed
        ? 'is no placeholder, and is read out as it stands: a placeholder needs a name, and has no braces and no line breaks'
        : 'is not closed by }}, and is read out as it stands';
      add(`${quoted(text.slice(open))} ${fault}.`);
    }
    const single = SINGLE_BRACES.exec(text);
    if (single !== null) {
      add(`${quoted(text.slice(single.index))} is read out as it stands: a placeholder has two braces.`);
    }
  };
}

/** @returns whether the placeholder can have no value, so that a missing value needs no warning of its own. */
function addUnknown(
  { name, fallback }: Placeholder,
  properties: KnownProperties,
  add: (text: string) => void,
): boolean {
  if (fallback !== null && OTHER_DEFAULT.test(fallback)) {
    add(`The default of {{${name} | …}} is read out as it stands: ${quoted(fallback)}`);
  }
  const unknown = unknownText(plainName(name), properties);
  if (unknown !== null) add(`{{${name}}} ${unknown}`);
  return unknown !== null;
}

function unknownText(name: string, properties: KnownProperties): string | null {
  if (name === 'contact') return null;
  if (!name.startsWith('contact.')) return unknownVariable(name);
  const path = propertyPath(name);
  if (path === null || beginningsOf(path).some((property) => properties.has(property))) return null;
  const [head = ''] = path.split('.', 1);
  if (FIELDS.has(head)) return `is always empty: ${head} is a text, and has no parts.`;
  const field = [...FIELDS.keys()].find((one) => isMisspelling(head, one));
  if (field !== undefined) return `names no field of a contact. The field is {{contact.${field}}}.`;
  if (!properties.hasContacts) return null;
  return 'names no field of a contact, and none of the team’s newest contacts has such a custom property.';
}

/** The fields that a trigger does not know: a variable may have their names. */
const NOT_OF_TRIGGER: ReadonlySet<string> = new Set(
  CONTACT_FIELDS.filter(({ trigger }) => trigger === null).map(({ name }) => name),
);

/** A variable that no call can have, or whose name looks like a field of the contact. */
function unknownVariable(name: string): string | null {
  if (NOT_OF_TRIGGER.has(name)) return null;
  if (FIELDS.has(name) && name !== 'contactId') {
    return `is no variable, because ${name} is a field of the contact. The field is {{contact.${name}}}.`;
  }
  const folded = foldKey(name);
  if (folded === 'contact') return 'is a variable. The name of the contact is {{contact}}.';
  const rest = /^contacts?\.?(.+)$/.exec(folded)?.[1];
  const field = rest && [...FIELDS.keys()].find((one) => [rest, folded].includes(foldKey(one)));
  return field ? `is a variable. The field of the contact is {{contact.${field}}}.` : null;
}

/** The path of the custom property that a placeholder names; null for a field or a variable. */
function propertyPath(name: string): string | null {
  if (!name.startsWith('contact.')) return null;
  const path = name.slice('contact.'.length);
  return FIELDS.has(path) ? null : path;
}

/** The keys that a path may begin with: `a`, `a.b` and `a.b.c`. */
function beginningsOf(path: string): string[] {
  const parts = path.split('.');
  return parts.map((_, n) => parts.slice(0, n + 1).join('.'));
}

/** A name without spaces around its dots. */
function plainName(name: string): string {
  return name.replace(/\s*\.\s*/g, '.');
}

function quoted(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > MAX_QUOTED ? `${line.slice(0, MAX_QUOTED)}…` : line;
}
