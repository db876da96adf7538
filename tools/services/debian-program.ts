import { access, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from './lock.js';
import { reachableDir } from './paths.js';
import { type Account, run } from './run.js';

/** A program of Debian's packages that can run from where they are unpacked. */
export interface DebianProgram {
  /** Of the directory in the cache. */
  name: string;
  /** The packages to begin with; libraries are found from there. */
  packages: string[];
  /** Below the directory where the packages are unpacked. */
  path: string;
  /**
   * A release of Debian to take it from instead of this machine's own; its C library comes along, and starts
   * it.
   */
  suite?: string;
  /** By default `--version`. */
  versionFlag?: string;
  /** Whether a program that says this of its version will do. */
  accepts?: (version: string) => boolean;
}

/** How an unpacked program is started: its own arguments follow `args`. */
export interface Unpacked {
  path: string;
  args: string[];
  env: NodeJS.ProcessEnv;
}

const FETCH_TIMEOUT_MS = 10 * 60_000;
const DEBIAN_KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg';

// The C library must be the system's own: two of them in one process crash.
const NEVER_FETCHED = new Set(['libc6', 'libgcc-s1', 'libelogind0']);

/** Downloads a program and unpacks it into the cache directory; needs no root and installs nothing. */
export async function fromDebian(
  program: DebianProgram,
  account: Account,
  cacheDir: string,
  problems: string[],
): Promise<Unpacked | undefined> {
  const base = await reachableDir(cacheDir, account);
  const root = join(base, program.name);
  const cached = await unpacked(program, root, account);
  if (cached) return cached;
  if ((await run('apt-get', ['--version'])).code !== 0) return undefined;
  // The cache is shared by all data directories.
  return withLock(join(base, `${program.name}.lock`), FETCH_TIMEOUT_MS, async () => {
    return (await unpacked(program, root, account)) ?? (await fetch(program, base, account, problems));
  });
}

async function fetch(
  program: DebianProgram,
  base: string,
  account: Account,
  problems: string[],
): Promise<Unpacked | undefined> {
  const root = join(base, program.name);
  const draft = join(base, `${program.name}.${process.pid}`);
  const aptDir = join(base, `apt.${program.name}`);
  const own = [...privateApt(aptDir), ...(program.suite === undefined ? [] : sourcesOf(aptDir))];
  const prepareOwn = async () => {
    await mkdir(join(aptDir, 'state', 'lists', 'partial'), { recursive: true });
    await mkdir(join(aptDir, 'cache', 'archives', 'partial'), { recursive: true });
    if (program.suite !== undefined) {
      const line = `deb [signed-by=${DEBIAN_KEYS}] http://deb.debian.org/debian ${program.suite} main\n`;
      await writeFile(join(aptDir, 'sources.list'), line);
    }
    await run('apt-get', [...own, 'update'], { timeoutMs: 180_000 });
  };
  const system = { apt: [], prepare: () => Promise.resolve() };
  const sources = [...(program.suite === undefined ? [system] : []), { apt: own, prepare: prepareOwn }];
  try {
    for (const { apt, prepare } of sources) {
      await rm(draft, { recursive: true, force: true });
      await mkdir(draft, { recursive: true });
      await prepare();
      const problem = await build(program, draft, apt, account);
      if (problem === undefined) {
        await rm(root, { recursive: true, force: true });
        await rename(draft, root);
        return await unpacked(program, root, account);
      }
      problems.push(`apt-get download ${program.packages[0]}: ${problem}`);
    }
    return undefined;
  } finally {
    await rm(draft, { recursive: true, force: true });
    await rm(aptDir, { recursive: true, force: true });
  }
}

/** apt with its own lists and cache, for when the system's lists are missing and may not be written. */
function privateApt(directory: string): string[] {
  return options({
    'Dir::State': join(directory, 'state'),
    'Dir::State::status': '/var/lib/dpkg/status',
    'Dir::Cache': join(directory, 'cache'),
    'APT::Sandbox::User': '',
    'Debug::NoLocking': 'true',
  });
}

/** apt with the sources of a file of our own only. */
function sourcesOf(directory: string): string[] {
  return options({
    'Dir::Etc::sourcelist': join(directory, 'sources.list'),
    'Dir::Etc::sourceparts': '-',
  });
}

function options(values: Record<string, string>): string[] {
  return Object.entries(values).flatMap(([key, value]) => ['-o', `${key}=${value}`]);
}

/** Fetches the program, then its libraries, then theirs, until it runs. */
async function build(
  program: DebianProgram,
  root: string,
  apt: string[],
  account: Account,
): Promise<string | undefined> {
  const seen = new Set<string>();
  let wanted = [...program.packages, ...(program.suite === undefined ? [] : ['libc6'])];
  for (let round = 0; round < 4 && wanted.length > 0; round += 1) {
    const problem = await fetchInto(root, apt, wanted);
    if (problem !== undefined) return problem;
    if (await unpacked(program, root, account)) return undefined;
    wanted.forEach((name) => seen.add(name));
    wanted = (await dependencies(apt, wanted)).filter((name) => !seen.has(name));
  }
  return `the unpacked ${program.name} does not run: libraries are missing, or it is too old`;
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

async function dependencies(apt: string[], packages: string[]): Promise<string[]> {
  const { output } = await run('apt-cache', [...apt, 'depends', '--important', ...packages]);
  const names = [...output.matchAll(/^\s+\|?(?:Pre)?Depends: (\S+)$/gm)].map((match) => match[1] ?? '');
  return [...new Set(names)].filter((name) => /^(lib|lua)/.test(name) && !NEVER_FETCHED.has(name));
}

/** The program as it is there, if it runs and will do. */
async function unpacked(
  program: DebianProgram,
  root: string,
  account: Account,
): Promise<Unpacked | undefined> {
  const path = join(root, program.path);
  if (!(await exists(path))) return undefined;
  const libraries = await libraryPath(root);
  const start =
    program.suite === undefined
      ? { path, args: [], env: { LD_LIBRARY_PATH: libraries.join(':') } }
      : await byItsLoader(path, libraries);
  if (start === undefined) return undefined;
  const flag = program.versionFlag ?? '--version';
  const { code, output } = await run(start.path, [...start.args, flag], { env: start.env, account });
  return code === 0 && (program.accepts?.(output) ?? true) ? start : undefined;
}

/**
 * A program of another release is started by that release's loader, with its C library: the system's is too
 * old for it.
 */
async function byItsLoader(path: string, libraries: string[]): Promise<Unpacked | undefined> {
  for (const directory of libraries) {
    const names = await readdir(directory).catch(() => []);
    const loader = names.find((name) => /^ld-linux[\w-]*\.so\.\d+$/.test(name));
    if (loader === undefined) continue;
    return { path: join(directory, loader), args: ['--library-path', libraries.join(':'), path], env: {} };
  }
  return undefined;
}

async function libraryPath(root: string): Promise<string[]> {
  const directories: string[] = [];
  for (const lib of [join(root, 'usr', 'lib'), join(root, 'lib'), join(root, 'usr', 'lib64')]) {
    const entries = await readdir(lib, { withFileTypes: true }).catch(() => []);
    directories.push(
      lib,
      ...entries.filter((entry) => entry.isDirectory()).map((entry) => join(lib, entry.name)),
    );
  }
  return directories;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
