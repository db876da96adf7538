import { COMPLIANCE_MODES } from '../../domain/compliance/facts.js';
import { VERDICTS } from '../../domain/compliance/judge.js';
import { RULE_KINDS } from '../../domain/compliance/pack.js';
import { type ComplianceView, type RuleView } from '../../domain/compliance/view.js';
import {
  ANY_OBJECT_SCHEMA,
  described,
  INSTANT_SCHEMA,
  type JsonSchema,
  listOf,
  nullable,
  objectOf,
  oneOf,
  TEXT_SCHEMA,
} from '../../http/json-schema.js';

const ZONE_SOURCES = ['stated', 'areaCode', 'prefix', 'country', 'unknown'];

const RULE = objectOf<RuleView>('ComplianceRule', {
  id: described(TEXT_SCHEMA, 'The id of the rule, which no other pack has.'),
  verdict: described(
    oneOf(VERDICTS),
    '`refuse`: the rule refuses or moves the call. `warn`: it would, and is not enforced. `lifted`: a consent lifts it.',
  ),
  pack: described(nullable(TEXT_SCHEMA), 'The pack of the rule. Null if this version of it is not known.'),
  kind: nullable(oneOf(RULE_KINDS)),
  citation: described(nullable(TEXT_SCHEMA), 'The law, as the pack cites it.'),
  source: described(nullable(ANY_OBJECT_SCHEMA), 'Where the rule was read, and the date on which it was.'),
  evidence: described(ANY_OBJECT_SCHEMA, 'The facts that the rule evaluated.'),
});

const ABOUT =
  'What packs of rules of law say of the call. A decision does not have it for a team whose `compliance` was `off`.';

/** What packs say of a call. */
export const COMPLIANCE_VIEW_SCHEMA: JsonSchema = objectOf<ComplianceView>(
  'CallCompliance',
  {
    mode: oneOf(COMPLIANCE_MODES.filter((mode) => mode !== 'off')),
    zones: described(
      listOf(TEXT_SCHEMA),
      'The time zones in which the called person may be. Packs must allow the call in each. Empty if unknown, or erased.',
    ),
    zoneSource: described(
      nullable(oneOf(ZONE_SOURCES)),
      'Where the zones come from: stated by the request or the contact, or the number’s area code, prefix or country.',
    ),
    jurisdictions: described(
      listOf(TEXT_SCHEMA),
      'The jurisdictions of the person, ISO 3166 codes and `EU`.',
    ),
    packs: described(
      { type: 'object', additionalProperties: TEXT_SCHEMA },
      'The versions of the packs that were judged by, by name.',
    ),
    tzdata: described(TEXT_SCHEMA, 'The version of the time zone data.'),
    rule: described(
      nullable(TEXT_SCHEMA),
      'The rule by which packs refuse or move the call. Null if none does.',
    ),
    firstLawfulAt: described(
      nullable(INSTANT_SCHEMA),
      'The first instant at which no enforced rule refuses, if the facts stay the same. Null if waiting does not help.',
    ),
    disclosures: described(listOf(TEXT_SCHEMA), 'The rules that require something to be said in the call.'),
    consents: described(listOf(TEXT_SCHEMA), 'The ids of the consents on which the call relies.'),
    rules: described(listOf(RULE), 'What each of the rules in force says.'),
  },
  { description: ABOUT },
);
