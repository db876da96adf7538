import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';

/** The account that runs the servers: Postgres refuses to run as root. */
export interface Account {
  /** Set when the servers run as another account than this process. */
  drop?: { uid: number; gid: number };
}

/** What a finished command left behind. */
export interface CommandResult {
  code: number | null;
  output: string;
}

/** How a command is run; everything is optional. */
export interface CommandOptions {
  account?: Account;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  timeoutMs?: number;
}

/** Runs a command to its end and collects what it said; a command that is not there gives code 127. */
export function run(command: string, args: string[], options: CommandOptions = {}): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      // The account that runs the servers may not enter the caller's directory.
      cwd: options.cwd ?? (options.account?.drop ? '/' : undefined),
      env: { ...process.env, LC_ALL: 'C', ...options.env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...options.account?.drop,
    });
    // Not the `timeout` of spawn: its timer outlives a command that could not be started at all.
    const limit = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs ?? 120_000);
    const output: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => output.push(chunk));
    const finish = (code: number | null, extra = ''): void => {
      clearTimeout(limit);
      resolve({ code, output: Buffer.concat(output).toString('utf8') + extra });
    };
    child.once('error', (error: NodeJS.ErrnoException) => {
      finish(error.code === 'ENOENT' ? 127 : 126, error.message);
    });
    child.once('close', (code) => finish(code));
  });
}

/** Runs a command and throws with what it said unless it succeeds. */
export async function mustRun(
  command: string,
  args: string[],
  options: CommandOptions = {},
): Promise<string> {
  const { code, output } = await run(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output.trim()}`);
  return output;
}

/** A server that outlives this process. */
export interface DetachedServer {
  pid: number | undefined;
  exited(): boolean;
}

/** Starts a server in a session of its own, its output appended to a log file. */
export function startDetached(
  command: string,
  args: string[],
  logFile: string,
  options: CommandOptions,
): DetachedServer {
  const log = openSync(logFile, 'a');
  let exited = false;
  try {
    const child = spawn(command, args, {
      cwd: options.cwd ?? '/',
      env: { ...process.env, LC_ALL: 'C', ...options.env },
      stdio: ['ignore', log, log],
      detached: true,
      ...options.account?.drop,
    });
    child.once('error', () => (exited = true));
    child.once('exit', () => (exited = true));
    child.unref();
    return { pid: child.pid, exited: () => exited };
  } finally {
    closeSync(log);
  }
}

/** The end of a log file, for error messages. */
export async function logTail(logFile: string): Promise<string> {
  const size = await stat(logFile).then(
    (found) => found.size,
    () => 0,
  );
  if (size === 0) return '(the log is empty)';
  const file = await open(logFile, 'r');
  try {
    const length = Math.min(size, 2_000);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('utf8').trim();
  } finally {
    await file.close();
  }
}

/** Whether a process with this id runs such a program. The system reuses process ids. */
export async function runsProgram(pid: number, program: RegExp): Promise<boolean> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(async () => {
    // Linux without that process, or no Linux. A minimal image has no `ps`.
    const { code, output } = await run('ps', ['-p', String(pid), '-o', 'comm=']);
    return code === 0 ? output : '';
  });
  return program.test(name);
}

/** Waits without keeping anything busy. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
