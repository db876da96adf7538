import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, constants, type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { recordOf, type StampedRecord } from './journal-record.js';

const FILE = /^(\d{4}-\d{2}-\d{2})-.*\.jsonl$/;
const DAY_MS = 86_400_000;

/** The day of an instant, UTC. */
export function dayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/**
 * Creates a file of this process. Its directory is synced, so that the file survives a crash of the machine.
 */
export async function createFile(directory: string, day: string): Promise<FileHandle> {
  const host = hostname().replaceAll(/[^\w.-]/g, '_');
  const name = `${day}-${host}-${process.pid}-${randomBytes(4).toString('hex')}.jsonl`;
  const file = await open(join(directory, name), 'ax', 0o600);
  const parent = await open(directory, 'r');
  try {
    await parent.sync();
  } finally {
    await parent.close();
  }
  return file;
}

/** Removes files that are older than `days`. */
export async function removeOldFiles(directory: string, days: number, now: Date): Promise<void> {
  const oldest = dayOf(new Date(now.getTime() - days * DAY_MS));
  for (const name of await readdir(directory)) {
    const day = FILE.exec(name)?.[1];
    if (day !== undefined && day < oldest) await rm(join(directory, name), { force: true });
  }
}

/** Whether files can be created in the directory. */
export async function isWritableDirectory(directory: string): Promise<boolean> {
  try {
    await access(directory, constants.R_OK | constants.W_OK | constants.X_OK);
    return (await stat(directory)).isDirectory();
  } catch {
    return false;
  }
}

/** A line of the journal is damaged. */
export class DamagedJournalError extends Error {
  override name = 'DamagedJournalError';
}

/**
 * All records, file by file. An incomplete last line is skipped, because its request was not confirmed.
 *
 * @throws DamagedJournalError naming the file and the line.
 */
export async function* readRecords(directory: string): AsyncGenerator<StampedRecord> {
  const names = (await readdir(directory)).filter((name) => FILE.test(name)).sort();
  for (const name of names) {
    let line = 0;
    for await (const text of wholeLines(join(directory, name))) {
      line += 1;
      yield readLine(text, `${name}, line ${line}`);
    }
  }
}

function readLine(text: string, where: string): StampedRecord {
  try {
    return recordOf(text);
  } catch (error) {
    throw new DamagedJournalError(`The journal is damaged: ${where}: ${(error as Error).message}`);
  }
}

async function* wholeLines(path: string): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
