import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { MAX_LISTED } from '../http/app-error.js';
import { type OptOutNumbers } from '../domain/opt-out-numbers.js';
import { type ListedNumber } from '../phone-numbers/team-number.js';
import { UsageError } from './usage-error.js';

// Each batch is at most one transaction, so the numbers of earlier batches stay after a failure.
const NUMBERS_A_BATCH = 200;
// An answer names at most as many faults, if no item is a number.
const LINES_A_REQUEST = MAX_LISTED;
// The most lines in the JSON output. The messages to people name every bad line and every line in doubt.
const LINES_KEPT = 1_000;

/** A line that is no number, and why. */
export interface BadLine {
  line: number;
  message: string;
}

/**
 * The result of a file. `numbers` counts the numbers of good lines. `badLines` has the first thousand bad
 * lines, and `listed` the first thousand good ones.
 */
export interface FileResult {
  numbers: number;
  added: number;
  bad: number;
  badLines: BadLine[];
  listed: ListedNumber[];
}

/** The result of a batch. */
export interface AddedNumbers {
  /** How many numbers were new. */
  added: number;
  /** If the lines are read where they are added: why items are no numbers, by their indexes, and the good items. */
  read?: { faults: ReadonlyMap<number, string>; listed: readonly ListedNumber[] };
}

/** What is done with the lines of a file. */
export interface FileWork {
  /** Whether the API reads the lines, by the settings of the team. */
  isReadByApi: boolean;
  /** The E.164 numbers of a line, or the line as it is, if it is read where it is added. */
  parse(text: string): OptOutNumbers;
  add(numbers: string[]): Promise<AddedNumbers>;
  onBadLine(bad: BadLine): void;
  /** Reports a line that can be read as several numbers, which are all added. */
  onDoubt(line: number, numbers: string[]): void;
  /** Reports that no number from this line on was added. */
  onFailure(line: number): void;
}

/**
 * Adds the numbers of a file, one a line; `#` begins a comment. The file is read as a stream and added batch
 * by batch, so it can have any length. A bad line is reported and skipped; the good lines are still added.
 *
 * @param path `-` for standard input.
 * @throws UsageError when the file cannot be read; the errors of `add`.
 */
export async function addNumbersOf(path: string, work: FileWork): Promise<FileResult> {
  const result: FileResult = { numbers: 0, added: 0, bad: 0, badLines: [], listed: [] };
  let batch: string[] = [];
  let lines: number[] = [];
  let batchBegins = 1;
  const noteBad = (bad: BadLine) => {
    result.bad += 1;
    if (result.badLines.length < LINES_KEPT) result.badLines.push(bad);
    work.onBadLine(bad);
  };
  const noteListed = (at: number, listed: ListedNumber) => {
    if (result.listed.length < LINES_KEPT) result.listed.push(listed);
    if (listed.phoneNumbers.length > 1) work.onDoubt(at, listed.phoneNumbers);
  };
  const add = async (): Promise<AddedNumbers> => {
    try {
      return await work.add(batch);
    } catch (error) {
      work.onFailure(batchBegins);
      throw error;
    }
  };
  const flush = async (nextLine: number) => {
    if (batch.length > 0) {
      const { added, read } = await add();
      result.added += added;
      if (read === undefined) result.numbers += batch.length;
      for (const [index, message] of read?.faults ?? []) noteBad({ line: lines[index] ?? 0, message });
      const good = lines.filter((_, index) => read?.faults.has(index) === false);
      for (const [index, listed] of (read?.listed ?? []).entries()) {
        result.numbers += listed.phoneNumbers.length;
        noteListed(good[index] ?? 0, listed);
      }
    }
    [batch, lines] = [[], []];
    batchBegins = nextLine;
  };

  let line = 0;
  for await (const text of linesOf(path)) {
    line += 1;
    const number = text.replace(/#.*$/s, '').trim();
    if (number === '') continue;
    const parsed = work.parse(number);
    if (parsed.ok) {
      const { phoneNumbers } = parsed;
      batch.push(...phoneNumbers);
      lines.push(line);
      if (!work.isReadByApi) noteListed(line, { given: number, phoneNumbers });
    } else {
      noteBad({ line, message: parsed.message });
    }
    if (batch.length >= (work.isReadByApi ? LINES_A_REQUEST : NUMBERS_A_BATCH)) await flush(line + 1);
  }
  await flush(line + 1);
  return result;
}

async function* linesOf(path: string): AsyncGenerator<string> {
  const input = path === '-' ? process.stdin : createReadStream(path);
  const failed = new Promise<never>((_, reject) => input.once('error', reject));
  failed.catch(() => undefined);
  try {
    const lines = createInterface({ input, crlfDelay: Infinity })[Symbol.asyncIterator]();
    for (;;) {
      // A file that cannot be read never yields a line, so the loop also waits for the error.
      const next = await Promise.race([lines.next(), failed]);
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    throw new UsageError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`);
  }
}
