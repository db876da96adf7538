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
  const key = createHash('sha256').update(wanted).digest('hex').slice(0, 16);
  const fallback = join(tmpdir(), `outdial-${key}`);
  await mkdir(fallback, { recursive: true, mode: 0o711 });
  const found = await lstat(fallback);
  // The name can be guessed and the place is shared: another account may have made it first.
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new Error(`${fallback} belongs to another account. Remove it, or set DATABASE_URL and REDIS_URL.`);
  }
  await chmod(fallback, 0o711);
  return fallback;
}
