import { get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuOf } from './cpu.js';
import { Growth } from './growth.js';
import { type Measured } from './stack.js';
import { figure, table } from './table.js';

const MEGABYTE = 1024 * 1024;
const NEW_LINE = 0x0a;
/** The first part of an export, in which memory grows to what an export takes. */
const FIRST_BYTES = 16 * MEGABYTE;
/** What a client has read when it leaves. */
const LEFT_AT_BYTES = 4 * MEGABYTE;
/** Pages that are under way when a client leaves have ended by then. */
const ENDING_MS = 1_000;
const WATCHED_MS = 2_000;

/** What answers, and the process that does. */
export type Exporting = Pick<Measured, 'url' | 'program'>;

/** One export of a list. */
export interface Exported {
  /** Without the header. */
  rows: number;
  seconds: number;
  /** Of the file. */
  megabytes: number;
  /** Megabytes by which the API grew. */
  growth: number;
  /** Those of them after the first 16 MB of the file. */
  laterGrowth: number;
}

/** Exports of whole lists; `afterLeaving`: see {@link leaveExport}. */
export type ExportedLists = Map<string, Exported & { afterLeaving: number }>;

/** Exports each list of a team, and leaves another export of it on its way. */
export async function exportLists(api: Exporting, apiKey: string): Promise<ExportedLists> {
  const lists: ExportedLists = new Map();
  for (const name of ['contacts', 'calls']) {
    const path = `/api/${name}/export`;
    const exported = await exportOnce(api, apiKey, path);
    lists.set(name, { ...exported, afterLeaving: await leaveExport(api, apiKey, path) });
    console.error(`${name}: ${exported.rows} rows in ${Math.round(exported.seconds)} s`);
  }
  return lists;
}

/** What the table of {@link exportsTable} shows. */
export const EXPORTS_SAY = `exports of the lists of one team, as CSV. Growth is that of the API's resident memory. The last
column is the CPU time of the API after another export, whose client left it after 4 MB one second earlier.`;

export function exportsTable(exports: ExportedLists): string {
  const rows = [...exports].map(([name, one]) => [
    name,
    figure(one.rows),
    figure(one.megabytes),
    figure(one.seconds, 1),
    figure(one.rows / one.seconds),
    figure(one.growth),
    figure(one.laterGrowth),
    figure(one.afterLeaving, 1),
  ]);
  const head = ['', 'rows', 'MB', 'seconds', 'rows a second'];
  const growth = ['growth, MB', 'of it after the first 16 MB'];
  return table([...head, ...growth, 'ms of CPU a second, when left'], rows);
}

/** All of a list, as CSV. @param path such as `/api/contacts/export`. */
export async function exportOnce(api: Exporting, apiKey: string, path: string): Promise<Exported> {
  const growth = new Growth(api);
  await growth.begin();
  const started = performance.now();
  const answer = await ask(api, apiKey, path);
  let [bytes, lines, grown] = [0, 0, 0];
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    for (let at = chunk.indexOf(NEW_LINE); at !== -1; at = chunk.indexOf(NEW_LINE, at + 1)) lines += 1;
    await growth.sample();
    if (bytes <= FIRST_BYTES) grown = growth.megabytes;
  }
  const seconds = (performance.now() - started) / 1_000;
  const { megabytes } = growth;
  return {
    rows: lines - 1,
    seconds,
    megabytes: bytes / MEGABYTE,
    growth: megabytes,
    laterGrowth: megabytes - grown,
  };
}

/**
 * Leaves an export near its beginning.
 * @returns milliseconds of CPU that the API uses in a second afterwards.
 */
async function leaveExport(api: Exporting, apiKey: string, path: string): Promise<number> {
  const answer = await ask(api, apiKey, path);
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Ends the iteration, and with it the connection.
    if (bytes > LEFT_AT_BYTES) break;
  }
  await pause(ENDING_MS);
  const before = cpuOf(api.program.pid ?? 0);
  await pause(WATCHED_MS);
  return (cpuOf(api.program.pid ?? 0) - before) / WATCHED_MS;
}

/** Not by `fetch`, which reads ahead of its caller. */
async function ask({ url }: Exporting, apiKey: string, path: string): Promise<IncomingMessage> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url + path, { headers: { authorization: `Bearer ${apiKey}` } }, resolve).on('error', reject);
  });
  if (answer.statusCode !== 200) throw new Error(`GET ${path}: ${answer.statusCode}`);
  return answer;
}
