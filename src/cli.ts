import { runCli } from './cli/run.js';

/** Of the line, for terminals. */
const CLEAR_TO_END = '\x1b[K';

/** Runs one command of the operator's and ends. It starts no server, and needs only DATABASE_URL. */
async function main(): Promise<void> {
  // A reader that has seen enough, such as `head`, is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  process.exitCode = await runCli({
    argv: process.argv.slice(2),
    write: (text) => process.stdout.write(`${text}\n`),
    tell: (text) => process.stderr.write(`${text}\n`),
    draw: process.stderr.isTTY ? (text) => process.stderr.write(`\r${text}${CLEAR_TO_END}`) : undefined,
  });
}

void main();
