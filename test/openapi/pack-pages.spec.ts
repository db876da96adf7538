import { apiDocument } from '../../src/openapi/api-document.js';
import { DOCS_OPENAPI } from '../../src/openapi/docs.openapi.js';
import { Documentation } from '../../src/openapi/documentation.js';
import { type SearchEntry } from '../../src/openapi/page/search-index.js';
import { SHIPPED } from '../compliance/support/shipped-packs.js';

const documentation = new Documentation(apiDocument(DOCS_OPENAPI), SHIPPED);
const pages = new Map([
  ['/docs/packs', documentation.packList.text],
  ...SHIPPED.all.map(({ pack }) => [`/docs/packs/${pack}`, documentation.pack(pack)?.text ?? ''] as const),
]);
const mainOf = (text: string) => text.slice(text.indexOf('<main'));

test.each([...pages])('%s is small, and says once that it is no legal advice', (_, text) => {
  expect(Buffer.byteLength(text)).toBeLessThan(60_000);
  expect(text.match(/no legal advice/g)).toHaveLength(1);
});

test.each([...pages])(
  '%s has unique anchors, headings with anchors, and links that lead to packs',
  (path, text) => {
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(text.match(/<h[2-4](?! id=)/g)).toBeNull();
    const links = [...mainOf(text).matchAll(/ href="([^"]+)"/g)].map(([, url = '']) => url);
    const leads = (url: string) => (url.startsWith('#') ? ids.includes(url.slice(1)) : pages.has(url));
    expect([path, links.filter((url) => !/^https?:/.test(url) && !leads(url))]).toEqual([path, []]);
  },
);

test.each(SHIPPED.all)(
  'the page of $pack has each rule with its law, its source and what it says',
  (pack) => {
    const text = mainOf(pages.get(`/docs/packs/${pack.pack}`) ?? '');
    expect(text).toContain(pack.version);
    for (const rule of pack.rules) {
      expect(text).toContain(`<h2 id="${rule.id}">`);
      expect(text).toContain(`href="${rule.source.url.replaceAll('&', '&#38;')}"`);
      expect(text).toContain(rule.source.readOn);
    }
    expect(text.match(/<dt>In force<\/dt>/g)).toHaveLength(pack.rules.length);
  },
);

test('the list and the search have every pack', () => {
  const list = pages.get('/docs/packs') ?? '';
  const urls = (JSON.parse(documentation.search.text) as SearchEntry[]).map(([, url]) => url);
  for (const { pack, version } of SHIPPED.all) {
    expect(list).toContain(`<a href="/docs/packs/${pack}">${pack}</a>`);
    expect(list).toContain(version);
    expect(urls).toContain(`/docs/packs/${pack}`);
  }
  expect(documentation.pack('none')).toBeNull();
});

test('a rule is in sentences', () => {
  const text = pages.get('/docs/packs/it') ?? '';
  expect(text).toContain(
    'Calls only at these times, by the called person’s clock: Monday to Friday 09:00–20:00; Saturday 10:00–19:00; not on Sunday.',
  );
  expect(text).toContain('Lunedì dell’Angelo (1 day after Easter Sunday)');
  expect(pages.get('/docs/packs/us-ut')).toContain('Thanksgiving Day (the fourth Thursday of November)');
  expect(pages.get('/docs/packs/za')).toContain('(9 August, if on a Sunday on the next Monday as well)');
  expect(pages.get('/docs/packs/us-ms')).toContain('by the clock of Etc/GMT+6');
});
