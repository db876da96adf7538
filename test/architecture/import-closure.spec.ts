import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/*
 * What has to be read to understand a hot path: the files that its entry imports, directly or through others,
 * for their types alone included. A guardrail can be read without the rest, so guardrails do not count.
 */

const ROOT = join(__dirname, '../..');
const GUARDRAILS = /^src\/domain\/guardrails\//;

/** Static and dynamic imports, re-exports, and imports inside of types. */
const IMPORT = /\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(IMPORT)].map(([, specifier = '']) => {
    const target = relative(ROOT, resolve(ROOT, dirname(file), specifier));
    const found = ['.ts', '.tsx']
      .map((extension) => target.replace(/\.js$/, extension))
      .find((candidate) => existsSync(join(ROOT, candidate)));
    if (found === undefined) throw new Error(`${file} imports ${specifier}, which does not exist`);
    return found;
  });
}

function closureOf(entry: string): string[] {
  const files = new Set([entry]);
  for (const file of files) for (const imported of importsOf(file)) files.add(imported);
  return [...files].filter((file) => !GUARDRAILS.test(file)).sort();
}

const MAX_FILES = 50;

test.each(['src/calls/trigger/trigger.controller.ts', 'src/calls/fire/dial.processor.ts'])(
  `%s imports at most ${MAX_FILES} files`,
  (entry) => {
    const files = closureOf(entry);
    expect(files.length > MAX_FILES ? files : []).toEqual([]);
    // An entry that imports nothing has moved elsewhere.
    expect(files.length).toBeGreaterThan(20);
  },
);
