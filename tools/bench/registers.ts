/**
 * `npm run bench -- registers [--numbers 5000000] [--rounds 3] [--out file]`: how long `register import` takes for a
 * register of so many numbers, and what memory, beside Postgres' own COPY of the same numbers in the same round; and what a
 * look-up takes then.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { parseArgs } from 'node:util';
import { from as copyFrom } from 'pg-copy-streams';
import { repositoryRoot } from '../services/paths.js';
import { publish } from './page.js';
import { Stack } from './stack.js';
import { figure, median, missedTargets, table } from './table.js';

const REGISTER = 'us-ftc-dnc';
const SAMPLE_MS = 20;
const LOOK_UPS = 5_000;
const MEGABYTE = 1_024;
const PIECE = 10_000;
/** Area codes in use have seven million numbers each; a register of so many numbers has about one in ten. */
const SPACING = 7;

interface Round {
  /** Seconds of COPY into a table without an index, and into one that gets its key afterwards. */
  copy: number;
  copyAndKey: number;
  /** Seconds of the whole command, from its start to its end; and of one that imports a single number. */
  command: number;
  start: number;
  /** The most resident memory of the command, in megabytes. */
  memory: number;
  /** Microseconds of a look-up. */
  lookUp: number;
}

interface Files {
  /** In the layout of the register. */
  published: string;
  /** A number a line, as COPY reads it. */
  plain: string;
  /** One number, in the layout of the register. */
  single: string;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      numbers: { type: 'string', default: '5000000' },
      rounds: { type: 'string', default: '3' },
      out: { type: 'string' },
    },
  });
  const [numbers, rounds] = [Number(values.numbers), Number(values.rounds)];
  const stack = await Stack.start();
  const stop = () => void stack.close().finally(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const files = await writeFiles(stack.directory, numbers);
    const measured: Round[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      measured.push(await measure(stack, files, numbers));
      console.error(`round ${round}  ${JSON.stringify(measured.at(-1))}`);
    }
    await publish('registers', reportOf(measured, numbers), values.out);
  } finally {
    await stack.close();
  }
}

async function writeFiles(directory: string, numbers: number): Promise<Files> {
  const files = {
    published: join(directory, 'register.txt'),
    plain: join(directory, 'plain.txt'),
    single: join(directory, 'single.txt'),
  };
  const write = (file: string, lines: number, lineOf: (area: string, rest: string) => string) =>
    pipeline(Readable.from(linesOf(lines, lineOf)), createWriteStream(file));
  const published = (area: string, rest: string) => `${area},${rest}\n`;
  await write(files.published, numbers, published);
  await write(files.single, 1, published);
  await write(files.plain, numbers, (area, rest) => `1${area}${rest}\n`);
  return files;
}

/** Numbers in the order of a published file, many lines a piece. */
function* linesOf(numbers: number, lineOf: (area: string, rest: string) => string): Generator<string> {
  let piece = '';
  for (let n = 0; n < numbers; n += 1) {
    const digits = String(2_010_000_000 + n * SPACING);
    piece += lineOf(digits.slice(0, 3), digits.slice(3));
    if (n % PIECE < PIECE - 1) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

async function measure(stack: Stack, files: Files, numbers: number): Promise<Round> {
  const { db } = stack;
  await db.query('CREATE TABLE copied (number bigint NOT NULL)');
  const copy = await secondsOf(async () => {
    const client = await db.connect();
    await pipeline(createReadStream(files.plain), client.query(copyFrom('COPY copied FROM STDIN')));
    client.release();
  });
  const key = await secondsOf(() => db.query('ALTER TABLE copied ADD PRIMARY KEY (number)'));
  await db.query('DROP TABLE copied');
  await db.query('CHECKPOINT');
  const { seconds, memory } = await importOnce(stack, REGISTER, files.published);
  const { seconds: start } = await importOnce(stack, 'single', files.single);
  const lookUp = await lookUpMicroseconds(stack, numbers);
  await db.query('CHECKPOINT');
  return { copy, copyAndKey: copy + key, command: seconds, start, memory, lookUp };
}

async function importOnce(
  stack: Stack,
  register: string,
  file: string,
): Promise<{ seconds: number; memory: number }> {
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [join(repositoryRoot(), 'dist/src/cli.js'), 'register', 'import', register, file, '--format', 'ftc'],
    { env: { PATH: process.env.PATH, TZ: 'UTC', DATABASE_URL: stack.databaseUrl }, stdio: 'inherit' },
  );
  const ended = once(child, 'exit') as Promise<[number]>;
  let [memory, running] = [0, true];
  void ended.then(() => (running = false));
  while (running) {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8').catch(() => '');
    memory = Math.max(memory, Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / MEGABYTE);
    await Promise.race([ended, pause(SAMPLE_MS)]);
  }
  const [code] = await ended;
  if (code !== 0) throw new Error(`the import ended with ${code}`);
  return { seconds: (performance.now() - started) / 1_000, memory };
}

/** One after the other, of numbers that are listed and others. */
async function lookUpMicroseconds({ db }: Stack, numbers: number): Promise<number> {
  const client = await db.connect();
  const lookUp = { name: 'look_up', text: 'SELECT registers_of($1) AS facts' };
  const at = (n: number) => `+1${2_010_000_000 + Math.floor((n / LOOK_UPS) * numbers) * SPACING + (n % 2)}`;
  await client.query({ ...lookUp, values: [[at(0)]] });
  const seconds = await secondsOf(async () => {
    for (let n = 0; n < LOOK_UPS; n += 1) await client.query({ ...lookUp, values: [[at(n)]] });
  });
  client.release();
  return (seconds * 1e6) / LOOK_UPS;
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1_000;
}

function reportOf(rounds: Round[], numbers: number): string {
  const of = (value: (round: Round) => number) => median(rounds.map(value));
  const rows = [
    [
      'COPY into a table without an index, s',
      figure(
        of(({ copy }) => copy),
        1,
      ),
      '',
    ],
    [
      'COPY, and the primary key afterwards, s',
      figure(
        of(({ copyAndKey }) => copyAndKey),
        1,
      ),
      '',
    ],
    [
      '`register import`, the whole command, s',
      figure(
        of(({ command }) => command),
        1,
      ),
      '',
    ],
    [
      'of them the start of the command and its connection, s',
      figure(
        of(({ start }) => start),
        1,
      ),
      '',
    ],
    [
      'numbers a second without the start',
      figure(of(({ command, start }) => numbers / (command - start))),
      '',
    ],
    [
      'rate without the start ÷ COPY',
      figure(
        of(({ copy, command, start }) => copy / (command - start)),
        2,
      ),
      '≥ 0.5',
    ],
    [
      'rate without the start ÷ COPY with the key',
      figure(
        of(({ copyAndKey, command, start }) => copyAndKey / (command - start)),
        2,
      ),
      '',
    ],
    ['resident memory of the command, MB', figure(of(({ memory }) => memory)), '≤ 200'],
    ['a look-up with its round trip, µs', figure(of(({ lookUp }) => lookUp)), ''],
  ];
  return `## Registers

${missedTargets(rows)}

\`npm run bench -- registers\`: a register of ${numbers.toLocaleString('en')} numbers as a flat text file, and Postgres' COPY of the same
numbers in the same round. The command reads and checks the file, copies, builds the primary key, and replaces the version
in force; an import of one number tells what its start takes. Figures are medians of ${rounds.length} rounds; the ratios are those of each round.

${table(['', 'measured', 'target'], rows)}
`;
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
