import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Invocation } from '../../src/cli/command.js';
import { exportCommand } from '../../src/cli/export-command.js';

const directory = mkdtempSync(join(tmpdir(), 'outdial-export-'));
afterAll(() => rmSync(directory, { recursive: true }));

test('a file whose later page fails does not stay', async () => {
  const file = join(directory, 'rows.csv');
  let pages = 0;
  const command = exportCommand('row', 'rows', ['id'], 'exportContacts', () => () => {
    pages += 1;
    if (pages === 2) return Promise.reject(new Error('the database is away'));
    return Promise.resolve({ items: [{ id: 1 }], nextCursor: Buffer.from('["1"]').toString('base64url') });
  });
  const call = {
    arg: () => file,
    option: () => undefined,
    flag: () => false,
    page: () => ({ filters: {}, problems: [] }),
    // The row of the audit log.
    service: () => ({ note: () => Promise.resolve() }),
  } as unknown as Invocation;
  await expect(command.run(call)).rejects.toThrow('the database is away');
  expect(pages).toBe(2);
  expect(existsSync(file)).toBe(false);
  expect(readdirSync(directory)).toEqual([]);
});
