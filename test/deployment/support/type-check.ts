import { join } from 'node:path';
import ts from 'typescript';
import { repositoryRoot } from '../../../tools/services/paths.js';

const FILE = join(repositoryRoot(), 'test/deployment/checked.ts');
const OPTIONS: ts.CompilerOptions = {
  ...{ strict: true, noEmit: true, types: [], lib: ['lib.es2023.d.ts'], skipLibCheck: true },
  ...{ module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext },
};

/** What the compiler says of a source that is in no file. */
export function faultsOf(source: string): string[] {
  const host = ts.createCompilerHost(OPTIONS);
  const files = ts.createCompilerHost(OPTIONS);
  host.fileExists = (path) => path === FILE || files.fileExists(path);
  host.getSourceFile = (path, version) =>
    path === FILE ? ts.createSourceFile(path, source, version) : files.getSourceFile(path, version);
  return ts
    .getPreEmitDiagnostics(ts.createProgram([FILE], OPTIONS, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
