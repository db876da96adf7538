import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { type Entry, open as openZip, type ZipFile } from 'yauzl';
import { UnreadableFile } from './number-reader.js';

/** Standard input. */
const STANDARD_INPUT = '-';
/** With which each local file of a zip archive begins; an archive without files begins otherwise. */
const ZIP = Buffer.from('PK\x03\x04', 'latin1');

/** A file of a register, or a file within a zip archive. */
export interface SourceFile {
  name: string;
  bytes: AsyncIterable<Uint8Array>;
}

/**
 * The files at a path, one after the other: the file itself, or each of a zip archive.
 * @throws UnreadableFile; the error of the file system.
 */
export async function* sourceFiles(path: string): AsyncGenerator<SourceFile> {
  if (path === STANDARD_INPUT) yield { name: path, bytes: withoutZip(process.stdin) };
  else if (await isZip(path)) yield* filesOfZip(path);
  else yield { name: path, bytes: withoutZip(createReadStream(path)) };
}

/** When the oldest of the files was written; null for standard input. @throws the error of the file system. */
export async function writtenAt(paths: readonly string[]): Promise<Date | null> {
  const files = paths.filter((path) => path !== STANDARD_INPUT);
  const times = await Promise.all(files.map(async (path) => (await stat(path)).mtimeMs));
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** A pipe is none: the index of an archive is at its end. */
async function isZip(path: string): Promise<boolean> {
  if (!(await stat(path)).isFile()) return false;
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(ZIP.length), 0, ZIP.length, 0);
    return bytesRead === ZIP.length && buffer.equals(ZIP);
  } finally {
    await file.close();
  }
}

async function* withoutZip(input: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const bytes of input) {
    if (isFirst && ZIP.equals(bytes.subarray(0, ZIP.length)))
      throw new UnreadableFile('a zip archive cannot be read from a pipe');
    isFirst = false;
    yield bytes;
  }
}

async function* filesOfZip(path: string): AsyncGenerator<SourceFile> {
  const archive = await asArchiveError(() =>
    promisify(openZip as OpenZip)(path, { lazyEntries: true, autoClose: false }),
  );
  try {
    for (let entry = await nextEntry(archive); entry !== null; entry = await nextEntry(archive)) {
      if (entry.fileName.endsWith('/')) continue;
      yield { name: `${path}/${entry.fileName}`, bytes: contentOf(archive, entry) };
    }
  } finally {
    archive.close();
  }
}

type OpenZip = (
  path: string,
  options: { lazyEntries: boolean; autoClose: boolean },
  callback: (error: Error | null, archive: ZipFile) => void,
) => void;

/** null after the last one. */
function nextEntry(archive: ZipFile): Promise<Entry | null> {
  return asArchiveError(
    () =>
      new Promise((resolve, reject) => {
        const settle = (act: () => void) => {
          for (const name of ['entry', 'end', 'error'] as const) archive.removeAllListeners(name);
          act();
        };
        archive.once('entry', (entry: Entry) => settle(() => resolve(entry)));
        archive.once('end', () => settle(() => resolve(null)));
        archive.once('error', (error: Error) => settle(() => reject(error)));
        archive.readEntry();
      }),
  );
}

/** The bytes of a file, whose checksum is compared: a changed digit would be another number. */
async function* contentOf(archive: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  let sum = 0;
  const stream = await asArchiveError(
    () =>
      new Promise<Readable>((resolve, reject) =>
        archive.openReadStream(entry, (error, opened) => (error ? reject(error) : resolve(opened))),
      ),
  );
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  try {
    for (;;) {
      const next = await asArchiveError(() => chunks.next());
      if (next.done === true) break;
      sum = crc32(next.value, sum);
      yield next.value;
    }
  } finally {
    stream.destroy();
  }
  if (sum !== entry.crc32) throw new UnreadableFile('the checksum in the zip archive is another one');
}

/** An error of the archive as one that is told; an error of the file system stays as it is. */
async function asArchiveError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { message, syscall } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? new UnreadableFile(`the zip archive is broken: ${message}`) : error;
  }
}
