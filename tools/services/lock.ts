import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pause } from './run.js';

const HEARTBEAT_MS = 2_000;
const STALE_AFTER_MS = 30_000;

/** Whether a process with this id exists, of any account. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function ageOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    (found) => Date.now() - found.mtimeMs,
    () => undefined,
  );
}

/** Creates `path` with its content in one step, so that no process ever reads half a lock. */
async function tryCreate(path: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, String(process.pid));
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await unlink(draft).catch(() => undefined);
  }
}

async function isStale(path: string): Promise<boolean> {
  const [holder, age] = await Promise.all([readFile(path, 'utf8').catch(() => undefined), ageOf(path)]);
  if (holder === undefined || age === undefined) return false;
  // Another process may have got the same process id, so the age of the heartbeat counts, too.
  return !isAlive(Number(holder)) || age > STALE_AFTER_MS;
}

async function breakIfStale(path: string): Promise<void> {
  if (!(await isStale(path))) return;
  // Two waiters that both saw a dead holder must not remove each other's fresh lock.
  const guard = `${path}.break`;
  if (!(await tryCreate(guard))) {
    if (((await ageOf(guard)) ?? 0) > STALE_AFTER_MS) await unlink(guard).catch(() => undefined);
    return;
  }
  try {
    if (await isStale(path)) await unlink(path);
  } finally {
    await unlink(guard).catch(() => undefined);
  }
}

/** Runs `work` while no other process on this machine runs anything under the same lock file. */
export async function withLock<T>(path: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  const deadline = Date.now() + timeoutMs;
  while (!(await tryCreate(path))) {
    await breakIfStale(path);
    if (Date.now() > deadline) {
      const holder = await readFile(path, 'utf8').catch(() => 'unknown');
      throw new Error(
        `${path} is held by process ${holder} for too long. If it hangs, end it and try again.`,
      );
    }
    await pause(100);
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    void utimes(path, now, now).catch(() => undefined);
  }, HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await unlink(path).catch(() => undefined);
  }
}
