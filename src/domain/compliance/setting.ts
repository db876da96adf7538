import { type Parsed } from '../calling-hours.js';
import { COMPLIANCE_MODES, type ComplianceSetting } from './facts.js';
import { PURPOSES, RULE_KINDS, VOICES } from './pack.js';

/** A team's `compliance` as a request or a column has it. An absent key has its value of {@link NO_COMPLIANCE}. */
export type SentComplianceSetting = Partial<ComplianceSetting>;

/** The setting of a team that says nothing. */
export const NO_COMPLIANCE: ComplianceSetting = {
  mode: 'off',
  packs: 'auto',
  purpose: null,
  voice: null,
  regionProperty: null,
  consentProperty: null,
  kinds: {},
};

/** The most packs that a team names. */
export const MAX_PACKS = 200;
/** The longest name of a custom property, in UTF-16 units. */
const MAX_PROPERTY = 200;
/** Such as `us`, `us-fl`. */
const PACK_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const MAX_PACK_NAME = 64;

/** The whole setting of a column or of a request. */
export function complianceSettingOf(stored: SentComplianceSetting): ComplianceSetting {
  return { ...NO_COMPLIANCE, ...stored };
}

/** The setting after a change: what is absent stays. `kinds` is replaced as a whole. */
export function changedCompliance(
  before: SentComplianceSetting,
  sent: SentComplianceSetting,
): ComplianceSetting {
  return { ...complianceSettingOf(before), ...sent };
}

/**
 * Validates what a request sent; the message names the path of what is wrong.
 *
 * @param name the field that holds the value.
 */
export function parseCompliance(input: unknown, name = 'compliance'): Parsed<SentComplianceSetting> {
  if (!isRecord(input)) return refuse(`${name} must be an object`);
  const faults: Record<string, (value: unknown, path: string) => string | null> = {
    mode: oneOf(COMPLIANCE_MODES),
    packs: packsFault,
    purpose: orNull(oneOf(PURPOSES)),
    voice: orNull(oneOf(VOICES)),
    regionProperty: orNull(propertyFault),
    consentProperty: orNull(propertyFault),
    kinds: kindsFault,
  };
  for (const [key, value] of Object.entries(input)) {
    const path = `${name}.${key}`;
    const faultOf = Object.hasOwn(faults, key) ? faults[key] : undefined;
    if (faultOf === undefined)
      return refuse(`${name} has an unknown key ${JSON.stringify(key.slice(0, 40))}`);
    const fault = faultOf(value, path);
    if (fault !== null) return refuse(fault);
  }
  return { ok: true, value: input };
}

function packsFault(value: unknown, path: string): string | null {
  if (value === 'auto') return null;
  const isList = Array.isArray(value) && value.length > 0 && value.length <= MAX_PACKS;
  if (!isList) return `${path} must be auto, or a list of 1 to ${MAX_PACKS} names of packs`;
  const names = value as unknown[];
  const at = names.findIndex(
    (one) => typeof one !== 'string' || one.length > MAX_PACK_NAME || !PACK_NAME.test(one),
  );
  if (at >= 0) return `${path}[${at}] must be the name of a pack, such as us or us-fl`;
  return new Set(names).size < names.length ? `${path} must not repeat a pack` : null;
}

function propertyFault(value: unknown, path: string): string | null {
  const isName = typeof value === 'string' && value.length > 0 && value.length <= MAX_PROPERTY;
  return isName ? null : `${path} must be the name of a custom property, or null`;
}

function kindsFault(value: unknown, path: string): string | null {
  if (!isRecord(value)) return `${path} must be an object of kinds of rules`;
  for (const [kind, mode] of Object.entries(value)) {
    if (!(RULE_KINDS as readonly string[]).includes(kind)) {
      return `${path} has an unknown kind ${JSON.stringify(kind.slice(0, 40))}: it must be one of ${RULE_KINDS.join(', ')}`;
    }
    const fault = oneOf(COMPLIANCE_MODES)(mode, `${path}.${kind}`);
    if (fault !== null) return fault;
  }
  return null;
}

const oneOf = (values: readonly string[]) => (value: unknown, path: string) =>
  values.includes(value as string) ? null : `${path} must be one of ${values.join(', ')}`;

const orNull =
  (faultOf: (value: unknown, path: string) => string | null) => (value: unknown, path: string) =>
    value === null ? null : faultOf(value, path);

const refuse = (message: string) => ({ ok: false, message }) as const;
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
