import { readFile } from 'node:fs/promises';

/** What a page says from a heading on, which is the last of its sections; empty without it. */
export async function sectionOf(file: string, heading: string): Promise<string> {
  return (await split(file, heading)).section;
}

/** The page with this text as its last section. */
export async function withSection(file: string, heading: string, text: string): Promise<string> {
  return `${(await split(file, heading)).before.trimEnd()}\n\n${heading}\n\n${text}\n`;
}

async function split(file: string, heading: string): Promise<{ before: string; section: string }> {
  const page = await readFile(file, 'utf8').catch(() => '');
  const at = page.indexOf(`\n${heading}\n`);
  return at < 0 ? { before: page, section: '' } : { before: page.slice(0, at), section: page.slice(at) };
}
