import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { type DebianProgram, fromDebian } from './debian-program.js';
import { type Account, run } from './run.js';

/** A Redis (or Valkey) server that runs on this machine. */
export interface RedisBinary {
  path: string;
  env: NodeJS.ProcessEnv;
  major: number;
  /** The arguments, when `path` is not the server itself but something that starts it elsewhere. */
  wrapper?: (options: { config: string; directory: string; port: number }) => string[];
}

const IMAGE = 'redis:8';
const PACKAGED: DebianProgram = {
  name: 'redis',
  packages: ['redis-server', 'redis-tools'],
  path: 'usr/bin/redis-server',
};

async function versioned(
  path: string,
  env: NodeJS.ProcessEnv,
  account: Account,
): Promise<RedisBinary | undefined> {
  const { code, output } = await run(path, ['--version'], { env, account });
  const version = /\bv=(\d+)\.(\d+)/.exec(output);
  if (code !== 0 || !version) return undefined;
  const [major, minor] = [Number(version[1]), Number(version[2])];
  // BullMQ needs 6.2.
  return major > 6 || (major === 6 && minor >= 2) ? { path, env, major } : undefined;
}

async function onPath(account: Account, directories: string[]): Promise<RedisBinary | undefined> {
  for (const name of ['redis-server', 'valkey-server']) {
    for (const directory of directories) {
      const path = join(directory, name);
      const there = await access(path).then(
        () => true,
        () => false,
      );
      const found = there ? await versioned(path, {}, account) : undefined;
      if (found) return found;
    }
  }
  return undefined;
}

async function fromBrew(account: Account): Promise<RedisBinary | undefined> {
  if ((await run('brew', ['--version'])).code !== 0) return undefined;
  await run('brew', ['install', 'redis'], { timeoutMs: 600_000 });
  const { output } = await run('brew', ['--prefix']);
  return onPath(account, [join(output.trim(), 'bin')]);
}

/**
 * A container that sees the data directory under the same path, so that this server can be distinguished from
 * others.
 */
async function fromDocker({ drop }: Account): Promise<RedisBinary | undefined> {
  // Without an engine the client fails here.
  if ((await run('docker', ['version'])).code !== 0) return undefined;
  const present = await run('docker', ['image', 'inspect', IMAGE]);
  if (present.code !== 0) await run('docker', ['pull', IMAGE], { timeoutMs: 600_000 });
  const uid = drop?.uid ?? process.getuid?.() ?? 0;
  const gid = drop?.gid ?? process.getgid?.() ?? 0;
  return {
    path: 'docker',
    env: {},
    major: 8,
    wrapper: ({ config, directory, port }) => [
      'run',
      '--rm',
      '--user',
      `${uid}:${gid}`,
      '--volume',
      `${directory}:${directory}`,
      '--publish',
      `127.0.0.1:${port}:${port}`,
      IMAGE,
      'redis-server',
      config,
      '--bind',
      '0.0.0.0',
    ],
  };
}

/** Finds a Redis server, or brings one into the cache directory without changing the system. */
export async function redisBinary(account: Account, cacheDir: string): Promise<RedisBinary> {
  const installed = await onPath(account, (process.env.PATH ?? '').split(delimiter).filter(Boolean));
  if (installed) return installed;
  const problems: string[] = [];
  const downloaded = await fromDebian(PACKAGED, account, cacheDir, problems);
  const usable = downloaded && (await versioned(downloaded.path, downloaded.env, account));
  if (usable) return usable;
  const other = (await fromBrew(account)) ?? (await fromDocker(account));
  if (other) return other;
  throw new Error(
    'There is no Redis 6.2 or newer here, and none could be fetched. Install one ' +
      '(Debian, Ubuntu: `apt-get install redis-server`; macOS: `brew install redis`; Fedora: `dnf install valkey`), ' +
      'or set REDIS_URL to one that runs elsewhere.' +
      (problems.length > 0 ? `\nTried: ${problems.join('\n')}` : ''),
  );
}
