import { IMPORTED_CONTACT } from '../contacts/contacts.openapi.js';
import { CONSENT_FIELDS } from '../domain/consent-fields.js';
import { COLUMN_TARGETS } from '../domain/contact-columns.js';
import {
  COUNT_SCHEMA,
  described,
  E164_SCHEMA,
  FLAG_SCHEMA,
  INSTANT_SCHEMA,
  type JsonSchema,
  linesOf,
  listOf,
  NDJSON,
  nullable,
  objectOf,
  oneOf,
  ORDINAL_SCHEMA,
  TEXT_SCHEMA,
  UUID_SCHEMA,
  WARNINGS_SCHEMA,
} from '../http/json-schema.js';
import { BOM_PARAMETER, EXPORT_FORMATS } from '../http/export.js';
import { ERROR_SCHEMA, errorDoc } from '../http/openapi/errors.js';
import { documented, pageOfItems, type ResponseDoc } from '../http/openapi/operation.js';
import { IMPORT_MODES, IMPORT_STATES, IMPORT_TYPES } from './import.entity.js';
import {
  type ImportResultView,
  type ImportStarted,
  type ImportUndoView,
  type ImportView,
  type ImportWithColumns,
} from './import-view.js';
import { ImportsController } from './imports.controller.js';
import { LOOK, LOOK_EXAMPLE } from './look.schema.js';
import { KEPT_CONTACTS, KEPT_ENROLLMENTS, NOTHING_UNDONE } from './undo-counts.js';
import { COLUMNS, WARNINGS_OF_ROW } from './row.schemas.js';
import { MAX_BYTES, MAX_COLUMNS, MAX_OPEN, MAX_ROW_BYTES, MAX_ROWS, MAX_SUPPRESSIONS } from './limits.js';

const WARNINGS = described(
  WARNINGS_SCHEMA,
  'Why contacts that the import enrolls are not called now: the version has no steps, or the campaign is a draft or paused. ' +
    'Absent if there is no such reason.',
);

