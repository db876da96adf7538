import { join } from 'node:path';
import { placed, SECTIONS, withSection } from '../../tools/bench/page.js';
import { read, root } from '../support/repository.js';

const page = read('docs/benchmarks.md');
const MARKED = /<!-- begin ([\w-]+) -->\n\n(## .*?)\n\n<!-- end \1 -->/gs;

test('the page of benchmarks has a section for each that is written, in their order', () => {
  expect([...page.matchAll(MARKED)].map(([, name]) => name)).toEqual(SECTIONS);
});

test('the page has every section written as a measurement writes it', () => {
  for (const [, name, section = ''] of page.matchAll(MARKED)) {
    expect(withSection(page, name as (typeof SECTIONS)[number], `${section}\n`)).toBe(page);
  }
});

test('a measurement replaces its own section, and keeps all else', () => {
  const written = withSection(page, 'herd', '## The herd\n\nNew.\n');
  const [before = '', rest = ''] = page.split('<!-- begin herd -->');
  const [, after = ''] = rest.split('<!-- end herd -->');
  expect(written).toBe(`${before}<!-- begin herd -->\n\n## The herd\n\nNew.\n\n<!-- end herd -->${after}`);
});

test('a page without the markers of a section is refused', () => {
  expect(() => withSection('# Benchmarks\n', 'herd', '## The herd\n')).toThrow(/no markers of "herd"/);
});

test('a measurement is written into the page, and with --out alone into another file', async () => {
  const section = '## The herd\n\nNew.\n';
  expect(await placed('herd', section)).toEqual({
    file: join(root, 'docs/benchmarks.md'),
    text: withSection(page, 'herd', section),
  });
  expect(await placed('herd', section, 'herd.md')).toEqual({ file: 'herd.md', text: section });
});
