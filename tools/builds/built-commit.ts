import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { copyDist } from '../faults/dist-copy.js';
import { defaultDataDir, repositoryRoot } from '../services/paths.js';
import { mustRun } from '../services/run.js';

const INSTALL_TIMEOUT_MS = 10 * 60_000;

/** Compiled programs of one state of the sources. */
export interface Build {
  /** `this`, the first digits of a commit, or a path. */
  label: string;
  /** The directory with `src/main.js`. */
  dist: string;
}

/** The work tree as it is, copied to `directory`, so that a build that runs meanwhile does not change it. */
export async function thisBuild(directory: string): Promise<Build> {
  await mkdir(directory, { recursive: true });
  return { label: 'this', dist: await copyDist(directory) };
}

/**
 * The build to compare with.
 *
 * @param against a commit, or the path of a repository that is built already. A commit is built under
 *   `.data/bench/` and kept there.
 * @throws for an unknown commit, or when it does not install or compile.
 */
export async function otherBuild(against: string): Promise<Build> {
  const asPath = resolve(against, 'dist', 'src', 'main.js');
  if (await isThere(asPath)) return { label: against, dist: resolve(against, 'dist') };
  const root = repositoryRoot();
  const commit = (
    await mustRun('git', ['-C', root, 'rev-parse', '--verify', `${against}^{commit}`], ANY_OWNER)
  ).trim();
  const directory = join(defaultDataDir(), 'bench', commit.slice(0, 12));
  const complete = join(directory, '.complete');
  if (!(await isThere(complete))) {
    console.error(`Building ${commit.slice(0, 12)} …`);
    await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true });
    await checkOut(root, commit, directory);
    await installPackages(root, directory);
    await mustRun(process.execPath, ['tools/bootstrap.cjs'], {
      cwd: directory,
      timeoutMs: INSTALL_TIMEOUT_MS,
    });
    await writeFile(complete, commit);
  }
  return { label: commit.slice(0, 7), dist: join(directory, 'dist') };
}

/** Git refuses a repository that belongs to another account, as in a container. */
const ANY_OWNER = {
  env: { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' },
};

/** Only the files: a worktree would stay in the repository's list after its directory is deleted. */
async function checkOut(root: string, commit: string, directory: string): Promise<void> {
  const archive = join(directory, 'sources.tar');
  await mustRun('git', ['-C', root, 'archive', '--output', archive, commit], ANY_OWNER);
  await mustRun('tar', ['-xf', archive, '-C', directory]);
  await rm(archive);
}

/** Equal lockfiles: the packages of the work tree serve. */
async function installPackages(root: string, directory: string): Promise<void> {
  const [ours, theirs] = await Promise.all([root, directory].map((tree) => lockfileOf(tree)));
  if (ours === theirs) return symlink(join(root, 'node_modules'), join(directory, 'node_modules'));
  console.error('Its lockfile differs: npm ci …');
  await mustRun('npm', ['ci', '--no-audit', '--no-fund'], { cwd: directory, timeoutMs: INSTALL_TIMEOUT_MS });
}

async function lockfileOf(tree: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(join(tree, 'package-lock.json')))
    .digest('hex');
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
