/** One sentence of a document or a comment. */
export interface Sentence {
  /** At which its paragraph, list item, table row or comment begins. */
  line: number;
  /** Code, links' texts and quotations are one word each. */
  text: string;
}

/** The sentences of a page in Markdown, without headings, code blocks and titles of tests. */
export function sentencesOfPage(page: string): Sentence[] {
  return sentencesOf(pagePassages(page));
}

/** The sentences of comments in TypeScript, and of those in SQL, also in that within TypeScript. */
export function sentencesOfComments(source: string): Sentence[] {
  return sentencesOf(commentPassages(source));
}

/** The sentences of comments in YAML and in shell scripts. */
export function sentencesOfHashComments(source: string): Sentence[] {
  const passages = new Passages();
  source.split('\n').forEach((text, index) => {
    const [, comment] = /^\s*#(?: (.*))?$/.exec(text) ?? [];
    if (comment === undefined) passages.end();
    else passages.add(index + 1, comment);
  });
  return sentencesOf(passages.all);
}

/** A hyphenated word is one; a dash is none. */
function wordsOf(sentence: string): number {
  return sentence.split(' ').filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

const LIST_ITEM = /^\s*(?:[-*]|\d+\.) /;
const DRAWING = /[─│└┘▲▼▶]/;

/** Text that no sentence crosses, each with the line at which it begins. */
class Passages {
  readonly all: { line: number; text: string }[] = [];
  private open: { line: number; text: string } | null = null;

  /** Continues the open passage. An empty line and a drawing end it; a list item begins another. */
  add(line: number, text: string): void {
    if (text.trim() === '' || DRAWING.test(text)) return this.end();
    if (LIST_ITEM.test(text)) this.end();
    const words = text.replace(LIST_ITEM, '');
    if (this.open === null) this.all.push((this.open = { line, text: words }));
    else this.open.text += ` ${words}`;
  }

  end(): void {
    this.open = null;
  }

  /** A passage of its own. */
  single(line: number, text: string): void {
    this.end();
    this.add(line, text);
    this.end();
  }
}

/** A heading, a quotation, or the address of a link that the page names elsewhere. */
const NO_PROSE = /^(?:#|>|\[[^\]]+\]: )/;
const NAMED_TEST = /^- `test\/[^`]+` ›/;

function pagePassages(page: string): Passages['all'] {
  const passages = new Passages();
  let inFence = false;
  let inNamedTest = false;
  page.split('\n').forEach((text, index) => {
    const isFence = /^\s*```/.test(text);
    if (isFence) inFence = !inFence;
    inNamedTest = NAMED_TEST.test(text) || (inNamedTest && /^ +\S/.test(text));
    if (isFence || inFence || inNamedTest || NO_PROSE.test(text)) passages.end();
    else if (!text.startsWith('|')) passages.add(index + 1, text);
    else for (const cell of text.split(/(?<!\\)\|/)) passages.single(index + 1, cell);
  });
  return passages.all;
}

const BLOCK_START = /^\s*\{?\/\*+/;
const BLOCK_MARGIN = /^\s*\* ?/;
const TAG = /^@\w/;
/** `//` or `--`, on a line of its own or after code. */
const LINE_COMMENT = /^(.*?)(?:\/\/|--) (.*)$/;

function commentPassages(source: string): Passages['all'] {
  const passages = new Passages();
  let inBlock = false;
  source.split('\n').forEach((text, index) => {
    const line = index + 1;
    if (inBlock || BLOCK_START.test(text)) {
      const content = text
        .replace(/\*\/.*$/, '')
        .replace(inBlock ? BLOCK_MARGIN : BLOCK_START, '')
        .replace(/^\s*(?=@)/, '');
      if (TAG.test(content)) passages.end();
      passages.add(line, content);
      inBlock = !text.includes('*/');
      if (!inBlock) passages.end();
      return;
    }
    const [, code = '', comment] = LINE_COMMENT.exec(text) ?? [];
    if (comment === undefined) passages.end();
    else if (code.trim() === '') passages.add(line, comment);
    else if (/\s$/.test(code)) passages.single(line, comment);
  });
  return passages.all;
}

/** What follows begins as a sentence does. */
const END = /(?<=[.!?]["”’)]?) (?=["“‘(]?[\p{Lu}\p{N}$….])/u;
/** A list of a statement's parameters, or of the errors that a function throws. */
const PARAMETERS = /^(?:\$\d|throws )/;

function sentencesOf(passages: Passages['all']): Sentence[] {
  return passages.flatMap(({ line, text }) =>
    plain(text)
      .split(/ @(?=(?:param|returns|throws)\b)/)
      .flatMap((part) => part.split(END))
      .map((sentence) => ({ line, text: sentence.trim() }))
      .filter((sentence) => wordsOf(sentence.text) > 0 && !PARAMETERS.test(sentence.text)),
  );
}

function plain(text: string): string {
  return ` ${text}`
    .replace(/\s+/g, ' ')
    .replace(/\{@link [^}]*\}|(`+)[^`]+?\1/g, 'Code')
    .replace(/\[([^\]]*)\](?:\([^)\s]+\)|\[[^\]]*\])/g, '$1')
    .replaceAll('**', '')
    .replace(/"[^"]*"|“[^”]*”/g, 'Quotation')
    .replace(/\b(e\.g|i\.e)\./g, '$1');
}
