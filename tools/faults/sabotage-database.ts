import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Pool } from 'pg';
import { repositoryRoot } from '../services/paths.js';
import { type Sabotage } from './dist-copy.js';
import { sabotageEnrollments } from './sabotage-enrollments.js';

/** The sabotages that are made in the database. */
export async function sabotageDatabase(db: Pool, sabotage: Sabotage | undefined): Promise<void> {
  if (sabotage === 'enrollment') await sabotageEnrollments(db);
  if (sabotage === 'events') await sabotageEvents(db);
}

/** Events have their numbers when they are written, before the commit: transactions that take longer appear behind others. */
async function sabotageEvents(db: Pool): Promise<void> {
  const file = join(repositoryRoot(), 'src/database/functions/add_event.sql');
  let text = await readFile(file, 'utf8');
  const NUMBER = `nextval(pg_get_serial_sequence('events', 'position'))`;
  for (const [found, instead] of [
    ['INSERT INTO events (id,', 'INSERT INTO events (sequence, id,'],
    ['VALUES (new_call_id', `VALUES (${NUMBER}, new_call_id`],
  ] as const) {
    if (!text.includes(found)) throw new Error(`add_event is not as its sabotage expects it: no ${found}`);
    text = text.replace(found, instead);
  }
  await db.query(text);
}
