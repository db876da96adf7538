import { runCli } from './cli/run.js';

/** Clears a terminal's line from the cursor to its end. */
const CLEAR_TO_END = '\x1b[K';

/**
 * Runs one command and ends. It starts no server. It needs only DATABASE_URL, or OUTDIAL_URL and OUTDIAL_API_KEY.
 */
async function main(): Promise<void> {
  // A reader such as `head` closes the pipe before the end. This is not a failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  process.exitCode = await runCli({
    argv: process.argv.slice(2),
    write: (text) => process.stdout.write(`${text}\n`),
    tell: (text) => process.stderr.write(`${text}\n`),
    draw: process.stderr.isTTY ? (text) => process.stderr.write(`\r${text}${CLEAR_TO_END}`) : undefined,
  });
}

void main();
