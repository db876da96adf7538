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
  WARNINGS_SCHEMA,
} from '../http/json-schema.js';
import { type Warning } from '../domain/near-misses.js';
import { ERROR_SCHEMA, errorDoc } from '../http/openapi/errors.js';
import { documented, pageOfItems, type ResponseDoc } from '../http/openapi/operation.js';
import { IMPORT_MODES, IMPORT_STATES } from './import.entity.js';
import { type ImportResultView, type ImportView } from './import-view.js';
import { ImportsController } from './imports.controller.js';
import { MAX_BYTES, MAX_COLUMNS, MAX_OPEN, MAX_ROW_BYTES, MAX_ROWS } from './upload/limits.js';

const WARNINGS = described(
  WARNINGS_SCHEMA,
  'Why contacts that the import enrolls are not called now: the version has no steps, or the campaign is a draft or paused. ' +
    'Absent if there is no such reason.',
);

/** An import as its team reads it. */
export const IMPORT_SCHEMA = objectOf<ImportView>(
  'Import',
  {
    importId: UUID_SCHEMA,
    status: described(
      oneOf(IMPORT_STATES),
      '`staging`: the file is being uploaded. `running`: rows are being processed or wait. `finished`: every row has a result. ' +
        '`canceled` and `failed` are also final.',
    ),
    mode: oneOf(IMPORT_MODES),
    campaignId: described(
      nullable(UUID_SCHEMA),
      'The campaign of rows without a `campaignId`. Null: such rows are not enrolled.',
    ),
    versionId: described(
      nullable(UUID_SCHEMA),
      'The version of `campaignId` on which contacts are enrolled. It was resolved when the import began. Null without a campaign.',
    ),
    rows: described(COUNT_SCHEMA, 'The number of rows that are uploaded so far.'),
    created: described(COUNT_SCHEMA, 'The number of processed rows whose contact was created.'),
    updated: described(
      COUNT_SCHEMA,
      'The number of processed rows whose contact existed before, including contacts that did not change.',
    ),
    enrolled: described(COUNT_SCHEMA, 'The number of processed rows whose contact was enrolled.'),
    failed: described(
      COUNT_SCHEMA,
      'The number of processed rows with an error. Nothing of such a row is stored.',
    ),
    error: described(nullable(TEXT_SCHEMA), 'Why the import failed. Null unless `status` is `failed`.'),
    createdAt: INSTANT_SCHEMA,
    finishedAt: described(
      nullable(INSTANT_SCHEMA),
      'When the import ended. Null while `status` is `staging` or `running`.',
    ),
    warnings: WARNINGS,
  },
  { optional: ['warnings'] },
);

const RESULT = objectOf<ImportResultView>(
  'ImportResult',
  {
    row: described(
      ORDINAL_SCHEMA,
      'The number of the row in the file, from 1. The CSV header and empty lines are not counted.',
    ),
    phoneNumber: described(
      E164_SCHEMA,
      'The number of the contact. Absent if the row has no `contactId`, or the contact was erased since.',
    ),
    contactId: described(
      UUID_SCHEMA,
      'The contact that was created or updated. With `error`, the contact that already has the number.',
    ),
    enrollmentId: described(
      UUID_SCHEMA,
      'The enrollment that the row created. Absent if the contact was not enrolled.',
    ),
    notEnrolled: described(
      TEXT_SCHEMA,
      'Why the contact was stored but not enrolled. Absent if it was enrolled, if the row has an error, or if neither the row nor the import names a campaign.',
    ),
    error: described(TEXT_SCHEMA, 'Why the row was not stored. Absent if it was stored.'),
  },
  { optional: ['phoneNumber', 'contactId', 'enrollmentId', 'notEnrolled', 'error'] },
);

const STARTED = objectOf<{ importId: string; warnings?: readonly Warning[] }>(
  'ImportStarted',
  { importId: UUID_SCHEMA, warnings: WARNINGS },
  { optional: ['warnings'] },
);

