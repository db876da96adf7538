import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';

const root = resolve(__dirname, '../../..');
const run = promisify(execFile);
const CLIENT = 'node_modules/@outdial/client';

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  types: ['node'],
  lib: ['lib.es2023.d.ts'],
  skipLibCheck: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  allowImportingTsExtensions: true,
};

/** A project of an integrator: an empty folder in which `@outdial/client` is installed. */
export class ClientWorkspace {
  readonly path = mkdtempSync(join(tmpdir(), 'outdial-integrator-'));

  /** Installs what runs. Types are left out, which takes a tenth of the time. */
  install(): void {
    const source = join(root, 'sdk/src');
    for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts')) continue;
      const { outputText } = ts.transpileModule(readFileSync(join(source, name), 'utf8'), {
        compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
      });
      this.write(join(CLIENT, 'dist', name.replace(/\.ts$/, '.js')), outputText);
    }
    this.installPackage();
  }

  /** Builds the client as its package is built. */
  async installWithTypes(): Promise<void> {
    this.installPackage();
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const target = join(this.path, CLIENT, 'dist');
    await run(process.execPath, [tsc, '-p', join(root, 'sdk/tsconfig.json'), '--outDir', target]);
    for (const name of ['@types', 'undici-types'])
      symlinkSync(join(root, 'node_modules', name), join(this.path, 'node_modules', name));
  }

  private installPackage(): void {
    this.write('package.json', '{ "type": "module" }');
    this.write(join(CLIENT, 'package.json'), readFileSync(join(root, 'sdk/package.json'), 'utf8'));
  }

  /** @returns the path of the file. */
  write(name: string, text: string): string {
    const path = join(this.path, name);
    mkdirSync(resolve(path, '..'), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  /** What the compiler says of files, in one run. */
  faultsOf(files: readonly string[]): string[] {
    const program = ts.createProgram([...files], {
      ...OPTIONS,
      typeRoots: [join(this.path, 'node_modules/@types')],
    });
    return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
      const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1;
      return `${file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
  }

  /**
   * Runs a module, which may be TypeScript.
   * @returns what it printed. @throws Error with what it printed where it failed.
   */
  async run(words: string[], directory: string, environment: Record<string, string>): Promise<string> {
    const register = pathToFileURL(join(__dirname, 'typescript-register.mjs')).href;
    const env = { PATH: process.env.PATH ?? '', ...environment };
    try {
      const { stdout } = await run(process.execPath, ['--import', register, ...words], {
        cwd: directory,
        env,
      });
      return stdout;
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      throw new Error(`${words.join(' ')} failed: ${stdout}\n${stderr}`, { cause: error });
    }
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}
