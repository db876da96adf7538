import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { CARRIER_NAMES } from '../../src/carriers/registry.js';

const source = resolve(__dirname, '../../src');
const carriers = join(source, 'carriers');

/** These carriers are Outdial's own. Each of the others has the name of a vendor. */
const OWN = ['simulator', 'http'];
const VENDORS = CARRIER_NAMES.filter((name) => !OWN.includes(name));

const files = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));
const outside = files.filter((file) => !file.startsWith(`${carriers}/`));

/** Where a name is not that of a carrier: a key that callers send by mistake, as a platform spells it. */
const SPELLINGS = ['domain/near-misses.ts'];

/** Where a platform's own words name another vendor: the telephony or the voice that it uses. */
const WORDS = [
  ['twilio', /^(?:vapi[/]vapi-outcomes[.]ts|elevenlabs[/].*)$/],
  ['elevenlabs', /^twilio[/]twilio-settings[.]ts$/],
] as const;

const namesVendor = (vendor: string) => (file: string) =>
  `${relative(source, file)}\n${readFileSync(file, 'utf8')}`.toLowerCase().includes(vendor);

test('vendors and files to search exist', () => {
  expect(VENDORS).toEqual(expect.arrayContaining(['twilio', 'livekit']));
  expect(outside.length).toBeGreaterThan(200);
});

test.each(VENDORS)('only the carriers’ folders name %s', (vendor) => {
  const naming = outside.filter(namesVendor(vendor)).map((file) => relative(source, file));
  expect(naming.filter((file) => !SPELLINGS.includes(file))).toEqual([]);
});

test.each(VENDORS)('among the carriers, only the folder of %s and the registry name it', (vendor) => {
  const naming = files
    .filter((file) => file.startsWith(`${carriers}/`) && !file.startsWith(join(carriers, vendor, '/')))
    .filter(namesVendor(vendor))
    .map((file) => relative(carriers, file))
    .filter((file) => !WORDS.some(([name, files]) => name === vendor && files.test(file)));
  expect(naming).toEqual(['registry.ts']);
});

test('each carrier is a folder with a definition', () => {
  const folders = readdirSync(carriers, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual([...CARRIER_NAMES].sort());
  for (const name of CARRIER_NAMES) expect(files).toContain(join(carriers, name, 'definition.ts'));
});
