import { type Client } from 'pg';
import { LIST_CONSENTS_OF_NUMBER } from '../../src/consents/sql/consents.sql.js';
import { PLANNING } from '../../src/database/session.js';
import { type Statement } from '../../src/database/transactions.js';
import {
  ADD_LIMITED,
  FIND_ON_DO_NOT_CALL,
  REMOVE_FROM_DO_NOT_CALL,
} from '../../src/suppression/sql/opt-out.sql.js';
import { asTeam, connectRestricted } from '../database/restricted.js';
import { createWorld, type World } from '../support/app.js';
import { buildTeam, nextNumber } from '../support/builders.js';

/* A number is looked up in the index of numbers by the processes' role, and not among all rows of its team. */

const ROWS = 3_000;
const TABLES = ['do_not_call', 'limited_do_not_call', 'consents'];

let world: World;
let restricted: Client;
let team: string;
const number = nextNumber();
const forms = [number, `erased:${'a'.repeat(64)}`];

/** Rows of a team in each table. */
async function fill(teamId: string, from: number, count: number): Promise<void> {
  for (const [table, columns, values] of [
    ['do_not_call', '', ''],
    ['limited_do_not_call', ', scope, effective_from', `, 'team', now()`],
    ['consents', ', level, source, granted_at, created_at', `, 'express', 'x', now(), now()`],
  ] as const) {
    await world.db.query(
      `INSERT INTO ${table} (team_id, phone_number${columns})
       SELECT $1, '+1' || (2120000000 + n)${values} FROM generate_series($2::integer, $3) n`,
      [teamId, from, from + count - 1],
    );
  }
}

beforeAll(async () => {
  world = await createWorld();
  restricted = await connectRestricted(world.config.databaseUrl);
  team = (await buildTeam(world.db)).id;
  for (let other = 0; other < 100; other += 1) await fill((await buildTeam(world.db)).id, other * 10, 10);
  await world.db.query(`ANALYZE ${TABLES.join(', ')}`);
  await fill(team, 5_000, ROWS);
  await world.db.query(`INSERT INTO do_not_call (team_id, phone_number) VALUES ($1, $2)`, [team, number]);
  await world.db.query(
    `INSERT INTO limited_do_not_call (team_id, phone_number, scope, effective_from) VALUES ($1, $2, 'team', now())`,
    [team, number],
  );
  await world.db.query(
    `INSERT INTO consents (team_id, phone_number, level, source, granted_at, created_at)
     VALUES ($1, $2, 'express', 'x', now(), now())`,
    [team, number],
  );
});
afterAll(async () => {
  await restricted.end();
  await world.close();
});

/** The rows of the tables that the connection has read and not reported yet. */
async function rowsRead(): Promise<number> {
  const { rows } = await restricted.query<{ read: number }>(
    `SELECT sum(seq_tup_read + idx_tup_fetch)::integer AS read FROM pg_stat_xact_user_tables
     WHERE relname = ANY ($1)`,
    [TABLES],
  );
  return rows[0]?.read ?? NaN;
}

/** How many rows a statement returns, and how many rows of the tables it reads, as the processes plan it. */
async function runAs({ name, text }: Statement, values: unknown[]): Promise<{ rows: number; read: number }> {
  return asTeam(restricted, team, async () => {
    for (const [setting, value] of Object.entries(PLANNING))
      await restricted.query('SELECT set_config($1, $2, true)', [setting, value]);
    const before = await rowsRead();
    const { rows } = await restricted.query({ name, text, values });
    return { rows: rows.length, read: (await rowsRead()) - before };
  });
}

describe.each(['does not know of the team’s rows yet', 'knows how many rows teams have'])(
  'where Postgres %s',
  (knowledge) => {
    beforeAll(async () => {
      if (knowledge.startsWith('knows')) await world.db.query(`ANALYZE ${TABLES.join(', ')}`);
    });

    test('an entry for an agent or a time is added', async () => {
      const added = Array.from({ length: 20 }, nextNumber).sort();
      const limits = [null, 'team', null, null, null, null];
      const values = [team, added, null, added.map(() => null), 'request', ...limits];
      const { rows, read } = await runAs(ADD_LIMITED, values);
      expect(rows).toBe(added.length);
      expect(read).toBeLessThan(10);
      const again = await runAs(ADD_LIMITED, [team, [number], null, [forms[1]], 'request', ...limits]);
      expect(again.rows).toBe(0);
      expect(again.read).toBeLessThan(10);
    });

    test('the entries of a number are found and removed', async () => {
      const values = [team, forms, 'team', null, null];
      const found = await runAs(FIND_ON_DO_NOT_CALL, values);
      expect(found.rows).toBe(2);
      expect(found.read).toBeLessThan(10);
      const removed = await runAs(REMOVE_FROM_DO_NOT_CALL, [...values, 'request']);
      expect(removed.rows).toBe(2);
      expect(removed.read).toBeLessThan(10);
    });

    test('the consents of a number are listed', async () => {
      const first = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 51];
      const { rows, read } = await runAs(LIST_CONSENTS_OF_NUMBER, [team, ...first, forms]);
      expect(rows).toBe(1);
      expect(read).toBeLessThan(10);
    });
  },
);
