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
    `The filters and fields are the same as in the list of ${item}s. NDJSON has one ${item} on each line. CSV has a header, then one ` +
    `${item} on each line. In CSV, ${nested} are JSON, and an apostrophe precedes a text that a spreadsheet would run as a formula. ` +
    `The answer is streamed page by page, so it has no \`Content-Length\`. It does not contain ${item}s that are added during the export.`
  );
}