/** An import as its team reads it, without the columns of its file. */
const FIELDS: Record<keyof ImportView, JsonSchema> = {
  importId: UUID_SCHEMA,
  status: described(
    oneOf(IMPORT_STATES),
    '`staging`: the file is being uploaded. `held`: the import waits until it is started. `running`: rows are being processed or wait. `finished`: every row has a result. ' +
      '`canceled` and `failed` are also final, unless the import is undone: it is then `undoing`, and at last `undone`.',
  ),
  type: described(
    oneOf(IMPORT_TYPES),
    'What the rows are. `suppressions`: numbers that go on the Do Not Call list; `created` then counts rows whose number was not on ' +
      'the list. `consents`: consents; `created` then counts rows that were recorded, and `updated` those that were recorded before. ' +
      'Absent in events of version 1.0.',
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
  warned: described(
    COUNT_SCHEMA,
    'The number of processed rows with a warning, such as a malformed e-mail address that was left out.',
  ),
  withoutTimezone: described(COUNT_SCHEMA, 'The number of stored rows without a time zone.'),
  repeatedNumbers: described(
    COUNT_SCHEMA,
    'The number of processed rows whose contact was already that of an earlier row.',
  ),
  countries: {
    type: 'object',
    description:
      'The number of stored rows by the country of their phone number, an ISO 3166 code, or `none` for a number that belongs to no country.',
    additionalProperties: COUNT_SCHEMA,
    examples: [{ US: 812, GB: 31 }],
  },
  error: described(nullable(TEXT_SCHEMA), 'Why the import failed. Null unless `status` is `failed`.'),
  createdAt: INSTANT_SCHEMA,
  finishedAt: described(
    nullable(INSTANT_SCHEMA),
    'When the import ended. Null while `status` is `staging` or `running`.',
  ),
  warnings: WARNINGS,
};

/** As a list and an event show it. */
export const IMPORT_SCHEMA = objectOf<ImportView>('Import', FIELDS, { optional: ['type', 'warnings'] });

const UNDO = described(
  nullable(
    objectOf<ImportUndoView>('ImportUndo', {
      contactsRemoved: described(
        COUNT_SCHEMA,
        'The number of contacts that the import created and that are removed.',
      ),
      enrollmentsEnded: described(
        COUNT_SCHEMA,
        'The number of enrollments that ended with the `endReason` `undone`.',
      ),
      contactsKept: described(
        countsOf('KeptContacts', KEPT_CONTACTS),
        'The number of contacts that the import created and that stay, by the reason. `called`: the number was called. `opted_out`: ' +
          'it is on the Do Not Call list. `enrolled`: the contact has another enrollment, or one that ended otherwise. `changed`: the ' +
          'contact was changed. `imported`: another import has it.',
      ),
      enrollmentsKept: described(
        countsOf('KeptEnrollments', KEPT_ENROLLMENTS),
        'The number of enrollments that the import made and that go on, because they have a call (`called`), or that had ended (`ended`).',
      ),
      beganAt: INSTANT_SCHEMA,
      finishedAt: described(nullable(INSTANT_SCHEMA), 'Null while the import is being undone.'),
    }),
  ),
  'What the undo did so far, and what it could not undo. Null if the import was not undone.',
);

const IMPORT_WITH_COLUMNS = objectOf<ImportWithColumns>(
  'ImportWithColumns',
  { ...FIELDS, columns: COLUMNS, undo: UNDO },
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
      'The contact that was created or updated. With `error`, the contact that already has the phone number.',
    ),
    externalId: described(
      TEXT_SCHEMA,
      'The external id that the contact has now. Absent if the row has no `contactId`, or the contact has none.',
    ),
    enrollmentId: described(
      UUID_SCHEMA,
      'The enrollment that the row created. Absent if the contact was not enrolled.',
    ),
    notEnrolled: described(
      TEXT_SCHEMA,
      'Why the contact was stored but not enrolled. Absent if it was enrolled, if the row has an error, or if neither the row nor the import names a campaign.',
    ),
    warnings: described(
      WARNINGS_OF_ROW,
      'What was left out of the row, by the key of the field. Absent if there is nothing.',
    ),
    error: described(TEXT_SCHEMA, 'Why the row was not stored. Absent if it was stored.'),
    notUndone: described(
      oneOf(KEPT_CONTACTS),
      'Why the undo of the import has kept the contact that the import created. Absent if it was removed, and without an undo.',
    ),
  },
  {
    optional: [
      'phoneNumber',
      'contactId',
      'externalId',
      'enrollmentId',
      'notEnrolled',
      'warnings',
      'error',
      'notUndone',
    ],
  },
);

const STARTED = objectOf<ImportStarted>(
  'ImportStarted',
  { importId: UUID_SCHEMA, columns: COLUMNS, warnings: WARNINGS },
  { optional: ['warnings'] },
);

const UNDOING_EXAMPLE: ImportWithColumns = {
  importId: '01a20544-514a-7d89-be8a-178092b9ad33',
  status: 'undoing',
  type: 'contacts',
  mode: 'upsert',
  campaignId: null,
  versionId: null,
  rows: 3,
  created: 2,
  updated: 0,
  enrolled: 0,
  failed: 1,
  warned: 0,
  withoutTimezone: 2,
  repeatedNumbers: 0,
  countries: { US: 1, GB: 1 },
  error: null,
  createdAt: '2026-11-20T14:00:00.000Z',
  finishedAt: '2026-11-20T14:00:01.250Z',
  columns: null,
  undo: { ...NOTHING_UNDONE, beganAt: '2026-11-20T15:00:00.000Z', finishedAt: null },
};

