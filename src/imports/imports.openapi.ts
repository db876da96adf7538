import { CONTACT_BODY } from '../contacts/contacts.openapi.js';
import {
  COUNT_SCHEMA,
  described,
  E164_SCHEMA,
  FLAG_SCHEMA,
  INSTANT_SCHEMA,
  linesOf,
  NDJSON,
  nullable,
  objectOf,
  oneOf,
  ORDINAL_SCHEMA,
  TEXT_SCHEMA,
  UUID_SCHEMA,
} from '../http/json-schema.js';
import { ERROR_SCHEMA, errorDoc } from '../http/openapi/errors.js';
import { documented, pageOfItems, type ResponseDoc } from '../http/openapi/operation.js';
import { IMPORT_MODES, IMPORT_STATES } from './import.entity.js';
import { type ImportResultView, type ImportView } from './import-view.js';
import { ImportsController } from './imports.controller.js';
import { MAX_BYTES, MAX_COLUMNS, MAX_OPEN, MAX_ROW_BYTES, MAX_ROWS } from './upload/limits.js';

/** An import as its team reads it. */
export const IMPORT_SCHEMA = objectOf<ImportView>('Import', {
  importId: UUID_SCHEMA,
  status: described(
    oneOf(IMPORT_STATES),
    '`staging` while the file is uploaded, `running` until every row is processed; the others are final.',
  ),
  mode: oneOf(IMPORT_MODES),
  campaignId: nullable(UUID_SCHEMA),
  versionId: described(
    nullable(UUID_SCHEMA),
    'The version on which rows are enrolled, as it was resolved when the import began.',
  ),
  rows: described(COUNT_SCHEMA, 'Rows of the file, as far as it is uploaded.'),
  created: described(COUNT_SCHEMA, 'Rows whose contact was created.'),
  updated: described(COUNT_SCHEMA, 'Rows whose contact existed before, also if it did not change.'),
  enrolled: described(COUNT_SCHEMA, 'Rows whose contact was enrolled.'),
  failed: described(COUNT_SCHEMA, 'Rows with an error. Nothing of them was stored.'),
  error: described(nullable(TEXT_SCHEMA), 'Why the import failed.'),
  createdAt: INSTANT_SCHEMA,
  finishedAt: nullable(INSTANT_SCHEMA),
});

const RESULT = objectOf<ImportResultView>(
  'ImportResult',
  {
    row: described(ORDINAL_SCHEMA, 'Counts data rows from 1.'),
    phoneNumber: described(E164_SCHEMA, 'Of the contact, unless it was erased since.'),
    contactId: UUID_SCHEMA,
    enrollmentId: described(UUID_SCHEMA, 'Of the enrollment that the import made.'),
    notEnrolled: described(
      TEXT_SCHEMA,
      'Why the contact, which is stored, was not enrolled in the campaign that the import or the row names.',
    ),
    error: TEXT_SCHEMA,
  },
  { optional: ['phoneNumber', 'contactId', 'enrollmentId', 'notEnrolled', 'error'] },
);

const STARTED = objectOf<{ importId: string }>('ImportStarted', { importId: UUID_SCHEMA });

/** A refusal of a file, which leaves a failed import. */
function refusedFile(description: string, example: string, title = 'ImportRefusal'): ResponseDoc {
  const properties = {
    ...ERROR_SCHEMA.properties,
    importId: described(UUID_SCHEMA, 'Of the failed import.'),
  };
  return {
    ...errorDoc(description, example),
    schema: { ...ERROR_SCHEMA, title, properties },
  };
}

