import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { accountCanEnter } from './account.js';
import { type Account } from './run.js';

/** The repository's root: the sources run from `tools/`, the build from `dist/tools/`. */
export function repositoryRoot(): string {
  let directory = __dirname;
  while (!existsSync(join(directory, 'package.json'))) {
    const parent = dirname(directory);
    if (parent === directory) throw new Error(`No package.json above ${__dirname}.`);
    directory = parent;
  }
  return directory;
}

/** Where private services keep what they must not lose, unless a caller chose another directory. */
export function defaultDataDir(): string {
  return join(repositoryRoot(), '.data');
}

/** Downloads and copied binaries: shared by all data directories, safe to delete. */
export function defaultCacheDir(): string {
  return join(repositoryRoot(), '.data', 'cache');
}

/**
 * `wanted` if the account that runs the servers can get there, else a directory of its own under the
 * temporary one.
 */
export async function reachableDir(wanted: string, account: Account): Promise<string> {
  await mkdir(wanted, { recursive: true });
  if (await accountCanEnter(account, wanted)) return wanted;
  return ownDir(join(tmpdir(), nameFor(wanted)));
}

/** A directory's name elsewhere, the same for every process and different for every checkout. */
export function nameFor(path: string): string {
  return `outdial-${createHash('sha256').update(path).digest('hex').slice(0, 16)}`;
}

/** Creates a directory where every account may create one. */
export async function ownDir(path: string): Promise<string> {
  await mkdir(path, { recursive: true, mode: 0o711 });
  const found = await lstat(path);
  // Its name can be guessed: another account may have made it first.
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new Error(`${path} belongs to another account. Remove it, or set DATABASE_URL and REDIS_URL.`);
  }
  await chmod(path, 0o711);
  return path;
}
