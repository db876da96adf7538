import { filesBelow, read } from '../support/repository.js';
import {
  type Sentence,
  sentencesOfComments,
  sentencesOfHashComments,
  sentencesOfPage,
} from './support/prose.js';

// The English of documents and comments: the terms of docs/glossary.md.

/** Pages that are kept as their author wrote them. */
const AS_WRITTEN = ['docs/interface-specification.md'];

/** What must not be written of code or rows, and what to write instead. */
const WORDS: [word: RegExp, instead: string][] = [
  [/\b(?:who|whom)ever\b/i, 'the component'],
  [/\b(?:some|no|any|every)body\b/i, 'the component'],
  [/\b(?:him|her)self\b/i, 'the component'],
  [/\bgatherers?\b/i, 'micro-batcher'],
  [/\bturn[- ]?takers?\b|\btak(?:es?|ing) turns\b/i, 'fair scheduling'],
  [/\bjudged? together\b/i, 'batch'],
  [/\b(?:judged?|judges|runs?|retry|retried|decided?) alone\b/i, 'run individually'],
  [/\bverdicts?\b/i, 'result, decision'],
  [/\buncount(?:s|ed|ing)?\b/i, 'release usage'],
  [/\bmost unseen\b/i, 'MAX_UNCOMMITTED'],
  [/\banew\b/i, 'again'],
  [/\bborn\b/i, 'created'],
  [/\bin hand\b/i, 'live job'],
  [/\bhand(?:s|ed|ing)? on\b/i, 'requeue'],
  [/\bg(?:ives?|ave|iven|iving) (?:\w+ ){0,2}back\b/i, 'release'],
  [/\bbusy lines?\b/i, 'active calls'],
  [/\bwait(?:s|ed|ing)? for (?:a|its|the|free) lines?\b/i, 'waiting for a concurrency slot'],
  [/\bunsettled\b/i, 'dial_unknown, reconciliation'],
  [/\b(?:bear|bears|bearing|bore) (?:a|an|the|its) key\b/i, 'sends a key'],
  [/\b(?:is|are|be|was|were) worth\b/i, 'resolves to'],
];

const files = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...['src', 'docs', 'deploy'].flatMap(filesBelow),
].filter((file) => !AS_WRITTEN.includes(file));

const READERS: [kind: RegExp, sentencesOf: (text: string) => Sentence[]][] = [
  [/\.md$/, sentencesOfPage],
  [/\.(?:tsx?|sql)$/, sentencesOfComments],
  [/\.(?:ya?ml|sh)$/, sentencesOfHashComments],
];

const sentences = READERS.flatMap(([kind, sentencesOf]) =>
  files
    .filter((file) => kind.test(file))
    .flatMap((file) => sentencesOf(read(file)).map(({ line, text }) => ({ at: `${file}:${line}`, text }))),
);

test('documents and comments are read', () => {
  expect(sentences.length).toBeGreaterThan(5_000);
});

test('none has a word for which there is a term', () => {
  const found = sentences.flatMap(({ at, text }) =>
    WORDS.filter(([word]) => word.test(text)).map(([, instead]) => `${at}: write ${instead}: ${text}`),
  );
  expect(found).toEqual([]);
});

const PAGE = `# A heading of a page

A batch has \`up to 16 items\`. It "is decided
in one transaction". See [the glossary](glossary.md). **Items** of

| a cell       | two sentences. In one cell |
| ------------ | -------------------------- |

- \`test/a.spec.ts\` › the title of a test
  goes on here
- an item
  that goes on

\`\`\`sh
echo "no prose"
\`\`\`
`;

test('sentences of a page', () => {
  expect(sentencesOfPage(PAGE).map(({ line, text }) => [line, text])).toEqual([
    [3, 'A batch has Code.'],
    [3, 'It Quotation.'],
    [3, 'See the glossary.'],
    [3, 'Items of'],
    [6, 'a cell'],
    [6, 'two sentences.'],
    [6, 'In one cell'],
    [11, 'an item that goes on'],
  ]);
});

const SOURCE = `/**
 * Claims a call; {@link CLAIM} writes it. Further
 * words.
 *
 *     queued ──▶ dialing
 *
 * @param id of the call. @throws AppError \`A\`, \`B\` or \`C\`
 */
const url = 'https://example.com'; // after code
// Two lines
// of one comment.
const text = \`
  -- In SQL. $1 id, $2 state
  SELECT 1\`;
`;

test('sentences of comments', () => {
  expect(sentencesOfComments(SOURCE)).toEqual([
    { line: 2, text: 'Claims a call; Code writes it.' },
    { line: 2, text: 'Further words.' },
    { line: 7, text: 'param id of the call.' },
    { line: 9, text: 'after code' },
    { line: 10, text: 'Two lines of one comment.' },
    { line: 13, text: 'In SQL.' },
  ]);
});

test('sentences of comments in YAML', () => {
  expect(sentencesOfHashComments('# One.\n# Two\n#\na: 1 # not read\n# three')).toEqual([
    { line: 1, text: 'One.' },
    { line: 1, text: 'Two' },
    { line: 5, text: 'three' },
  ]);
});
