import { access, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from './lock.js';
import { reachableDir } from './paths.js';
import { type Account, run } from './run.js';

/** A server unpacked from Debian packages, with the path to the libraries that came along. */
export interface UnpackedRedis {
  path: string;
  env: NodeJS.ProcessEnv;
}

const FETCH_TIMEOUT_MS = 10 * 60_000;

// The C library must be the system's own: two of them in one process crash.
const NEVER_FETCHED = new Set(['libc6', 'libgcc-s1', 'libelogind0']);

/** apt with its own lists and cache, for when the system's lists are missing and may not be written. */
function privateApt(directory: string): string[] {
  const options = {
    'Dir::State': join(directory, 'state'),
    'Dir::State::status': '/var/lib/dpkg/status',
    'Dir::Cache': join(directory, 'cache'),
    'APT::Sandbox::User': '',
    'Debug::NoLocking': 'true',
  };
  return Object.entries(options).flatMap(([key, value]) => ['-o', `${key}=${value}`]);
}

async function dependencies(apt: string[], packages: string[]): Promise<string[]> {
  const { output } = await run('apt-cache', [...apt, 'depends', '--important', ...packages]);
  const names = [...output.matchAll(/^\s+\|?(?:Pre)?Depends: (\S+)$/gm)].map((match) => match[1] ?? '');
  return [...new Set(names)].filter((name) => /^(lib|lua)/.test(name) && !NEVER_FETCHED.has(name));
}

async function libraryPath(root: string): Promise<string> {
  const directories: string[] = [];
  for (const lib of [join(root, 'usr', 'lib'), join(root, 'lib')]) {
    const entries = await readdir(lib, { withFileTypes: true }).catch(() => []);
    directories.push(
      lib,
      ...entries.filter((entry) => entry.isDirectory()).map((entry) => join(lib, entry.name)),
    );
  }
  return directories.join(':');
}

async function unpacked(root: string, account: Account): Promise<UnpackedRedis | undefined> {
  const path = join(root, 'usr', 'bin', 'redis-server');
  const there = await access(path).then(
    () => true,
    () => false,
  );
  if (!there) return undefined;
  const env = { LD_LIBRARY_PATH: await libraryPath(root) };
  const { code } = await run(path, ['--version'], { env, account });
  return code === 0 ? { path, env } : undefined;
}

async function fetchInto(root: string, apt: string[], packages: string[]): Promise<string | undefined> {
  const debs = join(root, 'debs');
  await mkdir(debs, { recursive: true });
  const download = await run('apt-get', [...apt, 'download', ...packages], { cwd: debs, timeoutMs: 180_000 });
  if (download.code !== 0) return download.output.trim();
  for (const deb of await readdir(debs)) {
    const extract = await run('dpkg-deb', ['-x', join(debs, deb), root]);
    if (extract.code !== 0) return extract.output.trim();
  }
  await rm(debs, { recursive: true });
  return undefined;
}

/** Fetches the server, then its libraries, then theirs, until it runs. */
async function build(root: string, apt: string[], account: Account): Promise<string | undefined> {
  const seen = new Set<string>();
  let wanted = ['redis-server', 'redis-tools'];
  for (let round = 0; round < 4 && wanted.length > 0; round += 1) {
    const problem = await fetchInto(root, apt, wanted);
    if (problem !== undefined) return problem;
    if (await unpacked(root, account)) return undefined;
    wanted.forEach((name) => seen.add(name));
    wanted = (await dependencies(apt, wanted)).filter((name) => !seen.has(name));
  }
  return 'the unpacked redis-server does not run: libraries are missing';
}

/** Downloads Debian's Redis and unpacks it into the cache directory; needs no root and installs nothing. */
export async function redisFromApt(
  account: Account,
  cacheDir: string,
  problems: string[],
): Promise<UnpackedRedis | undefined> {
  const base = await reachableDir(cacheDir, account);
  const root = join(base, 'redis');
  const cached = await unpacked(root, account);
  if (cached) return cached;
  if ((await run('apt-get', ['--version'])).code !== 0) return undefined;
  // The cache is shared by all data directories.
  return withLock(join(base, 'redis.lock'), FETCH_TIMEOUT_MS, async () => {
    return (await unpacked(root, account)) ?? (await fetchRedis(base, root, account, problems));
  });
}

async function fetchRedis(
  base: string,
  root: string,
  account: Account,
  problems: string[],
): Promise<UnpackedRedis | undefined> {
  const draft = join(base, `redis.${process.pid}`);
  const aptDir = join(base, 'apt');
  const privateOptions = privateApt(aptDir);
  const sources = [
    { apt: [], prepare: () => Promise.resolve() },
    {
      apt: privateOptions,
      prepare: async () => {
        await mkdir(join(aptDir, 'state', 'lists', 'partial'), { recursive: true });
        await mkdir(join(aptDir, 'cache', 'archives', 'partial'), { recursive: true });
        await run('apt-get', [...privateOptions, 'update'], { timeoutMs: 180_000 });
      },
    },
  ];
  try {
    for (const { apt, prepare } of sources) {
      await rm(draft, { recursive: true, force: true });
      await mkdir(draft, { recursive: true });
      await prepare();
      const problem = await build(draft, apt, account);
      if (problem === undefined) {
        await rm(root, { recursive: true, force: true });
        await rename(draft, root);
        return await unpacked(root, account);
      }
      problems.push(`apt-get download redis-server: ${problem}`);
    }
    return undefined;
  } finally {
    await rm(draft, { recursive: true, force: true });
    await rm(aptDir, { recursive: true, force: true });
  }
}
