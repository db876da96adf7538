// Lets Node 20 run TypeScript as Node 24 does by itself: the types are left out, and nothing else changes.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
  const { default: ts } = await import('typescript');
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
  const source = await readFile(fileURLToPath(url), 'utf8');
  const { outputText } = ts.transpileModule(source, { compilerOptions: options });
  return { format: 'module', source: outputText, shortCircuit: true };
}
