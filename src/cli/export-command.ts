import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EXPORT_FORMATS, exportPieces } from '../http/export.js';
import { type Page, type PageRequest } from '../http/page.js';
import { type Command, type Invocation, type OptionSpec } from './command.js';
import { UsageError } from './usage-error.js';

/**
 * The command `<thing> export`, which writes a list to a file, as the list's export over HTTP does. The file has
 * personal data, so only its owner may read it, and an existing file is not replaced.
 *
 * @param things in the plural, for people. @param columns of a CSV file. @param lister of the team's pages.
 */
export function exportCommand<Item extends object, Filter extends string>(
  thing: string,
  things: string,
  columns: readonly (keyof Item & string)[],
  filters: { readonly [Name in Filter]: OptionSpec },
  lister: (call: Invocation) => (page: PageRequest<Filter>) => Promise<Page<Item>>,
): Command {
  return {
    name: `${thing} export`,
    summary: `Export ${things} to a new file, the newest first`,
    args: ['file'],
    team: true,
    filters,
    options: {
      format: { value: '<format>', help: 'csv or ndjson; by the ending of the file unless given' },
      bom: { help: 'begin CSV with a byte order mark, by which a spreadsheet knows that it is UTF-8' },
    },
    run: async (call) => {
      const path = resolve(call.arg('file'));
      const format = formatOf(path, call.option('format'));
      const bom = call.flag('bom');
      if (bom && format !== 'csv') throw new UsageError('--bom is only for CSV');
      const list = lister(call);
      const { filters: sent, problems } = call.page<Filter>();
      let rows = 0;
      const pieces = await exportPieces<Item>({ format, bom, columns }, async (part) => {
        const page = await list({ ...part, filters: sent, problems });
        rows += page.items.length;
        return page;
      });
      await writeNew(path, pieces);
      const text = `${rows} ${rows === 1 ? thing : things} in ${path}.`;
      return { kind: 'text', text, value: { file: path, rows } };
    },
  };
}

function formatOf(path: string, typed: string | undefined): (typeof EXPORT_FORMATS)[number] {
  const asked = typed ?? (/[.](?:ndjson|jsonl)$/i.test(path) ? 'ndjson' : 'csv');
  const format = EXPORT_FORMATS.find((one) => one === asked);
  if (format === undefined) throw new UsageError(`--format must be one of ${EXPORT_FORMATS.join(', ')}`);
  return format;
}

async function writeNew(path: string, pieces: AsyncIterable<string>): Promise<void> {
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
