import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { type Problem, problemOf } from './app-error.js';
import { BYTE_ORDER_MARK, csvLine } from './csv.js';
import { type ListFilters } from './filters.js';
import { FLAG_SCHEMA, type JsonSchema, oneOf } from './json-schema.js';
import { MAX_LIMIT, type Page, parseCursor, parsePageRequest } from './page.js';
import { sendPieces } from './send-pieces.js';

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The content types of the formats. */
export const EXPORT_TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
};

/** The parameter of every export, for the API's document. */
export const FORMAT_PARAMETER: { description: string; schema: JsonSchema } = {
  description: '`csv` (the default) or `ndjson`.',
  schema: oneOf(EXPORT_FORMATS),
};

/** The other parameter of every export, for the API's document. */
export const BOM_PARAMETER: { description: string; schema: JsonSchema } = {
  description:
    'Whether CSV begins with a byte order mark, by which a spreadsheet knows that the file is in UTF-8. The default is false.',
  schema: FLAG_SCHEMA,
};

/** A requested export; `filters` are those of the list that were sent. */
export interface ExportRequest<Filter extends string = never> {
  format: ExportFormat;
  /** Whether the file begins with a byte order mark. */
  bom: boolean;
  filters: Partial<Record<Filter, string>>;
  /** Faults of the other parameters. The code that reads the filters refuses all faults at once. */
  problems: readonly Problem[];
}

/** Reads the page after a row of a list. */
export type PageReader<Item> = (part: { limit: number; after: string[] | null }) => Promise<Page<Item>>;

/**
 * The export that a query string requests: `format`, `bom`, and the filters of the list. Runs after the guards. What
 * is malformed, unknown or sent twice is in `problems`.
 */
export const ExportOf = createParamDecorator(
  (filters: ListFilters, context: ExecutionContext): ExportRequest<string> => {
    const { query } = context.switchToHttp().getRequest<Request>();
    const { limit, cursor, ...parameters } = query;
    const paged = Object.entries({ limit, cursor }).flatMap(([name, value]) =>
      value === undefined ? [] : [name],
    );
    const read = parsePageRequest(parameters, [...Object.keys(filters), 'format', 'bom'], {
      refusedByFilters: true,
    });
    const { format = 'csv', bom = 'false', ...sent } = read.filters;
    const known = EXPORT_FORMATS.find((one) => one === format);
    const problems = [
      ...paged.map((name) => problemOf(`${name} is not a parameter of an export`)),
      ...(read.problems ?? []),
      ...(known === undefined ? [problemOf(`format must be one of ${EXPORT_FORMATS.join(', ')}`)] : []),
      ...(bom === 'true' || bom === 'false' ? [] : [problemOf('bom must be true or false')]),
      ...(bom === 'true' && known === 'ndjson' ? [problemOf('bom is only for CSV')] : []),
    ];
    return { format: known ?? 'csv', bom: bom === 'true', filters: sent, problems };
  },
);

/** The file of an export. */
export interface Exported<Item> {
  format: ExportFormat;
  bom: boolean;
  /** The name of the file, without its ending. */
  name: string;
  /** The columns of a CSV file, in their order. */
  columns: readonly (keyof Item & string)[];
  /** The columns after these, which the request chose. */
  chosen?: ChosenColumns<Item>;
}

/** Columns of a CSV file that are no fields of its items. */
export interface ChosenColumns<Item> {
  headings: readonly string[];
  /** The cells of an item, in the order of the headings. */
  cellsOf: (item: Item) => unknown[];
}

/**
 * Sends a list as one file. The list is read page by page, as fast as the client reads the file. Only one
 * page is in memory, and no database connection is held between two pages. The export ends when the client
 * closes its connection.
 *
 * @throws what `read` throws. After the first page, the answer has begun, so it is cut off.
 */
export async function sendExport<Item extends object>(
  response: Response,
  { name, ...file }: Exported<Item>,
  read: PageReader<Item>,
): Promise<void> {
  const pieces = await exportPieces(file, read);
  const { format } = file;
  response.setHeader('Content-Disposition', `attachment; filename="${name}.${format}"`);
  await sendPieces(response, pieces, EXPORT_TYPES[format]);
}

/**
 * The text of a list's file, a page at a time.
 * @throws what `read` throws for the first page, before any piece.
 */
export async function exportPieces<Item extends object>(
  { format, bom, columns, chosen }: Omit<Exported<Item>, 'name'>,
  read: PageReader<Item>,
): Promise<AsyncGenerator<string>> {
  const first = await read({ limit: MAX_LIMIT, after: null });
  const cellsOf = (item: Item) => [
    ...columns.map((column) => item[column]),
    ...(chosen?.cellsOf(item) ?? []),
  ];
  const lineOf = (item: Item) => (format === 'csv' ? csvLine(cellsOf(item)) : `${JSON.stringify(item)}\n`);
  const headings = [...columns, ...(chosen?.headings ?? [])];
  const head = format === 'csv' ? `${bom ? BYTE_ORDER_MARK : ''}${csvLine(headings)}` : '';
  return pagesAsText(first, read, head, lineOf);
}

async function* pagesAsText<Item>(
  first: Page<Item>,
  read: PageReader<Item>,
  head: string,
  lineOf: (item: Item) => string,
): AsyncGenerator<string> {
  yield head;
  for (let page = first; ;) {
    yield page.items.map(lineOf).join('');
    if (page.nextCursor === null) return;
    page = await read({ limit: MAX_LIMIT, after: parseCursor(page.nextCursor) });
  }
}
