import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Html } from '../html/html.js';
import { type MarkdownHeading, renderMarkdown } from './markdown.js';

/** A guide, ready for its page. */
export interface Guide {
  name: string;
  url: string;
  title: string;
  /** Its first paragraph; back-ticks mark code. */
  summary: string;
  headings: MarkdownHeading[];
  content: Html;
}

/** The guides in the order of reading. Each is a Markdown file in this directory, also after the build. */
export const GUIDE_NAMES = [
  'place-your-first-call',
  'follow-a-call',
  'webhooks',
  'bulk',
  'errors-and-retries',
  'testing-with-the-simulator',
] as const;

/** The text of a guide's file. */
export function guideSource(name: string): string {
  return readFileSync(join(__dirname, `${name}.md`), 'utf8');
}

export function loadGuides(): Guide[] {
  return GUIDE_NAMES.map((name) => {
    const [first = '', summary = ''] = guideSource(name).split('\n\n');
    const { headings, content } = renderMarkdown(guideSource(name).slice(first.length));
    const title = first.replace(/^# /, '');
    return {
      name,
      url: `/docs/guides/${name}`,
      title,
      summary: summary.replaceAll('\n', ' '),
      headings,
      content,
    };
  });
}
