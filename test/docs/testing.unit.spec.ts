import { read } from '../support/repository.js';
import { PAGES } from './support/examples.js';

const page = read('docs/testing.md');

/** The lines of the test output on the page: groups and tests, each with the file above it. */
function shownTitles(): [file: string, title: string][] {
  const [, output = ''] = /^```text\n(PASS .*?)^```/ms.exec(page) ?? [];
  return output.split(/^PASS \w+ /m).flatMap((part) => {
    const [file = '', ...lines] = part.trimEnd().split('\n');
    return lines.map((line): [string, string] => [file, line.replace(/^ +(?:✓ )?|(?: \(\d+ ms\))?$/g, '')]);
  });
}

test('the output of tests in docs/testing.md is found', () => {
  expect(new Set(shownTitles().map(([file]) => file)).size).toBe(2);
});

test.each(shownTitles())('%s has: %s', (file, title) => {
  const titles = [...read(file).matchAll(/\b(?:test|describe)\(\s*'(.*)',/g)].map(([, found]) => found);
  expect(titles).toContain(title);
});

test('docs/testing.md names every page whose shell examples run', () => {
  const [sentence = ''] = /^The shell examples of .*?`test\/docs\/examples\.spec\.ts`/ms.exec(page) ?? [];
  const named = [...sentence.matchAll(/README\.md|\]\(([\w-]+\.md)\)/g)];
  expect(named.map(([text, linked]) => (linked === undefined ? text : `docs/${linked}`))).toEqual(PAGES);
});
