import { type JsonSchema, linesOf, NDJSON, TEXT_SCHEMA } from '../json-schema.js';
import { type ResponseDoc } from './operation.js';

/** The file of an export. @param item of the list. */
export function exportResponse(item: JsonSchema): ResponseDoc {
  return {
    description: 'The file.',
    schema: TEXT_SCHEMA,
    contentType: 'text/csv',
    others: { [NDJSON]: linesOf(item) },
  };
}

/** The description of an export. @param item of the list. @param nested fields that are JSON in CSV. */
export function exportDescription(item: string, nested: string): string {
  return (
    `The filters are those of the list. NDJSON has one ${item} of the list on each line. CSV has a header and one ${item} on each line; ` +
    `its ${nested} are JSON. A text that a spreadsheet would run as a formula begins with an apostrophe there. The answer is streamed ` +
    'page by page, so it has no `Content-Length`, and does not show what is added meanwhile.'
  );
}
