import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ChosenColumns, EXPORT_FORMATS, exportPieces, type PageReader } from '../http/export.js';
import { type Page, type PageRequest } from '../http/page.js';
import { type Command, type Invocation, type Output } from './command.js';
import { fieldOptions } from './field-options.js';
import { noteExport } from './note-export.js';
import { operationNamed } from './operations.js';
import { UsageError } from './usage-error.js';

const LINE_FEED = 0x0a;
const QUOTE = 0x22;

/**
 * The command `<thing> export`, which writes a list to a file, as the list's export over HTTP does. The file has
 * personal data, so only its owner may read it, and an existing file is not replaced.
 *
 * @param things in the plural, for people. @param columns of a CSV file. @param operation that exports over HTTP.
 * @param lister of the team's pages.
 */
export function exportCommand<Item extends object, Filter extends string>(
  thing: string,
  things: string,
  columns: readonly (keyof Item & string)[],
  operation: string,
  lister: (call: Invocation) => (page: PageRequest<Filter>) => Promise<Page<Item>>,
): Command {
  return {
    name: `${thing} export`,
    summary: `Export ${things} to a new file, the newest first`,
    args: ['file'],
    team: true,
    filters: fieldOptions(operation, { without: ['format', 'bom'] }),
    options: EXPORT_OPTIONS,
    run: (call) => {
      const { filters: sent, problems } = call.page<Filter>();
      const list = call.api === undefined ? lister(call) : null;
      return writeExport<Item>(call, { thing, things, columns }, async () => {
        if (list === null) return { address: operationNamed(operation).path, query: sent };
        await noteExport(call, operation);
        return { page: (part) => list({ ...part, filters: sent, problems }) };
      });
    },
  };
}

export const EXPORT_OPTIONS = {
  format: { value: '<format>', help: 'csv or ndjson; by the ending of the file unless given' },
  bom: { help: 'begin CSV with a byte order mark, by which a spreadsheet knows that it is UTF-8' },
};

/** Where the rows of an export come from: pages that this process reads, or the export of the API, by its address. */
export type ExportSource<Item extends object> =
  | { page: PageReader<Item>; chosen?: ChosenColumns<Item> }
  | { address: string; query: Partial<Record<string, string>> };

/**
 * Writes rows to the new file that the argument `file` names, as {@link EXPORT_OPTIONS} say.
 *
 * @param things in the plural, for people. @param open is called after the options were read. With a team's key, its
 *   source is an address.
 */
export async function writeExport<Item extends object>(
  call: Invocation,
  { thing, things, columns }: { thing: string; things: string; columns: readonly (keyof Item & string)[] },
  open: () => Promise<ExportSource<Item>>,
): Promise<Output> {
  const path = resolve(call.arg('file'));
  const format = formatOf(path, call.option('format'));
  const bom = call.flag('bom');
  if (bom && format !== 'csv') throw new UsageError('--bom is only for CSV');
  const source = await open();
  let rows = 0;
  if ('page' in source) {
    const pieces = await exportPieces<Item>({ format, bom, columns, chosen: source.chosen }, async (part) => {
      const page = await source.page(part);
      rows += page.items.length;
      return page;
    });
    await writeNew(path, pieces);
  } else {
    if (call.api === undefined) throw new Error('An address is read with a key of the API');
    const query = Object.entries<string | undefined>({ ...source.query, format, bom: String(bom) }).flatMap(
      ([name, value]) => (value === undefined ? [] : [[name, value] as const]),
    );
    rows = await writeCounted(path, call.api.read({ method: 'GET', path: source.address, query }), format);
  }
  const text = `${rows} ${rows === 1 ? thing : things} in ${path}.`;
  return { kind: 'text', text, value: { file: path, rows } };
}

function formatOf(path: string, typed: string | undefined): (typeof EXPORT_FORMATS)[number] {
  const asked = typed ?? (/[.](?:ndjson|jsonl)$/i.test(path) ? 'ndjson' : 'csv');
  const format = EXPORT_FORMATS.find((one) => one === asked);
  if (format === undefined) throw new UsageError(`--format must be one of ${EXPORT_FORMATS.join(', ')}`);
  return format;
}

/** Writes a file that arrives, and returns the number of its rows. */
async function writeCounted(
  path: string,
  pieces: AsyncGenerator<Buffer>,
  format: (typeof EXPORT_FORMATS)[number],
): Promise<number> {
  // An API that refuses the export leaves no file behind.
  const first = await pieces.next();
  let lines = 0;
  let isQuoted = false;
  const counted = async function* () {
    for (let piece = first; !piece.done; piece = await pieces.next()) {
      for (const byte of piece.value) {
        if (byte === QUOTE && format === 'csv') isQuoted = !isQuoted;
        else if (byte === LINE_FEED && !isQuoted) lines += 1;
      }
      yield piece.value;
    }
  };
  try {
    await writeNew(path, counted());
  } finally {
    // If the file cannot be made, the answer is still open.
    await pieces.return(undefined);
  }
  return format === 'csv' ? lines - 1 : lines;
}

async function writeNew(path: string, pieces: AsyncIterable<string | Buffer>): Promise<void> {
  try {
    await pipeline(Readable.from(pieces), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    // A part of an export looks like a whole one.
    if (syscall !== 'open') await rm(path, { force: true });
    if (syscall !== 'open' && syscall !== 'write') throw error;
    throw new UsageError(
      code === 'EEXIST' ? `${path} exists already` : `${path} cannot be written (${code ?? 'unknown'})`,
    );
  }
}
