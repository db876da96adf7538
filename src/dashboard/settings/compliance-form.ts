import { type ComplianceSetting } from '../../domain/compliance/facts.js';
import { RULE_KINDS, type RuleKind } from '../../domain/compliance/pack.js';
import { type Problem } from '../../http/app-error.js';
import { fieldErrors, type FieldErrors } from '../frame/form-errors.js';
import { type SentFields } from '../frame/sent-fields.js';

/** The choice of the packs of the place, and of some. */
export const ALL_PACKS = 'auto';
export const SOME_PACKS = 'some';

/** The labels of the form. */
export const COMPLIANCE_LABELS = {
  mode: 'Mode',
  packs: 'Packs',
  purpose: 'Purpose of calls',
  voice: 'Voice',
  regionProperty: 'Property with the region',
  consentProperty: 'Property with the consent',
  kinds: 'Modes of single kinds of rules',
};

/** The setting as the form has it. */
export interface TypedCompliance {
  mode: string;
  packsMode: string;
  packs: string;
  purpose: string;
  voice: string;
  regionProperty: string;
  consentProperty: string;
  /** Empty: as the mode of the team. */
  kinds: Partial<Record<RuleKind, string>>;
}

/** The field of the mode of a kind. */
export const kindField = (kind: RuleKind): string => `kinds.${kind}`;

export function typedCompliance(setting: ComplianceSetting): TypedCompliance {
  const { mode, packs, purpose, voice, regionProperty, consentProperty, kinds } = setting;
  return {
    mode,
    packsMode: packs === 'auto' ? ALL_PACKS : SOME_PACKS,
    packs: packs === 'auto' ? '' : packs.join(', '),
    purpose: purpose ?? '',
    voice: voice ?? '',
    regionProperty: regionProperty ?? '',
    consentProperty: consentProperty ?? '',
    kinds,
  };
}

export function typedInCompliance(sent: SentFields): TypedCompliance {
  const text = (name: string) => sent.text(name).trim();
  return {
    mode: text('mode'),
    packsMode: text('packs.mode'),
    packs: text('packs'),
    purpose: text('purpose'),
    voice: text('voice'),
    regionProperty: text('regionProperty'),
    consentProperty: text('consentProperty'),
    kinds: Object.fromEntries(RULE_KINDS.map((kind) => [kind, text(kindField(kind))])),
  };
}

/** The setting as a request has it. What cannot be a value stays, so that the rule of the setting refuses it. */
export function complianceOf(typed: TypedCompliance): Record<string, unknown> {
  const { mode, packsMode, packs, purpose, voice, regionProperty, consentProperty, kinds } = typed;
  const names = packs.split(/[\s,;]+/).filter((name) => name !== '');
  return {
    mode,
    packs: packsMode === SOME_PACKS ? names.map((name) => name.toLowerCase()) : 'auto',
    purpose: purpose || null,
    voice: voice || null,
    regionProperty: regionProperty || null,
    consentProperty: consentProperty || null,
    kinds: Object.fromEntries(Object.entries(kinds).filter(([, one]) => one !== '')),
  };
}

/** The faults by field: a path of the API begins with `compliance`. */
export function complianceErrors(problems: readonly Problem[]): FieldErrors {
  return fieldErrors(
    problems.map(({ path, message }) => ({
      path: path.replace(/^compliance\b\.?/, '') || 'mode',
      message: message.replace(/^compliance\./, ''),
    })),
    COMPLIANCE_LABELS,
  );
}
