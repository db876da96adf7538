import { read } from '../../support/repository.js';

/** The pages whose shell examples run one after another, each with the variables of those before it. */
export const PAGES = [
  'README.md',
  'docs/api.md',
  'docs/events.md',
  'docs/operating.md',
  'docs/campaigns.md',
  'docs/imports.md',
  // The last, because its endpoint is on the internet: no event follows that would be sent there.
  'docs/webhooks.md',
];

/** A shell example and the JSON answer that the page shows under it. */
export interface Example {
  page: string;
  line: number;
  script: string;
  answer: unknown;
}

/** A fenced block of a page: its language, what else its first line says, and its text. */
export interface Fence {
  language: string;
  note: string;
  body: string;
  line: number;
}

/** All fenced blocks of a text, in its order. */
export function fencesOf(text: string): Fence[] {
  return [...text.matchAll(/^```(\w+) ?([^\n]*)\n(.*?)^```/gms)].map((match) => {
    const [, language = '', note = '', body = ''] = match;
    return { language, note, body, line: text.slice(0, match.index).split('\n').length + 1 };
  });
}

/**
 * All shell examples of {@link PAGES}, in page order. Blocks with `npm` start what the test starts itself.
 */
export function shellExamples(): Example[] {
  return PAGES.flatMap((page) => {
    const fences = fencesOf(read(page));
    return fences.flatMap(({ language, body, line }, index) => {
      if (language !== 'sh' || body.startsWith('npm ')) return [];
      return [{ page, line, script: body, answer: answerUnder(fences, index) }];
    });
  });
}

/** The JSON of the block under a block, with nothing but an empty line between them. */
function answerUnder(fences: readonly Fence[], index: number): unknown {
  const [block, next] = fences.slice(index);
  if (block === undefined || next?.language !== 'json') return undefined;
  const emptyLine = block.line + block.body.split('\n').length;
  return next.line === emptyLine + 2 ? JSON.parse(next.body) : undefined;
}

/** Texts of JSON values that follow one another without a separator. */
export function jsonValues(text: string): unknown[] {
  const values: unknown[] = [];
  let start = -1;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"' && depth > 0) inString = true;
    else if (character === '{' || character === '[') {
      if (depth === 0) start = at;
      depth += 1;
    } else if (depth > 0 && (character === '}' || character === ']')) {
      depth -= 1;
      if (depth === 0) values.push(JSON.parse(text.slice(start, at + 1)));
    }
  }
  return values;
}

/** The keys of a value at every depth; of an array, those of its first element. */
export function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (typeof value !== 'object' || value === null) return 'value';
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shapeOf(member)]));
}
