import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { read, root } from '../../support/repository.js';

/** What the diffs change, and what it takes to type-check and test it. */
const COPIED = [
  'src',
  'test',
  'sdk',
  'tools',
  'migrations',
  'docs/api.md',
  'package.json',
  'tsconfig.json',
  'jest.base.cjs',
  '.env.example',
];

/** The diffs that docs/extending.md shows or links, in order. */
export function diffsOfPage(): string[] {
  const page = read('docs/extending.md');
  const diffs = page.matchAll(/^```diff\n(.*?)^```|\]\(\.\.\/(examples\/[\w-]+\.diff)\)/gms);
  return [...diffs].map(([, shown, linked = '']) => shown ?? read(linked));
}

/**
 * The same each time, so that Jest and the compiler find what they made of the copy of the run before. A run
 * beside this one has another.
 */
function directoryOfCopy(): string {
  const usual = join(
    tmpdir(),
    `outdial-extended-${createHash('sha256').update(root).digest('hex').slice(0, 8)}`,
  );
  try {
    mkdirSync(usual);
    return usual;
  } catch {
    return mkdtempSync(`${usual}-`);
  }
}

/** A copy of the source tree to which the diffs of docs/extending.md are applied. */
export class ExtendedCopy {
  private readonly path = directoryOfCopy();

  constructor() {
    for (const entry of COPIED) cpSync(join(root, entry), join(this.path, entry), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(this.path, 'node_modules'));
  }

  /** @throws Error with git's words where the diff does not fit. */
  async apply(diff: string): Promise<void> {
    writeFileSync(join(this.path, 'example.diff'), diff);
    await this.run('git', ['apply', '--recount', 'example.diff']);
  }

  /** @throws Error with the compiler's words where the copy has type errors. */
  async typeCheck(): Promise<void> {
    const known = ['--incremental', 'true', '--tsBuildInfoFile', join(root, '.data/extended.tsbuildinfo')];
    await this.node('typescript/bin/tsc', ['--noEmit', ...known, '-p', 'tsconfig.json']);
  }

  /**
   * Runs spec files in one run of Jest, with `checks` of this folder among them.
   * @throws Error with what failed.
   */
  async test(specs: readonly string[], checks: readonly string[]): Promise<void> {
    const own = checks.map((name) => `test/docs/support/${name}.spec.ts`);
    own.forEach((spec, n) => cpSync(join(__dirname, `${checks[n]}.ts`), join(this.path, spec)));
    const testMatch = [...specs, ...own].map((spec) => `<rootDir>/${spec}`);
    const config = `module.exports = { ...require('./jest.base.cjs'), testMatch: ${JSON.stringify(testMatch)} };\n`;
    writeFileSync(join(this.path, 'jest.copy.cjs'), config);
    await this.node('jest/bin/jest.js', ['--config', 'jest.copy.cjs', '--maxWorkers', '1']);
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }

  private node(script: string, args: readonly string[]): Promise<void> {
    return this.run(process.execPath, [join(root, 'node_modules', script), ...args]);
  }

  private async run(command: string, args: readonly string[]): Promise<void> {
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir() };
    try {
      await promisify(execFile)(command, args, { cwd: this.path, env, maxBuffer: 16 * 1024 * 1024 });
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}\n${stderr}`, { cause: error });
    }
  }
}
