import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const DONE = 'example-done';
const PRELUDE = `set -euo pipefail\ncurl() { command curl --fail-with-body "$@"; }\n`;

// Node 24 runs TypeScript by itself.
const NODE = `#!/bin/sh
case "$1" in
  *.ts) exec '${process.execPath}' --import '${join(__dirname, 'typescript-register.mjs')}' "$@" ;;
  *) exec '${process.execPath}' "$@" ;;
esac
`;

let ownCurl: boolean | undefined;

/** One shell in which examples run one after another, each with the variables of those before it. */
export class Shell {
  private readonly bash: ChildProcess;
  private output = '';
  private finished = (): void => undefined;

  /**
   * @param directory in which it runs; it gets a folder `bin` there.
   * @param environment beside that of the test.
   */
  constructor(directory: string, environment: Record<string, string> = {}) {
    const bin = join(directory, 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'node'), NODE, { mode: 0o755 });
    ownCurl ??= spawnSync('curl', ['--version']).status !== 0;
    if (ownCurl) {
      const shim = join(__dirname, 'curl.cjs');
      chmodSync(shim, 0o755);
      symlinkSync(shim, join(bin, 'curl'));
    }
    const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, ...environment };
    // Through a pipe, because Node's own streams are sockets, which `tee /dev/stderr` cannot open.
    this.bash = spawn('bash', ['-c', 'bash 2>&1 | cat'], {
      cwd: directory,
      env,
      stdio: 'pipe',
      detached: true,
    });
    this.bash.stdout?.on('data', (chunk: Buffer) => {
      this.output += chunk.toString();
      if (this.output.includes(DONE)) this.finished();
    });
    this.bash.on('close', () => this.finished());
    this.bash.stdin?.write(PRELUDE);
  }

  /**
   * @param at what the example is called in an error.
   * @returns what the example printed. @throws Error with it when a command failed.
   */
  async run(at: string, script: string): Promise<string> {
    this.output = '';
    const finished = new Promise<void>((resolve) => (this.finished = resolve));
    this.bash.stdin?.write(`${script}\necho ${DONE}\n`);
    await finished;
    if (!this.output.includes(DONE)) throw new Error(`${at} failed: ${this.output}`);
    return this.output.replace(`${DONE}\n`, '');
  }

  /** The same for an example whose last request is refused. @throws Error when it is not. */
  async runRefused(at: string, script: string): Promise<string> {
    const printed = await this.run(at, `set +e\n${script.trimEnd()}\necho " exit=$?"\nset -e`);
    if (!/ exit=22$/.test(printed.trimEnd())) throw new Error(`${at} was not refused: ${printed}`);
    return printed;
  }

  /** Ends it with everything that it started. */
  close(): void {
    this.bash.stdin?.end();
    if (this.bash.pid === undefined || this.bash.exitCode !== null) return;
    try {
      process.kill(-this.bash.pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}