export const IMPORTS_OPENAPI = documented(
  ImportsController,
  { surface: 'team', tag: 'Imports' },
  {
    create: {
      id: 'createImport',
      summary: 'Import contacts from a file',
      description:
        `At most ${MAX_ROWS} rows of at most ${MAX_ROW_BYTES / 1024} KB, and ${MAX_BYTES / 1024 / 1024} MB in all, in UTF-8. ` +
        '`Content-Encoding: gzip` is accepted. NDJSON has a body of *Create or update a contact* on each line. CSV has a header of at most ' +
        `${MAX_COLUMNS} columns with \`phoneNumber\`. Columns that are not fields of a contact are custom properties. An empty cell ` +
        'counts as not sent. An upload has no time limit, but 30 seconds without a byte end it. An error of the file is refused and ' +
        'leaves a `failed` import. An error of a row is in the results. A team can upload one file at a time. The same ' +
        '`Idempotency-Key` with other parameters or other bytes is refused.',
      query: {
        campaignId: {
          description: 'Active campaign to enroll the contacts in, unless a row has a `campaignId`.',
          schema: UUID_SCHEMA,
        },
        version: {
          description: '`current` (the default), `draft` or the id of a version of the campaign.',
          schema: TEXT_SCHEMA,
        },
        mode: {
          description:
            '`upsert` (the default) updates contacts that the team has; with `create`, their rows are errors.',
          schema: oneOf(IMPORT_MODES),
        },
      },
      body: CONTACT_BODY,
      bodyType: NDJSON,
      otherBodies: {
        'text/csv': {
          type: 'string',
          examples: ['phoneNumber,name,plan\n+14155552671,Ada Lovelace,gold\n'],
        },
      },
      bodyExamples: { line: { phoneNumber: '+14155552671', name: 'Ada Lovelace', plan: 'gold' } },
      idempotent: true,
      status: 202,
      success: { description: 'The file is stored; the worker processes it.', schema: STARTED },
      refusals: {
        400: refusedFile(
          'A parameter or the file is malformed. The fault of a file comes with the `importId` of the failed import.',
          'The header must have the column phoneNumber',
          'InvalidImport',
        ),
        404: errorDoc('The team has no such campaign or version.', 'Campaign not found'),
        409: refusedFile(
          `Another import of the team is being uploaded, ${MAX_OPEN} are not finished, or a request with the same ` +
            '`Idempotency-Key` is being answered.',
          'Another import of the team is being uploaded',
        ),
        413: refusedFile('The file, or a row of it, is too large.', 'Row 7 is larger than 256 KB'),
        415: errorDoc(
          'The content type or its encoding is not supported.',
          'Content-Type must be text/csv or application/x-ndjson',
        ),
        422: refusedFile(
          'The campaign is not active, or the `Idempotency-Key` came with another request before.',
          'The campaign is not active',
        ),
      },
    },
    list: {
      id: 'listImports',
      summary: 'List the team’s imports, the newest first',
      description: 'An import is kept for a week after its end.',
      query: { status: { description: 'Only imports with this status.', schema: oneOf(IMPORT_STATES) } },
      success: { description: 'A page of imports.', schema: pageOfItems(IMPORT_SCHEMA, 'ImportPage') },
    },
    get: {
      id: 'getImport',
      summary: 'Read an import',
      success: { description: 'The import.', schema: IMPORT_SCHEMA },
    },
    results: {
      id: 'getImportResults',
      summary: 'Read the result of each row',
      description:
        `One result on each line, in the order of the rows, of those that are processed so far. Each is \`${RESULT.title}\`: ` +
        '`row`, and `phoneNumber`, `contactId`, `enrollmentId`, `notEnrolled` and `error` where there is one.',
      query: { failed: { description: 'Whether to return only rows with an error.', schema: FLAG_SCHEMA } },
      status: 200,
      success: { description: 'The results.', schema: linesOf(RESULT), contentType: NDJSON },
      refusals: { 400: errorDoc('The parameter is malformed.', 'failed must be true or false') },
    },
    cancel: {
      id: 'cancelImport',
      summary: 'Cancel an import',
      description: 'Rows that are processed by then stay processed.',
      success: { description: 'The import.', schema: IMPORT_SCHEMA },
      refusals: {
        409: errorDoc('The import has ended.', 'The import is finished and can no longer be canceled'),
      },
    },
  },
);
