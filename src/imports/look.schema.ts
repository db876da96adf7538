import { forEachField } from '../domain/contact-fields.js';
import {
  ANY_OBJECT_SCHEMA,
  COUNT_SCHEMA,
  COUNTS_SCHEMA,
  described,
  E164_SCHEMA,
  listOf,
  nullable,
  objectOf,
  oneOf,
  ORDINAL_SCHEMA,
  TEXT_SCHEMA,
  UUID_SCHEMA,
} from '../http/json-schema.js';
import { COLUMNS, WARNINGS_OF_ROW } from './row.schemas.js';
import { type ImportLook, LOOKED_OUTCOMES, type LookedRow, MAX_FIRST_ROWS } from './upload/first-look.js';
import { type BadRow, MAX_BAD_ROWS, MAX_REASONS } from './upload/refused-rows.js';

const CONTACT_FIELD_SCHEMAS = forEachField(({ description }) =>
  described(nullable(TEXT_SCHEMA), description),
);

const LOOKED_ROW = objectOf<LookedRow>(
  'LookedRow',
  {
    row: described(ORDINAL_SCHEMA, 'The number of the row in the file, from 1.'),
    outcome: described(
      oneOf(LOOKED_OUTCOMES),
      '`new`: the contact would be created. `known`: the team has the contact. `repeated`: the contact is that of an earlier row.',
    ),
    phoneNumber: E164_SCHEMA,
    ...CONTACT_FIELD_SCHEMAS,
    customProperties: described(ANY_OBJECT_SCHEMA, 'The custom properties of the row.'),
    campaignId: described(nullable(UUID_SCHEMA), 'The campaign in which the contact would be enrolled.'),
    warnings: described(WARNINGS_OF_ROW, 'What would be left out of the row. Absent if there is nothing.'),
  },
  { optional: ['warnings'] },
);

const BAD_ROW = objectOf<BadRow>(
  'BadRow',
  {
    row: described(ORDINAL_SCHEMA, 'The number of the row in the file, from 1.'),
    error: described(TEXT_SCHEMA, 'Why the row would not be stored.'),
    cells: described(
      listOf(TEXT_SCHEMA),
      'The cells of the row in a CSV file. Long text is cut. Absent for NDJSON, and beyond 256 KB of all bad rows.',
    ),
    line: described(TEXT_SCHEMA, 'The same for NDJSON: the line.'),
  },
  { optional: ['cells', 'line'] },
);

export const LOOK = objectOf<ImportLook>('ImportLook', {
  columns: COLUMNS,
  rows: described(
    COUNT_SCHEMA,
    'The number of rows of the file. It is the sum of `new`, `known`, `repeated` and `failed`.',
  ),
  new: described(
    COUNT_SCHEMA,
    'The number of rows whose contact would be created; in a file of consents, of consents that would be recorded.',
  ),
  known: described(
    COUNT_SCHEMA,
    'The number of rows whose contact the team already has, or whose consent is recorded already.',
  ),
  repeated: described(
    COUNT_SCHEMA,
    'The number of rows whose contact, or whose consent, is that of an earlier row.',
  ),
  failed: described(COUNT_SCHEMA, 'The number of rows with an error, which would not be stored.'),
  warned: described(COUNT_SCHEMA, 'The number of rows with a warning.'),
  failures: described(
    COUNTS_SCHEMA,
    `The number of rows with an error by the error: the first ${MAX_REASONS} different ones, and \`other\`.`,
  ),
  withoutTimezone: described(COUNT_SCHEMA, 'The number of rows that would be stored without a time zone.'),
  countries: described(
    COUNTS_SCHEMA,
    'The number of rows that would be stored by the country of their phone number, an ISO 3166 code, or `none`.',
  ),
  firstRows: described(
    listOf(LOOKED_ROW, { maxItems: MAX_FIRST_ROWS }),
    'The first rows that would be stored. A field that is null would stay as it is, if the team has the contact. Empty for consents.',
  ),
  badRows: described(listOf(BAD_ROW, { maxItems: MAX_BAD_ROWS }), 'The first rows with an error.'),
});

export const LOOK_EXAMPLE: ImportLook = {
  columns: [
    { header: 'Mobile', field: 'phoneNumber' },
    { header: 'name', field: 'name' },
    { header: 'plan', customProperty: 'plan' },
  ],
  rows: 3,
  new: 1,
  known: 1,
  repeated: 0,
  failed: 1,
  warned: 0,
  failures: { 'phoneNumber is not a valid phone number': 1 },
  withoutTimezone: 2,
  countries: { US: 1, GB: 1 },
  firstRows: [
    {
      row: 1,
      outcome: 'new',
      phoneNumber: '+14155552671',
      ...forEachField(({ name }) => (name === 'name' ? 'Ada Lovelace' : null)),
      customProperties: { plan: 'gold' },
      campaignId: null,
    },
  ],
  badRows: [
    { row: 3, error: 'phoneNumber is not a valid phone number', cells: ['12', 'Mavis Batey', 'silver'] },
  ],
};
