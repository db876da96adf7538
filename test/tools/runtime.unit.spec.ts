import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// What Jest's modules are to a spec file, although the worker keeps their code (test/support/runtime.cjs).

const folder = mkdtempSync(join(tmpdir(), 'outdial-runtime-'));
const file = join(folder, 'counter.cjs');
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  writeFileSync(file, 'let count = 0;\nexports.next = () => (count += 1);\n');
  jest.resetModules();
});

const load = () => jest.requireActual<{ next: () => number }>(file);

test('a module runs once, and again after its registry is left', () => {
  expect([load().next(), load().next()]).toEqual([1, 2]);
  jest.isolateModules(() => expect(load().next()).toBe(1));
  expect(load().next()).toBe(3);
  jest.resetModules();
  expect(load().next()).toBe(1);
});

test('a file that changed is compiled again', () => {
  expect(load().next()).toBe(1);
  writeFileSync(file, 'exports.next = () => 10_000;\n');
  jest.resetModules();
  expect(load().next()).toBe(10_000);
});

test('a file that does not compile is named, with the reason', () => {
  writeFileSync(file, 'exports.next = (;\n');
  expect(load).toThrow(/counter\.cjs/);
});

test('a stack trace shows the lines of the source', () => {
  const { stack } = new Error('thrown here');
  const source = readFileSync(__filename, 'utf8').split('\n');
  const line = source.findIndex((text) => text.includes(`new Error('thrown here')`)) + 1;
  expect(stack).toContain(`runtime.unit.spec.ts:${line}:`);
});