const STARTED_FIELDS: Partial<ImportWithColumns> = {
  status: 'running',
  created: 0,
  failed: 0,
  withoutTimezone: 0,
  countries: {},
  finishedAt: null,
  undo: null,
};

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
      summary: 'Import contacts, suppressions or consents from a file',
      description:
        'The body is a file in NDJSON or CSV, in UTF-8, or in UTF-16 with a byte order mark. ' +
        `It has at most ${MAX_ROWS} rows of at most ${MAX_ROW_BYTES / 1024} KB each, and at most ${MAX_BYTES / 1024 / 1024} MB in all. ` +
        '`Content-Encoding: gzip` is accepted; the limits apply to the decompressed file. In NDJSON, each line is a body of *Create or ' +
        'update a contact*, which can also have the external id as a field, or a contact as *Export the team’s contacts* returns it. ' +
        `CSV begins with a header of at most ${MAX_COLUMNS} columns, which are separated by commas, semicolons, tabs or vertical bars. ` +
        'The fields of a contact are recognised by their names and by usual other names, such as `Mobile`, without regard to case, spaces, ' +
        '`_` and `-`. Every other column is a custom property. `columns` in the answer says what each column was taken for, and the ' +
        'parameter `map` decides otherwise. If two columns have a name of the same field, the request is refused unless `map` chooses one. ' +
        'An empty cell counts as not sent. A malformed e-mail address is left out with a warning, unless `strict` is true. An upload has no time limit, but it ends ' +
        'if no byte arrives for 30 seconds. If the file is malformed, the request is refused and the import is `failed`. If a row is ' +
        'invalid, its result has an error. A team can upload one file at a time. The same `Idempotency-Key` with other ' +
        'parameters or other bytes is refused.',
      query: {
        type: {
          description:
            '`contacts` (the default), or `suppressions`: the rows are phone numbers, which go on the Do Not Call list as by *Add numbers to ' +
            'the Do Not Call list*. The column is named `phoneNumber`, has a usual other name, or is the only one; then the file may have no ' +
            `header. Other columns are ignored. There are at most ${MAX_SUPPRESSIONS} rows. The key also needs the scope \`suppressions\`. ` +
            'Of the other parameters, only `map` and `hold` are allowed. Or `consents`: the rows are consents as by *Record a consent*, with ' +
            'columns of the names of its fields; other columns are ignored. A consent that is recorded already is not recorded again. The key ' +
            'also needs the scope `suppressions`. Of the other parameters, only `map`, `dryRun` and `hold` are allowed. Neither import can be ' +
            'undone.',
          schema: oneOf(IMPORT_TYPES),
        },
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
        map: {
          description:
            'What a column of a CSV file is: its name, a colon, and the name of a field, `firstName`, `lastName`, `property` or `ignore`. In a ' +
            'file of consents, it is a field of a consent or `ignore`. ' +
            'Repeat the parameter for each such column.',
          schema: {
            ...listOf(
              {
                type: 'string',
                pattern: `:(${[...new Set([...COLUMN_TARGETS, ...CONSENT_FIELDS])].join('|')})$`,
              },
              { maxItems: MAX_COLUMNS },
            ),
            examples: [['Mobile:phoneNumber', 'Phone:ignore']],
          },
        },
        strict: {
          description:
            'Whether a row with a malformed e-mail address gets an error. The default is false: the contact is stored without the address, ' +
            'and the result of the row has a warning.',
          schema: FLAG_SCHEMA,
        },
        dryRun: {
          description:
            'Whether the file is only read. The answer is then 200 with what an import of the file would do, and nothing is stored. ' +
            'An `Idempotency-Key` has no effect. The default is false.',
          schema: FLAG_SCHEMA,
        },
        hold: {
          description:
            'Whether the import is `held` after its upload: no row is processed before *Start an import that is held*. An import that is ' +
            'not started within an hour is gone. The default is false.',
          schema: FLAG_SCHEMA,
        },
      },
      body: IMPORTED_CONTACT,
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
      otherSuccesses: {
        200: {
          description: 'With `dryRun=true`: what an import of the file would do.',
          schema: LOOK,
          examples: { look: LOOK_EXAMPLE },
        },
      },
      refusals: {
        400: refusedFile(
          'A parameter or the file is malformed. If the file is malformed, `importId` is the id of the failed import.',
          'Column 2 of the header has no name',
          'InvalidImport',
        ),
        404: errorDoc(
          'The team has no such campaign, or the campaign has no such version.',
          'Campaign not found',
        ),
        409: refusedFile(
          `Another import of the team is being uploaded, or ${MAX_OPEN} imports of the team are not finished. Or the import was canceled ` +
            'during its upload, or the first request with this `Idempotency-Key` is still in progress. Or another dry run of the team took ' +
            'longer than ten seconds.',
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
      success: { description: 'A page of imports.', schema: pageOfItems(IMPORT_SCHEMA, 'ImportPage') },
    },
    get: {
      id: 'getImport',
      summary: 'Read an import',
      success: { description: 'The import.', schema: IMPORT_WITH_COLUMNS },
    },
    results: {
      id: 'getImportResults',
      summary: 'Read the results of the rows',
      description:
        `Each line is the result of one row, an \`${RESULT.title}\`, in the order of the rows. A row that is not processed yet has no ` +
        'result. With `failed=true` and `format=csv`, the rows with an error are returned as CSV: `row`, `error`, and the columns of the ' +
        'file with their cells as they were sent, or `line` for a file in NDJSON. If such a file is corrected and imported, `row` and ' +
        '`error` are ignored. A result has `row`, and those of `phoneNumber`, `contactId`, `externalId`, `enrollmentId`, `notEnrolled`, `warnings`, `error` and `notUndone` that apply.',
      query: {
        failed: {
          description: 'Whether only results with an error are returned. The default is false.',
          schema: FLAG_SCHEMA,
        },
        format: {
          description: '`ndjson` (the default), or `csv` for rows with an error.',
          schema: oneOf(EXPORT_FORMATS),
        },
        bom: BOM_PARAMETER,
      },
      status: 200,
      success: {
        description: 'The results.',
        schema: linesOf(RESULT),
        contentType: NDJSON,
        others: { 'text/csv': TEXT_SCHEMA },
      },
      refusals: { 400: errorDoc('A parameter is malformed.', 'failed must be true or false') },
    },
    cancel: {
      id: 'cancelImport',
      summary: 'Cancel an import',
      description: 'Contacts and enrollments of rows that are already processed stay.',
      success: { description: 'The import.', schema: IMPORT_WITH_COLUMNS },
      refusals: {
        409: errorDoc('The import has ended.', 'The import is finished and can no longer be canceled'),
      },
    },
    start: {
      id: 'startImport',
      summary: 'Start an import that is held',
      description:
        'The worker then processes its rows. An import that is not started within an hour is not found any more.',
      success: {
        description: 'The import, which is running.',
        schema: IMPORT_WITH_COLUMNS,
        examples: { running: { ...UNDOING_EXAMPLE, ...STARTED_FIELDS } },
      },
      refusals: {
        409: errorDoc(
          'The import is not held.',
          'The import is running, and only one that is held can be started',
        ),
      },
    },
    undo: {
      id: 'undoImport',
      summary: 'Undo an import',
      description:
        'The import must have ended. The worker then ends the enrollments that the import made and that have no call, with the `endReason` ' +
        '`undone`, and removes the contacts that the import created and that nothing else has touched since. Contacts that were called, ' +
        'opted out, changed, enrolled or imported elsewhere stay, as do contacts that the import only updated. A removed contact is ' +
        'not found any more, and an import of its number creates another contact. `undo` of the import says what was done, and ' +
        '`notUndone` of each result why a contact stays. An import can be undone once, until it is deleted a week after its end.',
      success: {
        description: 'The worker undoes the import.',
        schema: IMPORT_WITH_COLUMNS,
        examples: { undoing: UNDOING_EXAMPLE },
      },
      refusals: {
        409: errorDoc(
          'The import has not ended, is undone already, or is one of suppressions or consents. Or an earlier version of Outdial made it.',
          'The import is running; cancel it first',
        ),
      },
    },
  },
);

/** The schema of a count for each name. */
function countsOf(title: string, names: readonly string[]): JsonSchema {
  return objectOf<Record<string, number>>(
    title,
    Object.fromEntries(names.map((name) => [name, COUNT_SCHEMA])),
  );
}
