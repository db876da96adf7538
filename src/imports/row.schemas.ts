import { CONSENT_FIELDS } from '../domain/consent-fields.js';
import { COLUMN_FIELDS, PROPERTIES_COLUMN } from '../domain/contact-columns.js';
import { described, listOf, nullable, objectOf, oneOf, TEXT_SCHEMA } from '../http/json-schema.js';
import { type ImportColumnView } from './import-view.js';
import { type RowWarning } from './row-result.js';

const COLUMN = objectOf<ImportColumnView>(
  'ImportColumn',
  {
    header: described(TEXT_SCHEMA, 'The name of the column in the file.'),
    field: described(
      oneOf([...new Set([...COLUMN_FIELDS, PROPERTIES_COLUMN, ...CONSENT_FIELDS])]),
      'The field that the column is.',
    ),
    customProperty: described(TEXT_SCHEMA, 'The custom property that the column is.'),
    ignored: described({ type: 'boolean', const: true }, 'Set if the column is not imported.'),
  },
  { optional: ['field', 'customProperty', 'ignored'] },
);

export const COLUMNS = described(
  nullable(listOf(COLUMN)),
  'What each column of a CSV file was taken for. A half of a name is the field `name` and a custom property. Null for NDJSON.',
);

export const WARNINGS_OF_ROW = listOf(
  objectOf<RowWarning>('ImportWarning', { key: TEXT_SCHEMA, text: TEXT_SCHEMA }),
);
