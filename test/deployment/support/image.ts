import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { serverAccount } from '../../../tools/services/account.js';
import { fromDebian } from '../../../tools/services/debian-program.js';
import { defaultCacheDir, defaultDataDir, repositoryRoot } from '../../../tools/services/paths.js';
import { mustRun } from '../../../tools/services/run.js';
import { dockerfileText, ignoring, type Stage, stagesOf, type Step } from './dockerfile.js';

/** What a build performs its steps on: a stage's file system, and what is set there. */
class StageDirectory {
  readonly env: Record<string, string> = {};
  workdir = '/';
  user: { uid: number; gid: number } | null = null;
  entrypoint: string[] = [];
  command: string[] = [];
  ports: number[] = [];

  constructor(readonly root: string) {
    mkdirSync(root, { recursive: true });
  }

  /** Where a path of the stage really is. */
  at(path: string): string {
    return join(this.root, path.startsWith('/') ? path : join(this.workdir, path));
  }
}

/** A process of the image, as a container would run it. */
export interface Contained {
  child: ChildProcess;
  output: () => string;
  ended: Promise<number | null>;
}

/**
 * What the Dockerfile makes of this repository, built without an engine: each step is performed, in order, in
 * directories that begin empty. What differs from an engine: the base image is this machine. Debian's
 * packages are unpacked into the stage rather than installed. `npm ci` takes the packages of the lockfile
 * from `node_modules` here, unless `npm` is `real`.
 */
export class Image {
  private readonly directory = mkdtempSync(join(tmpdir(), 'outdial-image-'));
  private readonly stages = new Map<string, StageDirectory>();
  private readonly running: Contained[] = [];
  private last = new StageDirectory(join(this.directory, 'none'));

  private constructor(private readonly npm: 'real' | 'linked') {}

  static async build(npm: 'real' | 'linked'): Promise<Image> {
    const image = new Image(npm);
    try {
      // The user that runs the image is not the one that builds it.
      chmodSync(image.directory, 0o755);
      for (const [index, stage] of stagesOf(dockerfileText()).entries()) await image.perform(stage, index);
      return image;
    } catch (error) {
      await image.remove();
      throw error;
    }
  }

  get root(): string {
    return this.last.root;
  }

  get ports(): number[] {
    return this.last.ports;
  }

  at(path: string): string {
    return this.last.at(path);
  }

