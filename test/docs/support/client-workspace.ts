import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';

const root = resolve(__dirname, '../../..');
const run = promisify(execFile);

const OPTIONS: ts.CompilerOptions = {
  ...{ strict: true, noEmit: true, types: ['node'], lib: ['lib.es2023.d.ts'], skipLibCheck: true },
  ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
  ...{ target: ts.ScriptTarget.ES2023, allowImportingTsExtensions: true },
};

/** A project of an integrator: an empty folder in which `@outdial/client` is installed. */
export class ClientWorkspace {
  readonly path = mkdtempSync(join(tmpdir(), 'outdial-integrator-'));

  /** Builds the client into the folder. */
  async install(): Promise<void> {
    const client = join(this.path, 'node_modules/@outdial/client');
    mkdirSync(client, { recursive: true });
    cpSync(join(root, 'sdk/package.json'), join(client, 'package.json'));
    symlinkSync(join(root, 'node_modules/@types'), join(this.path, 'node_modules/@types'));
    symlinkSync(join(root, 'node_modules/undici-types'), join(this.path, 'node_modules/undici-types'));
    this.write('package.json', '{ "type": "module" }');
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    await run(process.execPath, [
      tsc,
      '-p',
      join(root, 'sdk/tsconfig.json'),
      '--outDir',
      join(client, 'dist'),
    ]);
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

  /** The environment in which Node runs files of TypeScript. */
  get environment(): Record<string, string> {
    const register = pathToFileURL(join(__dirname, 'typescript-register.mjs')).href;
    return { NODE_OPTIONS: `--import ${register}` };
  }

  /** Runs a module. @returns what it printed. @throws Error with what it printed where it failed. */
  async run(file: string, directory: string, environment: Record<string, string>): Promise<string> {
    const env = { PATH: process.env.PATH ?? '', ...this.environment, ...environment };
    try {
      const { stdout } = await run(process.execPath, [file], { cwd: directory, env });
      return stdout;
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      throw new Error(`${file} failed: ${stdout}\n${stderr}`, { cause: error });
    }
  }

  remove(): void {
    rmSync(this.path, { recursive: true });
  }
}
