import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createDataSource } from '../../src/database/data-source.js';
import { dumpSchema } from '../../tools/schema/dump-schema.js';
import { createTestDatabase } from '../support/database.js';

test('migrations/schema.sql is the schema of the migrations; `npm run schema` writes it', async () => {
  const database = await createTestDatabase();
  const db = await createDataSource(database.url).initialize();
  try {
    const committed = readFileSync(join(__dirname, '../../migrations/schema.sql'), 'utf8');
    expect(await dumpSchema(db)).toBe(committed);
  } finally {
    await db.destroy();
    await database.drop();
  }
});
