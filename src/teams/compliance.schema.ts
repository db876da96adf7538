import { COMPLIANCE_MODES, type ComplianceSetting } from '../domain/compliance/facts.js';
import { PURPOSES, RULE_KINDS, VOICES } from '../domain/compliance/pack.js';
import { MAX_PACKS } from '../domain/compliance/setting.js';
import { described, type JsonSchema, listOf, nullable, oneOf, TEXT_SCHEMA } from '../http/json-schema.js';

const MODE = oneOf(COMPLIANCE_MODES);

const PROPERTIES: Record<keyof ComplianceSetting, JsonSchema> = {
  mode: described(
    MODE,
    '`off`: packs are not read. `warn`: what their rules say is kept with the decisions of calls and counted, and nothing is refused or ' +
      'moved. `enforce`: calls are placed only when and if the packs allow it.',
  ),
  packs: described(
    {
      anyOf: [
        { const: 'auto' },
        { ...listOf(TEXT_SCHEMA, { minItems: 1, maxItems: MAX_PACKS }), uniqueItems: true },
      ],
    },
    '`auto` for all packs of the called person’s place, or a list of packs that may apply, such as `us` and `us-fl`.',
  ),
  purpose: described(
    nullable(oneOf(PURPOSES)),
    'What calls are for. The purpose of a campaign or an agent takes precedence. Null counts as the strictest.',
  ),
  voice: described(nullable(oneOf(VOICES)), 'Who speaks. Null counts as the strictest.'),
  regionProperty: described(
    nullable(TEXT_SCHEMA),
    'The custom property of contacts with their region, ISO 3166-2, such as `US-FL`. Of it and the region of the number, the stricter holds.',
  ),
  consentProperty: described(
    nullable(TEXT_SCHEMA),
    'The custom property of contacts with the level of their consent: `express` or `expressWritten`.',
  ),
  kinds: described(
    {
      type: 'object',
      properties: Object.fromEntries(RULE_KINDS.map((kind) => [kind, MODE])),
      additionalProperties: false,
    },
    'Modes of single kinds of rules. A kind without one has `mode`. In the mode `off`, they have no effect.',
  ),
};

/** What `parseCompliance` takes. A key that is not sent stays, and has its default in a new team. */
export const SENT_COMPLIANCE_SCHEMA: JsonSchema = {
  type: 'object',
  properties: PROPERTIES,
  additionalProperties: false,
};

export const COMPLIANCE_SCHEMA: JsonSchema = {
  ...SENT_COMPLIANCE_SCHEMA,
  title: 'ComplianceSetting',
  required: Object.keys(PROPERTIES),
};
