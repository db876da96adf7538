import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { EXPORT_TYPES } from '../../http/export.js';
import { ImportsService } from '../../imports/imports.service.js';
import { ImportIntake } from '../../imports/upload/intake.service.js';
import { type ApiClient } from '../api-client.js';
import { type Command, type Invocation, type Output, record } from '../command.js';
import { noteExport } from '../note-export.js';
import { operationCommand } from '../operation-command.js';
import { operationNamed } from '../operations.js';
import { Progress } from '../progress.js';
import { UsageError } from '../usage-error.js';

/** How often a running import is read, in milliseconds. */
const READ_EVERY_MS = 500;
/** The most failed rows that are printed. */
const MAX_LISTED = 20;

const COMPRESSED = /\.gz$/i;
const NDJSON = /\.(?:ndjson|jsonl)$/i;

type Import = Awaited<ReturnType<ImportsService['get']>>;
type UploadFormats = Parameters<ImportIntake['take']>[2];

async function run(call: Invocation): Promise<Output> {
  const path = call.arg('file');
  const importId = await upload(call, path);
  const read = () => call.send<Import>('getImport', { importId });
  if (call.flag('detach')) return { kind: 'record', value: await read() };
  const progress = new Progress('import', call.draw, call.tell);
  let view = await read();
  while (view.finishedAt === null) {
    const { rows, created, updated, failed } = view;
    const done = created + updated + failed;
    progress.show(done, rows, `${done} of ${rows} rows`);
    await pause(READ_EVERY_MS);
    view = await read();
  }
  progress.end();
  await listFailed(call, path, importId);
  const { status, rows, created, updated, enrolled, failed, warned } = view;
  const text =
    `The import is ${status}: ${rows} rows, ${created} created, ${updated} updated, ${enrolled} enrolled, ` +
    `${failed} failed${warned > 0 ? `, ${warned} with a warning` : ''}.\nIts id is ${importId}.`;
  return { kind: 'text', text, value: view, failed: status !== 'finished' || failed > 0 };
}

async function upload(call: Invocation, path: string): Promise<string> {
  const progress = new Progress('upload', call.draw, call.tell);
  const campaign = call.option('campaign');
  const options = Object.entries({
    type: call.option('type'),
    campaignId: campaign === undefined ? undefined : await call.campaignNamed(campaign),
    version: call.option('version'),
    mode: call.option('mode'),
    strict: call.flag('strict') ? 'true' : undefined,
    map: call.option('map')?.split(';'),
  }).filter((option): option is [string, string | string[]] => option[1] !== undefined);
  const formats = {
    format: NDJSON.test(path.replace(COMPRESSED, '')) ? ('ndjson' as const) : ('csv' as const),
    isCompressed: COMPRESSED.test(path),
  };
  const { size } = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  const pieces = piecesOf(path, size, progress);
  try {
    return call.api === undefined
      ? await call.service(ImportIntake).take(call.teamId, Object.fromEntries(options), formats, pieces)
      : await uploadByKey(call.api, options, formats, pieces);
  } finally {
    progress.end();
  }
}

async function uploadByKey(
  api: ApiClient,
  options: [string, string | string[]][],
  { format, isCompressed }: UploadFormats,
  pieces: AsyncIterable<Buffer>,
): Promise<string> {
  const { importId } = (await api.ask({
    method: 'POST',
    path: operationNamed('createImport').path,
    query: options.flatMap(([name, values]) => [values].flat().map((value) => [name, value] as const)),
    headers: {
      'content-type': EXPORT_TYPES[format],
      ...(isCompressed && { 'content-encoding': 'gzip' }),
    },
    body: pieces,
  })) as { importId: string };
  return importId;
}

async function* piecesOf(path: string, size: number, progress: Progress): AsyncGenerator<Buffer> {
  let read = 0;
  const stream = createReadStream(path);
  try {
    for await (const piece of stream) {
      yield piece as Buffer;
      read += (piece as Buffer).length;
      progress.show(read, size, `${Math.round(read / 1024)} of ${Math.round(size / 1024)} KB`);
    }
  } catch (error) {
    throw error instanceof Error && 'syscall' in error ? unreadable(path, error) : error;
  }
}

function unreadable(path: string, error: unknown): UsageError {
  return new UsageError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
}

async function listFailed(call: Invocation, path: string, importId: string): Promise<void> {
  let listed = 0;
  for await (const line of failedRows(call, importId)) {
    const { row, error } = JSON.parse(line) as { row: number; error: string };
    if (listed === MAX_LISTED) {
      call.tell('There are more: GET /api/imports/{importId}/results?failed=true has them all.');
      return;
    }
    call.tell(`${path}: row ${row}: ${error}`);
    listed += 1;
  }
}

/** The results of failed rows, as lines of JSON. */
async function* failedRows(call: Invocation, importId: string): AsyncGenerator<string> {
  const { api, service, teamId } = call;
  if (api === undefined) await noteExport(call, 'getImportResults', { importId });
  const pieces =
    api === undefined
      ? await service(ImportsService).results(teamId, importId, true)
      : api.read({
          method: 'GET',
          path: operationNamed('getImportResults').path.replace('{importId}', encodeURIComponent(importId)),
          query: [['failed', 'true']],
        });
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of pieces) {
    const text = typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line !== '');
  }
}

export const IMPORT_COMMANDS: readonly Command[] = [
  {
    name: 'import',
    summary: 'Import contacts from a file (.csv, .ndjson, either with .gz); a running worker stores them',
    args: ['file'],
    team: true,
    options: {
      type: { value: '<type>', help: 'contacts, suppressions or consents; contacts unless given' },
      campaign: { value: '<campaign>', help: 'campaign to enroll the contacts in, by its id or name' },
      version: { value: '<version>', help: 'current, draft or the id of a version; current unless given' },
      mode: {
        value: '<mode>',
        help: 'upsert changes contacts that exist, create refuses them; upsert unless given',
      },
      map: {
        value: '<columns>',
        help: 'what columns are, other than by their names, such as "Mobile:phoneNumber;Phone:ignore"',
      },
      strict: { help: 'a malformed e-mail address fails its row, instead of being left out' },
      detach: { help: 'do not wait until every row is stored' },
    },
    run,
  },
  operationCommand({
    name: 'import list',
    operation: 'listImports',
    columns: ['importId', 'status', 'rows', 'created', 'updated', 'enrolled', 'failed'],
  }),
  {
    name: 'import show',
    summary: 'Show an import and the rows that failed',
    args: ['id'],
    team: true,
    run: async (call) => {
      const shown = await call.send<Import>('getImport', { importId: call.arg('id') });
      await listFailed(call, 'import', shown.importId);
      return record(shown);
    },
  },
];
