import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repositoryRoot } from '../../tools/services/paths.js';

interface Speeds {
  SERVICE_SUPPORT: readonly string[];
  SLOW: readonly string[];
  FIRST: readonly string[];
  specsBySpeed: (root: string) => { fast: string[]; services: string[]; slow: string[] };
}

const { SERVICE_SUPPORT, SLOW, FIRST, specsBySpeed } = jest.requireActual<Speeds>('../support/speeds.cjs');

/** Not in the sources below as it is: the same rule applies to this file. */
const SUPPORT = '../support/database.js';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'outdial-speeds-'));
  write('test/support/database.ts', 'export interface TestDatabase {}\nexport const drop = 1;');
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, source: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), `${source}\n`);
}

/** The project that a spec with these imports is in. */
function speedOf(source: string): 'fast' | 'services' {
  write('test/calls/some.spec.ts', source);
  const { fast, services } = specsBySpeed(root);
  expect([...fast, ...services]).toEqual(['test/calls/some.spec.ts']);
  return fast.length === 1 ? 'fast' : 'services';
}

test('a spec file that imports service support is not fast', () => {
  expect(speedOf(`import { drop } from '${SUPPORT}';`)).toBe('services');
  expect(speedOf(`import * as database from '${SUPPORT}';`)).toBe('services');
  expect(speedOf(`import '${SUPPORT}';`)).toBe('services');
  expect(speedOf(`const database = await import('${SUPPORT}');`)).toBe('services');
});

test('a spec file that reaches service support indirectly is not fast', () => {
  write('test/calls/world.ts', `export {\n  drop,\n} from '../../tools/again.js';`);
  write('tools/again.ts', `export * from '../test/support/database.js';`);
  expect(speedOf(`import {\n  type World,\n  drop,\n} from './world.js';`)).toBe('services');
});

test('every other spec file is fast, also with type imports', () => {
  expect(speedOf('')).toBe('fast');
  expect(speedOf(`import { type TestDatabase } from '${SUPPORT}';`)).toBe('fast');
  expect(speedOf(`import type { TestDatabase } from '${SUPPORT}';`)).toBe('fast');
  expect(speedOf(`import { decide } from '../../src/database/batcher/batcher.js';`)).toBe('fast');
});

test('a file that is slow by name is in no other project', () => {
  for (const path of SLOW) write(path, `import { drop } from '../support/database.js';`);
  expect(specsBySpeed(root)).toEqual({ fast: [], services: [], slow: [...SLOW].sort() });
});

test('every listed file exists', () => {
  const listed = [...SERVICE_SUPPORT, ...SLOW, ...FIRST];
  expect(listed.filter((path) => !existsSync(join(repositoryRoot(), path)))).toEqual([]);
});

test('a fast spec cannot see the services of its run', () => {
  expect(Object.keys(process.env).filter((name) => name.startsWith('TEST_'))).toEqual([]);
});
