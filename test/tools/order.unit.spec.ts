import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../tools/services/paths.js';

const { FIRST } = jest.requireActual<{ FIRST: readonly string[] }>('../support/order.cjs');

test('every file in the order of a run exists', () => {
  expect(FIRST.filter((path) => !existsSync(join(repositoryRoot(), path)))).toEqual([]);
});

test('a unit spec cannot see the services of its run', () => {
  expect(Object.keys(process.env).filter((name) => name.startsWith('TEST_'))).toEqual([]);
});
