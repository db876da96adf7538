import { apiDocument } from '../../src/openapi/api-document.js';
import { DOCS_OPENAPI } from '../../src/openapi/docs.openapi.js';
import { Documentation } from '../../src/openapi/documentation.js';
import { GUIDE_NAMES, guideSource } from '../../src/openapi/guides/guides.js';
import { renderMarkdown } from '../../src/openapi/guides/markdown.js';
import { type SearchEntry } from '../../src/openapi/page/search-index.js';
import { fencesOf } from '../docs/support/examples.js';
import { Conformance } from './conformance.js';

const document = apiDocument(DOCS_OPENAPI);
const documentation = new Documentation(document);
const { operations } = new Conformance(document);
const pages = new Map([
  ['/docs', documentation.page.text],
  ['/docs/objects', documentation.objects.text],
  ...operations.map(({ operation: { operationId: id } }) => {
    return [`/docs/operations/${id}`, documentation.operation(id)?.text ?? ''] as const;
  }),
  ...GUIDE_NAMES.map((name) => [`/docs/guides/${name}`, documentation.guide(name)?.text ?? ''] as const),
]);
const ASSETS =
  /^\/docs\/(?:assets\/(?:style\.css|script\.js)\?v=[0-9a-f]{8}|openapi\.json)$|^\/assets\/icon\.svg$/;

/** Whether an address leads to a page, and to an anchor that it has. */
function leadsSomewhere(url: string, from: string): boolean {
  const [path = '', anchor] = url.split('#');
  const text = pages.get(path === '' ? from : path);
  if (text === undefined) return ASSETS.test(url) || /^https:\/\/[\w.]+$/.test(url);
  return anchor === undefined || text.includes(` id="${anchor}"`);
}

test('the pages have every operation, object and tag, those of customers first', () => {
  const text = documentation.page.text;
  const positions = operations.map(({ operation }) => {
    const id = operation.operationId;
    const at = text.lastIndexOf(`href="/docs/operations/${id}"`);
    expect([id, at > text.indexOf('<main')]).toEqual([id, true]);
    expect(documentation.operation(id)?.text).toContain(`<h1 id="${id}">`);
    return { at, isCustomers: operation.security.some((one) => 'teamKey' in one) };
  });
  const last = Math.max(...positions.filter(({ isCustomers }) => isCustomers).map(({ at }) => at));
  const first = Math.min(...positions.filter(({ isCustomers }) => !isCustomers).map(({ at }) => at));
  expect(last).toBeLessThan(first);
  const { text: objects } = documentation.objects;
  for (const name of Object.keys(document.components.schemas))
    expect(objects).toContain(`id="schema-${name}"`);
  expect(documentation.operation('unknown')).toBeNull();
});

test.each([...pages])('%s: anchors are unique, links lead somewhere, headings have anchors', (path, text) => {
  const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  const links = [...text.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, url = '']) => url);
  expect(links.filter((url) => !leadsSomewhere(url, path))).toEqual([]);
  expect(text.match(/<h[2-4](?! id=)/g)).toBeNull();
  for (const [, id, url] of text.matchAll(/<h[2-4] id="([^"]+)"><a class="anchor" href="#([^"]+)"/g))
    expect(url).toBe(id);
});

test.each([...pages])(
  '%s has no script, style or handler in its markup, and loads nothing from elsewhere',
  (_, text) => {
    expect(text).not.toMatch(/<style|style="|\son\w+="|javascript:|@import|url\(/);
    expect([...text.matchAll(/<script[^>]*>/g)]).toHaveLength(1);
    expect(text).toMatch(/<script src="\/docs\/assets\/script\.js\?v=[0-9a-f]{8}"><\/script>/);
  },
);

test('the search knows every operation, path, field, guide and heading, by addresses that lead somewhere', () => {
  const entries = JSON.parse(documentation.search.text) as SearchEntry[];
  expect(entries.filter(([, url]) => !leadsSomewhere(url, '/docs'))).toEqual([]);
  const urls = new Set(entries.map(([, url]) => url));
  for (const { path, operation } of operations) {
    expect(urls).toContain(`/docs/operations/${operation.operationId}`);
    expect(entries.some(([, , context]) => context.includes(path))).toBe(true);
  }
  for (const [name, url] of [
    ['phoneNumber', '/docs/operations/triggerCall#triggerCall.body.phoneNumber'],
    ['acceptedFrom', '/docs/operations/listCallsByKey#listCallsByKey.acceptedFrom'],
    ['durationSeconds', '/docs/objects#schema-Call.durationSeconds'],
    ['Read the feed of events', '/docs/guides/follow-a-call#read-the-feed-of-events'],
  ])
    expect(entries.some(([title, at]) => title === name && at === url)).toBe(true);
});

test('guides show each step with curl and in TypeScript', () => {
  for (const name of GUIDE_NAMES) {
    const fences = fencesOf(guideSource(name)).filter(({ note }) => !note.includes('.'));
    const languages = fences.map(({ language }) => language).filter((language) => language !== 'json');
    expect([name, languages]).toEqual([name, languages.map((_, index) => (index % 2 === 0 ? 'sh' : 'ts'))]);
    expect(languages.length).toBeGreaterThan(3);
  }
});

test('Markdown is escaped, and renders what the guides use', () => {
  const { headings, content } = renderMarkdown(
    [
      '## A `b` & <c>',
      'Text <i> with `<code>`, **bold `x`** and [a link](/docs#top).',
      '- one\n  more\n- two',
      '1. first\n2. second',
      '| a | b |\n| --- | --- |\n| `1` | <2> |',
      '```sh\necho "<3>"\n\necho 4\n```',
      '```ts\nconst a = 1;\n```',
      '```ts file.ts\nconst b = 2;\n```',
    ].join('\n\n'),
  );
  expect(headings).toEqual([{ id: 'a-b-c', text: 'A b & <c>' }]);
  const text = content.markup.replace(/>\n+/g, '>').replace(/\n+</g, '<').replaceAll('\n', ' ');
  for (const part of [
    '<h2 id="a-b-c"><a class="anchor" href="#a-b-c">A <code>b</code> &amp; &lt;c&gt;</a></h2>',
    '<p>Text &lt;i&gt; with <code>&lt;code&gt;</code>, <strong>bold <code>x</code></strong> and <a href="/docs#top">a link</a>.</p>',
    '<ul><li>one more</li><li>two</li></ul>',
    '<ol><li>first</li><li>second</li></ol>',
    '<th scope="col">a</th>',
    '<td>&lt;2&gt;</td>',
    'echo &#34;&#60;3&#62;&#34;',
    'data-show="typescript"',
    '<figcaption>file.ts',
  ])
    expect(text).toContain(part);
});