/** A refusal of a file, which leaves a failed import. */
function refusedFile(description: string, example: string, title = 'ImportRefusal'): ResponseDoc {
  const properties = {
    ...ERROR_SCHEMA.properties,
    importId: described(
      UUID_SCHEMA,
      'The id of the failed import. Absent if the request was refused before an import began.',
    ),
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
        'The body is a file in UTF-8, in NDJSON or CSV. ' +
        `It has at most ${MAX_ROWS} rows of at most ${MAX_ROW_BYTES / 1024} KB each, and at most ${MAX_BYTES / 1024 / 1024} MB in all. ` +
        '`Content-Encoding: gzip` is accepted; the limits apply to the decompressed file. In NDJSON, each line is a body of *Create or ' +
        `update a contact*. CSV begins with a header of at most ${MAX_COLUMNS} columns, one of which is \`phoneNumber\`. Columns that ` +
        'are not fields of a contact are custom properties. An empty cell counts as not sent. An upload has no time limit, but it ends ' +
        'if no byte arrives for 30 seconds. If the file is malformed, the request is refused and the import is `failed`. If a row is ' +
        'invalid, its result has an error. A team can upload one file at a time. The same `Idempotency-Key` with other ' +
        'parameters or other bytes is refused.',
      query: {
        campaignId: {
          description:
            'The campaign in which contacts are enrolled. The `campaignId` of a row takes precedence. The campaign can be a draft or ' +
            'paused: its contacts wait until it is active.',
          schema: UUID_SCHEMA,
        },
        version: {
          description:
            '`current` (the default), `draft` or the id of a version of the campaign. It requires `campaignId`.',
          schema: TEXT_SCHEMA,
        },
        mode: {
          description:
            '`upsert` (the default) updates contacts that the team already has. With `create`, the rows of such contacts get an error.',
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
      success: { description: 'The file is stored. The worker processes its rows.', schema: STARTED },
      refusals: {
        400: refusedFile(
          'A parameter or the file is malformed. If the file is malformed, `importId` is the id of the failed import.',
          'The header must have the column phoneNumber',
          'InvalidImport',
        ),
        404: errorDoc(
          'The team has no such campaign, or the campaign has no such version.',
          'Campaign not found',
        ),
        409: refusedFile(
          `Another import of the team is being uploaded, or ${MAX_OPEN} imports of the team are not finished. Or the import was canceled ` +
            'during its upload, or the first request with this `Idempotency-Key` is still in progress.',
          'Another import of the team is being uploaded',
        ),
        413: refusedFile('The file or one of its rows is too large.', 'Row 7 is larger than 256 KB'),
        415: errorDoc(
          'The content type, its charset or the content encoding is not supported.',
          'Content-Type must be text/csv or application/x-ndjson',
        ),
        422: refusedFile(
          'The campaign is archived, or the `Idempotency-Key` was used with another request.',
          'The campaign is archived',
        ),
      },
    },
    list: {
      id: 'listImports',
      summary: 'List the team’s imports, the newest first',
      description: 'An import is deleted a week after its end.',
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
      summary: 'Read the results of the rows',
      description:
        `Each line is the result of one row, an \`${RESULT.title}\`, in the order of the rows. A row that is not processed yet has no ` +
        'result. A result has `row`, and those of `phoneNumber`, `contactId`, `enrollmentId`, `notEnrolled` and `error` that apply.',
      query: {
        failed: {
          description: 'Whether only results with an error are returned. The default is false.',
          schema: FLAG_SCHEMA,
        },
      },
      status: 200,
      success: { description: 'The results.', schema: linesOf(RESULT), contentType: NDJSON },
      refusals: { 400: errorDoc('The parameter is malformed.', 'failed must be true or false') },
    },
    cancel: {
      id: 'cancelImport',
      summary: 'Cancel an import',
      description: 'Contacts and enrollments of rows that are already processed stay.',
      success: { description: 'The import.', schema: IMPORT_SCHEMA },
      refusals: {
        409: errorDoc('The import has ended.', 'The import is finished and can no longer be canceled'),
      },
    },
  },
);
