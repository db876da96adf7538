import { join } from 'node:path';
import ts from 'typescript';

const OPTIONS: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  types: [],
  lib: ['lib.es2023.d.ts'],
  skipLibCheck: true,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
};

/**
 * Type-checks sources that are in no file. Every other file is parsed and checked once: the library alone
 * takes most of a second.
 */
export class TypeChecker {
  private readonly file: string;
  private readonly parsed = new Map<string, ts.SourceFile | undefined>();
  private program: ts.Program | undefined;

  /** @param directory where the sources are as if they stood there: their imports are resolved from it. */
  constructor(directory: string) {
    this.file = join(directory, 'checked.ts');
  }

  /** What the compiler says of a source. */
  faultsOf(source: string): string[] {
    const host = ts.createCompilerHost(OPTIONS);
    const files = ts.createCompilerHost(OPTIONS);
    host.fileExists = (path) => path === this.file || files.fileExists(path);
    host.getSourceFile = (path, version) => {
      if (path === this.file) return ts.createSourceFile(path, source, version);
      if (!this.parsed.has(path)) this.parsed.set(path, files.getSourceFile(path, version));
      return this.parsed.get(path);
    };
    const others = this.program === undefined;
    this.program = ts.createProgram([this.file], OPTIONS, host, this.program);
    // The other files are the same each time.
    const own = others ? undefined : this.program.getSourceFile(this.file);
    return ts
      .getPreEmitDiagnostics(this.program, own)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  }
}
