import { END_REASONS, WAITING_FOR } from '../../domain/campaigns/decide/decision.js';
import { CALL_STATES, isFinal } from '../../domain/call-states.js';
import { ENROLLMENT_STATES } from '../../domain/enrollment-states.js';
import { REFUSAL_OUTCOMES } from '../../domain/refused-by.js';
import {
  ANY_OBJECT_SCHEMA,
  COUNT_SCHEMA,
  described,
  INSTANT_SCHEMA,
  type JsonSchema,
  nullable,
  objectOf,
  oneOf,
  ORDINAL_SCHEMA,
  STORED_NUMBER_SCHEMA,
  TEXT_SCHEMA,
  UUID_SCHEMA,
} from '../../http/json-schema.js';
import { type ChosenColumns } from '../../http/export.js';
import { type EnrollmentStatus } from '../enrollment/enrollment.entity.js';

/**
 * The fields of a result that identify its contact, in the order of the columns, each with the SQL of a contact `c`. A
 * further identifier is added here only.
 */
export const CONTACT_FIELDS = {
  externalId: { sql: 'c.external_id', schema: nullable(TEXT_SCHEMA) },
  contactId: { sql: 'c.id', schema: UUID_SCHEMA },
  phoneNumber: { sql: 'c.phone_number', schema: STORED_NUMBER_SCHEMA },
  name: { sql: 'c.name', schema: nullable(TEXT_SCHEMA) },
} as const satisfies Record<string, { sql: string; schema: JsonSchema }>;
type ContactField = keyof typeof CONTACT_FIELDS;

/** What has come of an enrollment. Instants are ISO 8601 in UTC. */
export type CampaignResult = Record<ContactField, string | null> & {
  enrollmentId: string;
  /** The chosen custom properties of the contact; null: the contact does not have it. */
  customProperties: Record<string, unknown>;
  status: EnrollmentStatus;
  endReason: string | null;
  step: string | null;
  /** Processed dials. */
  attempts: number;
  /** The state of the last call, or who refused it; null while it is under way, and without a call. */
  lastOutcome: string | null;
  disposition: string | null;
  lastCallId: string | null;
  lastCallAt: string | null;
  nextAttemptAt: string | null;
  /** One of `WAITING_FOR`. */
  waitingFor: string | null;
  /** The number of the version. */
  version: number;
  versionId: string;
  entry: number;
  createdAt: string;
  updatedAt: string;
};

type ResultField = keyof CampaignResult;

/** The outcomes of last calls: final states of calls, who refused a failed call, and the unknown outcome. */
const LAST_OUTCOMES = [...CALL_STATES.filter(isFinal), 'dial_unknown', ...REFUSAL_OUTCOMES];

const contactSchemas = Object.fromEntries(
  Object.entries(CONTACT_FIELDS).map(([name, { schema }]) => [name, schema]),
) as Record<ContactField, JsonSchema>;

const PROPERTIES: Record<ResultField, JsonSchema> = {
  enrollmentId: UUID_SCHEMA,
  ...contactSchemas,
  customProperties: described(
    ANY_OBJECT_SCHEMA,
    'The properties that `properties` names. Null: the contact does not have the property. In CSV, each has a column at the end ' +
      'of the line instead. The column is named like the property, with `customProperties.` in front if a field has that name.',
  ),
  status: oneOf(ENROLLMENT_STATES),
  endReason: described(
    nullable(oneOf(Object.values(END_REASONS).flat())),
    'Why the enrollment ended. Null while it is active or paused.',
  ),
  step: described(nullable(TEXT_SCHEMA), 'The key of the current or last step. Null before the first step.'),
  attempts: described(COUNT_SCHEMA, 'The number of calls that were dialed or perhaps dialed.'),
  lastOutcome: described(
    nullable(oneOf(LAST_OUTCOMES)),
    'What became of the last call: its final status, or `declined` or `network_blocked` for a failed call that was refused. ' +
      '`dial_unknown` while it is not known. Null while the call is in progress, and without a call.',
  ),
  disposition: described(
    nullable(TEXT_SCHEMA),
    'The disposition in the result of the last call. Null without one, and after the call was removed.',
  ),
  lastCallId: described(nullable(UUID_SCHEMA), 'The `callRequestId` of the last call. Null without a call.'),
  lastCallAt: described(nullable(INSTANT_SCHEMA), 'When the worker claimed the last call.'),
  nextAttemptAt: described(nullable(INSTANT_SCHEMA), 'When the next call is due if nothing changes.'),
  waitingFor: described(
    nullable(oneOf(WAITING_FOR)),
    'The rule that prevents the next call until then. Null before the first decision, and after the end.',
  ),
  version: described(ORDINAL_SCHEMA, 'The number of the version that the enrollment follows.'),
  versionId: UUID_SCHEMA,
  entry: described(
    ORDINAL_SCHEMA,
    'The number of this enrollment among those of the contact in the campaign.',
  ),
  createdAt: INSTANT_SCHEMA,
  updatedAt: described(
    INSTANT_SCHEMA,
    'When the enrollment last changed: its status, its step, a call, a result, or what it waits for.',
  ),
};

export const RESULT_SCHEMA = objectOf<CampaignResult>('CampaignResult', PROPERTIES);

export const RESULT_FIELDS = Object.keys(PROPERTIES) as ResultField[];

/** The columns of a CSV file. The chosen properties follow. */
export const RESULT_COLUMNS = RESULT_FIELDS.filter((name) => name !== 'customProperties');

/** @param names of the chosen custom properties. */
export function propertyColumns(names: readonly string[]): ChosenColumns<CampaignResult> {
  return {
    headings: names.map((name) => (Object.hasOwn(PROPERTIES, name) ? `customProperties.${name}` : name)),
    cellsOf: ({ customProperties }) => names.map((name) => customProperties[name]),
  };
}
