import { IsOptional } from 'class-validator';
import { CARRIER_NAMES } from '../carriers/registry.js';
import { parseCompliance } from '../domain/compliance/setting.js';
import { type TeamSettingKind, type TeamSettingName, teamSettingNamed } from '../domain/team-settings.js';
import { type JsonSchema, FLAG_SCHEMA, listOf, nullable, TEXT_SCHEMA } from '../http/json-schema.js';
import {
  COUNTRY_LIST_SCHEMA,
  COUNTRY_SCHEMA,
  daysSchema,
  IsCountry,
  IsCountryList,
  IsFlag,
  IsName,
  IsParsedBy,
  IsSetOf,
  IsTeamDays,
  IsWholeNumber,
  MayBeAbsent,
} from '../http/operator-validators.js';
import { IsTimeZone } from '../http/validators.js';
import { COMPLIANCE_SCHEMA, SENT_COMPLIANCE_SCHEMA } from './compliance.schema.js';

/**
 * A setting in a request, with the rule of its kind. Null clears a setting that can be empty; the name is required.
 */
export function IsTeamSetting() {
  return (target: object, property: TeamSettingName): void => {
    const { kind } = teamSettingNamed(property);
    const { rule, absence } = FORMS[kind.type](kind as never);
    absence?.()(target, property);
    rule(target, property);
  };
}

/** The schema of a setting in an answer. */
export function teamSettingSchema(kind: TeamSettingKind): JsonSchema {
  return FORMS[kind.type](kind as never).answer;
}

/** How a request and an answer have a setting. Without `absence`, a request must have it. */
interface Form {
  rule: PropertyDecorator;
  absence?: () => PropertyDecorator;
  answer: JsonSchema;
}

const FORMS: {
  [Type in TeamSettingKind['type']]: (kind: Extract<TeamSettingKind, { type: Type }>) => Form;
} = {
  name: () => ({ rule: IsName(), answer: TEXT_SCHEMA }),
  timeZone: () => ({ rule: IsTimeZone(), absence: MayBeAbsent, answer: TEXT_SCHEMA }),
  flag: () => ({ rule: IsFlag(), absence: MayBeAbsent, answer: FLAG_SCHEMA }),
  country: () => ({ rule: IsCountry(), absence: IsOptional, answer: nullable(COUNTRY_SCHEMA) }),
  countries: () => ({ rule: IsCountryList(), absence: IsOptional, answer: nullable(COUNTRY_LIST_SCHEMA) }),
  carriers: () => ({
    rule: IsSetOf(CARRIER_NAMES, 0),
    absence: IsOptional,
    // A version that does not know a stored carrier still shows it.
    answer: nullable(listOf(TEXT_SCHEMA)),
  }),
  limit: ({ min }) => ({
    rule: IsWholeNumber(min),
    absence: IsOptional,
    answer: { type: ['integer', 'null'], minimum: min },
  }),
  compliance: () => ({
    rule: IsParsedBy(parseCompliance, SENT_COMPLIANCE_SCHEMA),
    absence: MayBeAbsent,
    answer: COMPLIANCE_SCHEMA,
  }),
  days: ({ min }) => ({ rule: IsTeamDays(min), absence: IsOptional, answer: nullable(daysSchema(min)) }),
};
