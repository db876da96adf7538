import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VERSION } from '../../sdk/src/version.js';
import { generatedFiles } from '../../tools/sdk/generated-files.js';

const root = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** For a compiler on a busy machine. */
const PATIENCE_MS = 300_000;

test(
  'what is generated is what the API’s document gives now: npm run sdk:types',
  async () => {
    for (const [path, text] of Object.entries(await generatedFiles())) {
      expect([path, read(path) === text]).toEqual([path, true]);
    }
  },
  PATIENCE_MS,
);

test('the package has the version of the product, and depends on nothing', () => {
  const manifest = JSON.parse(read('sdk/package.json')) as Record<string, unknown>;
  const product = JSON.parse(read('package.json')) as Record<string, unknown>;
  expect(manifest.version).toBe(product.version);
  expect(VERSION).toBe(product.version);
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
    expect(manifest[kind]).toBeUndefined();
});
