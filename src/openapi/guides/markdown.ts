import { heading, slugOf } from '../page/heading.js';
import { type Html, html } from '../page/html.js';
import { code, type Sample, samples } from '../page/samples.js';

export interface MarkdownHeading {
  id: string;
  text: string;
}

/** A fenced block: its language, the rest of the line that opens it, and its text without the last line break. */
interface Fence {
  language: string;
  note: string;
  source: string;
}

/**
 * The part of Markdown that the guides are written in: headings of two levels, paragraphs, lists, tables and fenced code; in text,
 * code, bold and links. Neighbouring blocks of `sh` and `ts` become one sample with tabs.
 */
export function renderMarkdown(text: string): { headings: MarkdownHeading[]; content: Html } {
  const headings: MarkdownHeading[] = [];
  const parts: Html[] = [];
  const blocks = blocksOf(text);
  for (let at = 0; at < blocks.length; at += 1) {
    const block = blocks[at] ?? '';
    const fence = fenceOf(block);
    if (fence !== null) {
      const next = fenceOf(blocks[at + 1] ?? '');
      const isPair = fence.language === 'sh' && next?.language === 'ts' && !isFile(fence) && !isFile(next);
      parts.push(isPair ? samples([sampleOf(fence), sampleOf(next)]) : loneFence(fence));
      if (isPair) at += 1;
      continue;
    }
    const title = /^(##|###) (.+)$/.exec(block);
    if (title === null) {
      parts.push(blockOf(block));
      continue;
    }
    const [, marks, words = ''] = title;
    const found = { id: slugOf(words.replaceAll('`', '')), text: words.replaceAll('`', '') };
    headings.push(found);
    parts.push(heading(marks === '##' ? 2 : 3, found.id, inline(words)));
  }
  return { headings, content: html`${parts}` };
}

/** Blocks are separated by empty lines; a fence is one block. */
function blocksOf(text: string): string[] {
  return text
    .split(/^(```[^\n]*\n[\s\S]*?^```)$/m)
    .flatMap((piece) => (piece.startsWith('```') ? [piece] : piece.split(/\n{2,}/)))
    .map((block) => block.trim())
    .filter((block) => block !== '');
}

function fenceOf(block: string): Fence | null {
  const [, language, note = '', source = ''] = /^```(\w+) ?([^\n]*)\n([\s\S]*?)\n?```$/.exec(block) ?? [];
  return language === undefined ? null : { language, note, source };
}

const sampleOf = ({ language, source }: Fence): Sample => ({
  language: language === 'sh' ? 'curl' : 'typescript',
  source,
});

const LABELS: Readonly<Record<string, string>> = {
  json: 'Answer',
  ts: 'TypeScript',
  sh: 'Shell',
  csv: 'CSV',
};

/** The note of a block may be the name of its file. */
const isFile = ({ note }: Fence) => note.includes('.');

function loneFence(fence: Fence): Html {
  return code(fence.source, isFile(fence) ? fence.note : (LABELS[fence.language] ?? fence.language));
}

function blockOf(block: string): Html {
  const lines = block.split('\n');
  if (block.startsWith('| ')) return table(lines);
  if (/^- /.test(block))
    return html`<ul>
      ${itemsOf(block, /^- /m)}
    </ul>`;
  if (/^1\. /.test(block))
    return html`<ol>
      ${itemsOf(block, /^\d+\. /m)}
    </ol>`;
  return html`<p>${inline(lines.join(' '))}</p>`;
}

function itemsOf(block: string, mark: RegExp): Html[] {
  return block
    .split(mark)
    .filter((item) => item !== '')
    .map((item) => html`<li>${inline(item.trim().replace(/\n\s*/g, ' '))}</li>`);
}

function table([head = '', , ...rows]: readonly string[]): Html {
  const cells = (line: string) => line.replace(/^\| ?| ?\|$/g, '').split(/ *\| */);
  return html`<table>
    <thead>
      <tr>
        ${cells(head).map((cell) => html`<th scope="col">${inline(cell)}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            ${cells(row).map((cell) => html`<td>${inline(cell)}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\[([^\]]+)\]\(([^)\s]+)\)/g;

/** Code, bold and links in a line of text. */
function inline(text: string): Html {
  const parts: (string | Html)[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, source, bold, words, url] = match;
    parts.push(text.slice(end, match.index));
    if (source !== undefined) parts.push(html`<code>${source}</code>`);
    else if (bold !== undefined) parts.push(html`<strong>${inline(bold)}</strong>`);
    else if (words !== undefined && url !== undefined)
      parts.push(html`<a href="${url}">${inline(words)}</a>`);
    end = match.index + whole.length;
  }
  return html`${[...parts, text.slice(end)]}`;
}
