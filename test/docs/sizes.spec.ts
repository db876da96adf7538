import { extname } from 'node:path';
import { filesBelow, read } from '../support/repository.js';

const MAX_README_BYTES = 8_192;
/** eslint.config.mjs has the same bound for TypeScript; this is for every language. */
const MAX_LINES = 250;
const CODE = ['.cjs', '.css', '.js', '.mjs', '.sql', '.ts', '.tsx'];
const GENERATED = 'sdk/src/generated/';

test(`README.md has at most ${MAX_README_BYTES} bytes`, () => {
  expect(Buffer.byteLength(read('README.md'))).toBeLessThanOrEqual(MAX_README_BYTES);
});

test(`no file of src/, whatever its kind, and no code beside it has more than ${MAX_LINES} lines`, () => {
  const files = [
    ...filesBelow('src'),
    ...['sdk/src', 'test', 'tools'].flatMap(filesBelow).filter((file) => CODE.includes(extname(file))),
  ];
  const long = files
    .filter((file) => !file.startsWith(GENERATED))
    .map((file) => ({ file, lines: read(file).replace(/\n$/, '').split('\n').length }))
    .filter(({ lines }) => lines > MAX_LINES);
  expect(long).toEqual([]);
});
