import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../services/paths.js';

/** What the measurements write, in the order of the page. */
export const SECTIONS = [
  'floors',
  'herd',
  'scale',
  'scale-calls',
  'campaigns',
  'forecast',
  'imports',
  'registers',
  'compliance',
  'webhooks',
] as const;
export type SectionName = (typeof SECTIONS)[number];

const PAGE = join(repositoryRoot(), 'docs', 'benchmarks.md');

/**
 * Prints what was measured, and writes it into its section of docs/benchmarks.md, as `npm run lint` wants it.
 *
 * @param section begins with its heading, `## …`.
 * @param out a file that gets the section alone, instead of the page.
 */
export async function publish(name: SectionName, section: string, out?: string): Promise<void> {
  // Before anything can fail: a measurement takes minutes.
  console.error(`\n${section}`);
  const { file, text } = await placed(name, section, out);
  const prettier = await import('prettier');
  const options = await prettier.resolveConfig(file);
  await writeFile(file, await prettier.format(text, { ...options, parser: 'markdown' }));
}

/** What is written, and where. */
export async function placed(name: SectionName, section: string, out?: string) {
  if (out !== undefined) return { file: out, text: section };
  return { file: PAGE, text: withSection(await readFile(PAGE, 'utf8'), name, section) };
}

/** The page with this section between its markers, which are there already. All else stays. */
export function withSection(page: string, name: SectionName, section: string): string {
  const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page of benchmarks has no markers of "${name}"`);
  return `${page.slice(0, from + begin.length)}\n\n${section.trim()}\n\n${page.slice(to)}`;
}
