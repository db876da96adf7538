import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createWorld, OPERATOR_TOKEN, type World } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { type Example, jsonValues, PAGES, shapeOf, shellExamples } from './support/examples.js';

// The documents' shell examples run as they stand, in one shell, against a real API and a real worker.

const PRELUDE = `set -eo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n`;
const DONE = 'example-done';
const OPEN_CALLS = `SELECT id FROM call_requests WHERE status IN ('queued', 'dialing', 'in_progress')`;

let world: World;
let port: string;

beforeEach(async () => {
  world = await createWorld();
  port = new URL(await (await world.startApi()).getUrl()).port;
  await world.startWorker();
});
afterEach(() => world.close());

/** A shell in a directory as `npm start` leaves it. */
class Shell {
  private readonly directory = mkdtempSync(join(tmpdir(), 'outdial-examples-'));
  private readonly bash: ChildProcess;
  private output = '';
  private finished = (): void => undefined;

  constructor(curl: 'curl' | 'curl.cjs') {
    mkdirSync(join(this.directory, '.data'));
    writeFileSync(join(this.directory, '.data', 'operator-token'), OPERATOR_TOKEN);
    const bin = join(this.directory, 'bin');
    mkdirSync(bin);
    symlinkSync(process.execPath, join(bin, 'node'));
    if (curl === 'curl.cjs') {
      const shim = join(__dirname, 'support', 'curl.cjs');
      chmodSync(shim, 0o755);
      symlinkSync(shim, join(bin, 'curl'));
    }
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
    // Through a pipe, because Node's own streams are sockets, which `tee /dev/stderr` cannot open.
    this.bash = spawn('bash', ['-c', 'bash 2>&1 | cat'], { cwd: this.directory, env, stdio: 'pipe' });
    this.bash.stdout?.on('data', (chunk: Buffer) => {
      this.output += chunk.toString();
      if (this.output.includes(DONE)) this.finished();
    });
    this.bash.on('close', () => this.finished());
    this.bash.stdin?.write(PRELUDE);
  }

  /** @returns what the example printed. @throws Error with it when a command failed. */
  async run({ page, line, script }: Example): Promise<string> {
    this.output = '';
    const finished = new Promise<void>((resolve) => (this.finished = resolve));
    this.bash.stdin?.write(`${script.replace('127.0.0.1:3000', `127.0.0.1:${port}`)}\necho ${DONE}\n`);
    await finished;
    if (!this.output.includes(DONE)) throw new Error(`${page}:${line} failed: ${this.output}`);
    return this.output.replace(DONE, '');
  }

  close(): void {
    this.bash.stdin?.end();
    this.bash.kill();
    rmSync(this.directory, { recursive: true });
  }
}

const CURL = spawnSync('curl', ['--version']).status === 0 ? 'curl' : 'curl.cjs';

test('every shell example runs and returns the shape that the page shows', async () => {
  const examples = shellExamples();
  expect(new Set(examples.map(({ page }) => page))).toEqual(new Set(PAGES));
  const shell = new Shell(CURL);
  try {
    for (const example of examples) {
      const printed = await shell.run(example);
      if (example.answer !== undefined) {
        const at = `${example.page}:${example.line}`;
        expect([at, shapeOf(jsonValues(printed).at(-1))]).toEqual([at, shapeOf(example.answer)]);
      }
      // The next example may read a call as it is after its end.
      await eventually(
        () => world.db.query<unknown[]>(OPEN_CALLS),
        (open) => open.length === 0,
      );
    }
  } finally {
    shell.close();
  }
});
