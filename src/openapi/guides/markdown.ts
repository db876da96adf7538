import MarkdownIt, { type Token } from 'markdown-it';
import { heading, slugOf } from '../html/heading.js';
import { Html, html } from '../html/html.js';
import { code, type Sample, samples } from '../html/samples.js';

export interface MarkdownHeading {
  id: string;
  text: string;
}

// HTML in the text is shown as text.
const MARKDOWN = new MarkdownIt();
MARKDOWN.renderer.rules.th_open = (tokens, at, options, _env, renderer) => {
  tokens[at]?.attrSet('scope', 'col');
  return renderer.renderToken(tokens, at, options);
};

/**
 * Markdown as the pages show it: headings of the second and third level have anchors, and code can be copied.
 * Neighbouring blocks of `sh` and `ts` become one sample with tabs.
 */
export function renderMarkdown(text: string): { headings: MarkdownHeading[]; content: Html } {
  const headings: MarkdownHeading[] = [];
  const parts: Html[] = [];
  const blocks = blocksOf(MARKDOWN.parse(text, {}));
  for (let at = 0; at < blocks.length; at += 1) {
    const block = blocks[at] ?? [];
    const [fence, next] = [fenceOf(block), fenceOf(blocks[at + 1])];
    if (fence !== null) {
      const isPair = fence.language === 'sh' && next?.language === 'ts' && !isFile(fence) && !isFile(next);
      parts.push(isPair ? samples([sampleOf(fence), sampleOf(next)]) : loneFence(fence));
      if (isPair) at += 1;
    } else if (block[0]?.type === 'heading_open') {
      const { found, content } = headingOf(block);
      headings.push(found);
      parts.push(content);
    } else {
      parts.push(rendered(block));
    }
  }
  return { headings, content: html`${parts}` };
}

/** The tokens of each block of the text, such as those of a paragraph or of a whole list. */
function blocksOf(tokens: readonly Token[]): Token[][] {
  const blocks: Token[][] = [];
  let block: Token[] = [];
  for (const token of tokens) {
    block.push(token);
    if (token.level > 0 || token.nesting === 1) continue;
    blocks.push(block);
    block = [];
  }
  return blocks;
}

const rendered = (block: Token[]) => new Html(MARKDOWN.renderer.render(block, MARKDOWN.options, {}));

function headingOf(block: readonly Token[]): { found: MarkdownHeading; content: Html } {
  const [open, inline] = block;
  const words = inline?.children ?? [];
  const text = words.map(({ content }) => content).join('');
  const found = { id: slugOf(text), text };
  const content = new Html(MARKDOWN.renderer.renderInline(words, MARKDOWN.options, {}));
  return { found, content: heading(open?.tag === 'h2' ? 2 : 3, found.id, content) };
}

/**
 * A fenced block: its language, the rest of the line that opens it, and its text without the last line break.
 */
interface Fence {
  language: string;
  note: string;
  source: string;
}

function fenceOf([token]: readonly Token[] = []): Fence | null {
  if (token?.type !== 'fence') return null;
  const [language = '', ...note] = token.info.split(' ');
  return { language, note: note.join(' '), source: token.content.replace(/\n$/, '') };
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