  /**
   * Starts the entry point with this command, by default the image's own, as the image's user where we may
   * become that.
   */
  start(env: Record<string, string>, command = this.last.command): Contained {
    const { entrypoint, user, workdir } = this.last;
    // Where it could not be had, the command runs without.
    const init = entrypoint.slice(0, 1).map((path) => this.last.at(path));
    const before = init.every((path) => existsSync(path)) ? [...init, ...entrypoint.slice(1)] : [];
    const [program = '', ...args] = [...before, ...command];
    const child = spawn(program, args, {
      cwd: this.last.at(workdir),
      // As nothing else runs there, tini would be process 1.
      env: { PATH: process.env.PATH, TINI_SUBREAPER: '1', ...this.last.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(process.getuid?.() === 0 && user ? user : {}),
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    }
    const ended = once(child, 'close').then(([code]) => code as number | null);
    const contained = { child, output: () => output, ended };
    this.running.push(contained);
    return contained;
  }

  async remove(): Promise<void> {
    for (const { child, ended } of this.running) {
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(this.directory, { recursive: true, force: true });
  }

  private async perform(stage: Stage, index: number): Promise<void> {
    const here = new StageDirectory(join(this.directory, `stage-${index}`));
    this.stages.set(stage.name ?? String(index), here);
    this.last = here;
    for (const step of stage.steps) await this.performStep(here, step);
  }

  private async performStep(here: StageDirectory, step: Step): Promise<void> {
    switch (step.keyword) {
      case 'WORKDIR':
        here.workdir = step.text;
        mkdirSync(here.at('.'), { recursive: true });
        return;
      case 'USER': {
        const [uid, gid] = step.text.split(':').map(Number);
        here.user = { uid: uid ?? NaN, gid: gid ?? NaN };
        return;
      }
      case 'ENV':
        Object.assign(here.env, step.variables);
        return;
      case 'EXPOSE':
        here.ports = step.ports;
        return;
      case 'ENTRYPOINT':
        here.entrypoint = step.argv;
        return;
      case 'CMD':
        here.command = step.argv;
        return;
      case 'COPY':
        for (const source of step.sources) await this.copy(here, step.from, source, step.destination);
        return;
      case 'RUN':
        await this.runIn(here, step.text);
    }
  }

  /** A directory's content, or a file, as COPY has it. */
  private async copy(here: StageDirectory, from: string | null, source: string, to: string): Promise<void> {
    const context = repositoryRoot();
    const origin = from === null ? join(context, source) : this.stages.get(from)?.at(source);
    if (origin === undefined) throw new Error(`COPY --from=${from}: there is no such stage before`);
    const into = here.at(to);
    const target = to.endsWith('/') && !statSync(origin).isDirectory() ? join(into, basename(source)) : into;
    if (from !== null) {
      await link(origin, target);
      return;
    }
    const ignored = ignoring(readFileSync(join(context, '.dockerignore'), 'utf8'));
    if (ignored(source)) throw new Error(`COPY ${source}: .dockerignore keeps it out`);
    cpSync(origin, target, { recursive: true, filter: (path) => !ignored(relative(context, path)) });
  }

  private async runIn(here: StageDirectory, text: string): Promise<void> {
    const packages = /^apt-get update && apt-get install -y --no-install-recommends ([\w -]+?) &&/.exec(text);
    if (packages?.[1] !== undefined) {
      for (const name of packages[1].split(' ')) await unpackDebian(here, name);
      return;
    }
    // Never on the machine itself.
    if (text.includes('apt-get')) throw new Error(`RUN ${text} is not supported here`);
    if (this.npm === 'linked' && /^npm ci\b/.test(text)) {
      await linkPackages(here.at('node_modules'), text.includes('--omit=dev'));
      return;
    }
    const command = this.npm === 'linked' ? withoutTypes(text) : text;
    // A cache of its own, because a step may empty it.
    const env = { ...here.env, npm_config_cache: join(this.directory, 'npm-cache'), HOME: this.directory };
    await mustRun('/bin/sh', ['-c', command], { cwd: here.at('.'), env, timeoutMs: 900_000 });
  }
}

/** The build as the tests and `npm start` make it: `npm run build` checks the types by itself. */
function withoutTypes(command: string): string {
  return command === 'npm run build' ? `${command} -- --path tools/tsconfig.unchecked.json` : command;
}

/** Hard links, where the file systems allow it: there are tens of thousands of files. */
async function link(from: string, to: string): Promise<void> {
  mkdirSync(join(to, '..'), { recursive: true });
  await mustRun('/bin/sh', ['-c', 'cp -al "$1" "$2" 2>/dev/null || cp -a "$1" "$2"', 'sh', from, to]);
}

/** What `npm ci` would put there, by the lockfile. */
async function linkPackages(target: string, omitDev: boolean): Promise<void> {
  await link(join(repositoryRoot(), 'node_modules'), target);
  if (!omitDev) return;
  const lock = JSON.parse(readFileSync(join(repositoryRoot(), 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  for (const [path, { dev }] of Object.entries(lock.packages)) {
    if (dev) rmSync(join(target, '..', path), { recursive: true, force: true });
  }
  rmSync(join(target, '.bin'), { recursive: true, force: true });
  for (const scope of readdirSync(target).filter((name) => name.startsWith('@'))) {
    if (readdirSync(join(target, scope)).length === 0) rmSync(join(target, scope), { recursive: true });
  }
}

async function unpackDebian(here: StageDirectory, name: string): Promise<void> {
  const account = await serverAccount(join(defaultDataDir(), 'postgres'));
  const problems: string[] = [];
  const program = { name, packages: [name], path: `usr/bin/${name}` };
  const found = await fromDebian(program, account, defaultCacheDir(), problems);
  if (found) await link(found.path, here.at(`/usr/bin/${name}`));
  else process.stderr.write(`${name} is left out: ${problems.join('; ') || 'there is no apt-get here'}\n`);
}
