import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { read, root } from '../support/repository.js';

describe('docs/security.md', () => {
  // An item may be wrapped.
  const text = read('docs/security.md').replaceAll(/\n {2}(?=\S)/g, ' ');
  const sections = text.split(/^## /m).slice(1);
  const proofs = sections.flatMap((section) =>
    [...section.matchAll(/^- `(test\/[\w/.-]+\.spec\.ts)` › (.+)$/gm)].map(([, file = '', title = '']) => ({
      section: section.split(' ', 1)[0],
      file,
      title,
    })),
  );

  test('has the ten items of the list in order, each with its proof', () => {
    const items = sections.map((section) => section.split(' ', 1)[0]);
    expect(items).toEqual(Array.from({ length: 10 }, (_, n) => `API${n + 1}`));
    expect(new Set(proofs.map(({ section }) => section))).toEqual(new Set(items));
  });

  test.each(proofs.map(({ file, title }) => [file, title] as const))('%s has: %s', (file, title) => {
    // As the source has it: a quotation mark in a title may be escaped there.
    expect(read(file).replaceAll('\\', '')).toContain(title);
  });
});

test('SECURITY.md and docs/security.md link to files that exist', () => {
  for (const [file, base] of [
    ['SECURITY.md', '.'],
    ['docs/security.md', 'docs'],
  ] as const) {
    const links = [...read(file).matchAll(/\]\(((?!https?:)[^)#]+)\)/g)].map(([, link = '']) => link);
    for (const link of links) expect(() => read(join(base, link))).not.toThrow();
  }
});

test('only carriers, webhooks and commands with a key send requests', () => {
  const client =
    /(?<![.])\bfetch\(|\b(?:request|get|connect) as \w+ \} from 'node:(?:https?|net|tls)'|from '(?:axios|undici|got)'/;
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const asking = sources
    .filter((file) => /[.]tsx?$/.test(file) && client.test(read(join('src', file))))
    // Texts that the documentation shows.
    .filter((file) => !file.startsWith('openapi/examples/'))
    .sort();
  expect(asking).toEqual([
    'carriers/send-once.ts',
    'carriers/simulator/simulator-server.ts',
    'cli/api-client.ts',
    'events/webhooks/delivery/poster.ts',
  ]);
});
