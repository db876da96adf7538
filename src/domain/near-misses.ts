import { forEachField } from './contact-fields.js';
import { foldKey } from './spelling.js';

/**
 * A part of a request that is accepted and probably unintended. `key` is the key of the request, or the name of
 * the stored template.
 */
export interface Warning {
  key: string;
  text: string;
}

/** Warnings as a part of an answer. Without a warning, there is no `warnings`. */
export interface Warned {
  warnings?: readonly Warning[];
}

export function warned(warnings: readonly Warning[]): Warned {
  return warnings.length === 0 ? {} : { warnings };
}

/** What the keys of an endpoint's body mean. */
export interface EndpointKeys {
  /** The keys that the endpoint names. */
  known: ReadonlySet<string>;
  /** What becomes of every other key: a predicate, such as `is a variable`. */
  otherwise: string;
  /** The key of an object whose own keys would be meant, by its folded spelling, such as `variables`. */
  wrappers: ReadonlySet<string>;
}

/** The most warnings about one body. */
export const MAX_WARNINGS = 20;

/** A longer key is no misspelling of a known one, and is not repeated in an answer. */
const MAX_KEY = 40;

/** Other names of the fields, as other products spell them. In the form of {@link foldKey}. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  phoneNumber: words(
    `phone mobile mobilephone mobilenumber cell cellphone telephone telephonenumber tel msisdn number phonenum
    phoneno to tonumber tophonenumber contactphone`,
  ),
  fullName: words('contactname customername displayname'),
  ...forEachField(({ nearMisses: aliases }) => aliases),
  fromPhoneNumber: words(
    'from fromnumber fromphone callerid calleridnumber callernumber outboundphonenumber outboundnumber',
  ),
  numberPoolId: words('numberpool poolid pool phonenumberpoolid'),
  campaignId: words('campaign campaignuuid'),
  contactId: words('contact contactuuid'),
  version: words('versionid campaignversion campaignversionid'),
};

/** Keys by which other products schedule a call. No body has such a field. Folded. */
const SCHEDULES: ReadonlySet<string> = new Set(
  words(
    `scheduledat scheduleat scheduledtime scheduletime scheduledfor schedulefor scheduleddate scheduledatetime
    runat runsat callat sendat startat starttimestamp triggertimestamp notbefore delayuntil`,
  ),
);

/** Keys of an object that other products pass on. Folded. */
const VARIABLE_WRAPPERS = words('variables dynamicvariables retellllmdynamicvariables');
const PROPERTY_WRAPPERS = words('customproperties customfields customattributes');

function words(list: string): string[] {
  return list.split(/\s+/);
}

/** @param known the keys that the endpoint names. */
export const callKeys = (known: ReadonlySet<string>): EndpointKeys => ({
  known,
  otherwise: 'is a variable of the call',
  wrappers: new Set(VARIABLE_WRAPPERS),
});

/** @param known the keys that the endpoint names. */
export const contactKeys = (known: ReadonlySet<string>): EndpointKeys => ({
  known,
  otherwise: 'is stored as a custom property',
  wrappers: new Set(PROPERTY_WRAPPERS),
});

/** @param known the keys that the endpoint names. */
export const enrollKeys = (known: ReadonlySet<string>): EndpointKeys => ({
  known,
  otherwise: 'is ignored',
  wrappers: new Set(),
});

/**
 * Warns about each key of a body that looks like a known one: another spelling of it (case, `_`, `-`), or
 * another product's name for it. A name of another product is no misspelling if the known key was sent as
 * well. Keys that would schedule a call are named, too, because no endpoint has such a field.
 *
 * @returns at most {@link MAX_WARNINGS}, in the order of the keys.
 */
export function nearMisses(body: Record<string, unknown>, keys: EndpointKeys): Warning[] {
  const warnings: Warning[] = [];
  for (const key of Object.keys(body)) {
    if (keys.known.has(key) || key.length > MAX_KEY) continue;
    const text = warningAbout(key, body, keys);
    if (text !== null) warnings.push({ key, text });
    if (warnings.length === MAX_WARNINGS) break;
  }
  return warnings;
}

function warningAbout(key: string, body: Record<string, unknown>, keys: EndpointKeys): string | null {
  const { known, otherwise, wrappers } = keys;
  const folded = foldKey(key);
  const isObject = typeof body[key] === 'object' && body[key] !== null && !Array.isArray(body[key]);
  if (isObject && wrappers.has(folded)) {
    return `${key} ${otherwise}, as one object. Send its keys as keys of the body.`;
  }
  if (SCHEDULES.has(folded)) {
    return `${key} does not schedule a call: it ${otherwise}. The query parameter notBefore of the call endpoint schedules one.`;
  }
  const meant = knownBySpelling(known).get(folded) ?? meantBy(folded, body, known);
  return meant === undefined ? null : `${key} is not a field, so it ${otherwise}. The field is ${meant}.`;
}

const spellings = new WeakMap<ReadonlySet<string>, ReadonlyMap<string, string>>();

function knownBySpelling(known: ReadonlySet<string>): ReadonlyMap<string, string> {
  let map = spellings.get(known);
  if (map === undefined) spellings.set(known, (map = new Map([...known].map((key) => [foldKey(key), key]))));
  return map;
}

const FIELDS_OF_ALIAS: ReadonlyMap<string, readonly string[]> = fieldsOfAliases();

function fieldsOfAliases(): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const [field, aliases] of Object.entries(ALIASES)) {
    for (const alias of aliases) fields.set(alias, [...(fields.get(alias) ?? []), field]);
  }
  return fields;
}

function meantBy(folded: string, body: Record<string, unknown>, known: ReadonlySet<string>) {
  const field = FIELDS_OF_ALIAS.get(folded)?.find((one) => known.has(one));
  return field === undefined || Object.hasOwn(body, field) ? undefined : field;
}
