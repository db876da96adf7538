import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importClassesFromDirectories } from 'typeorm/util/DirectoryExportedClassesLoader.js';
import { literalPattern } from '../../src/database/literal-pattern.js';

test.each(['plain', 'files (x86)', '[a]', '{b}', 'c+d@e!'])(
  'TypeORM finds the classes below a directory named %s',
  async (name) => {
    const root = mkdtempSync(join(tmpdir(), 'outdial-pattern-'));
    try {
      mkdirSync(join(root, name));
      writeFileSync(join(root, name, 'one.entity.js'), 'exports.One = class One {};');
      const log = { log: () => undefined } as never;
      const found = await importClassesFromDirectories(log, [
        join(literalPattern(join(root, name)), '*.entity.{js,ts}'),
      ]);
      expect(found).toHaveLength(1);
    } finally {
      rmSync(root, { recursive: true });
    }
  },
);
