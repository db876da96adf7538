import { Client } from 'pg';
import { createDataSource } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/migrate.js';
import { RESTRICTED_ROLE } from '../../src/database/restricted-role.js';
import { PooledTransactions } from '../../src/database/pooled-transactions.js';
import { query, type Statement } from '../../src/database/transactions.js';
import { runCli } from '../../src/cli/run.js';
import { HealthService } from '../../src/operations/health.service.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller } from '../support/call-builders.js';
import { Calling, reasonOf } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
import { type PgBouncer, startPgBouncer } from '../support/pgbouncer.js';

const LIMIT = 30;
const SERVERS = 2;
// As docs/deployment.md has it; few connections, so that all clients share each.
const SETTINGS = { default_pool_size: SERVERS, max_prepared_statements: 200 };

let bouncer: PgBouncer | null = null;
let calling: Calling;

beforeAll(async () => {
  calling = await Calling.start({ databaseTransactionPooling: true }, async ({ config }) => {
    bouncer = await startPgBouncer(config.databaseUrl, SETTINGS);
    if (bouncer) config.databaseUrl = bouncer.url;
  });
}, 240_000);

afterAll(async () => {
  await calling.close();
  await bouncer?.close();
});

/** The work of a test, where there is a PgBouncer to do it through. */
function throughPgBouncer(work: (url: string, bouncer: PgBouncer) => Promise<void>): () => Promise<void> {
  return async () => {
    if (bouncer) await work(bouncer.url, bouncer);
  };
}

const LIMITS = ['lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout'];
const SETTING = LIMITS.map((limit) => `current_setting('${limit}') AS ${limit}`).join(', ');
const SESSION: Statement = { name: 'session', text: `SELECT current_user::text AS role, ${SETTING}` };
const OURS = { lock_timeout: '3s', statement_timeout: '5s', idle_in_transaction_session_timeout: '5s' };

/** What the next client finds on each of the connections to Postgres. */
async function leftBehind(url: string): Promise<unknown[]> {
  const clients = Array.from({ length: SERVERS }, () => new Client({ connectionString: url }));
  try {
    // In transactions at the same time, so that each has another one.
    return await Promise.all(
      clients.map(async (client) => {
        await client.connect();
        await client.query('BEGIN');
        const { rows } = await client.query<object>(SESSION.text);
        return rows[0];
      }),
    );
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

test(
  'calls are triggered, decided under their locks, dialed once and read, with few connections',
  throughPgBouncer(async (_, bouncer) => {
    const worker = await calling.startWorker();
    await eventually(
      () => worker.get(HealthService).readiness(),
      ({ ready }) => ready,
    );
    const caller = await buildCaller(calling.db, { monthly_call_limit: LIMIT });
    const answers = await Promise.all(
      Array.from({ length: LIMIT + 10 }, () => calling.trigger(caller, { phoneNumber: nextNumber() })),
    );
    const accepted = answers.filter(({ status }) => status === 200);
    expect(accepted).toHaveLength(LIMIT);
    expect(answers.filter(({ status }) => status !== 200).map(reasonOf)).toEqual(
      Array.from({ length: 10 }, () => 'PLAN_LIMIT'),
    );
    for (const { body } of accepted) {
      await calling.until(caller, (body as { callRequestId: string }).callRequestId, 'completed');
    }
    expect(calling.dials()).toHaveLength(LIMIT);
    // Named statements are prepared once a connection to Postgres, for all clients.
    const servers = await bouncer.show('servers');
    expect(servers.length).toBeLessThanOrEqual(SERVERS);
    expect(Number(servers[0]?.prepared_statements)).toBeGreaterThan(5);
  }),
  60_000,
);

test(
  'the operator’s surface works, and a number on Do Not Call is not dialed',
  throughPgBouncer(async () => {
    const caller = await buildCaller(calling.db);
    const team = `/teams/${caller.teamId}`;
    const phoneNumber = nextNumber();
    await calling.operated('post', `${team}/do-not-call`, { phoneNumbers: [phoneNumber] });
    expect(reasonOf(await calling.trigger(caller, { phoneNumber }))).toBe('DO_NOT_CALL');
    await calling.operated('patch', team, { monthlyCallLimit: 0 });
    expect(reasonOf(await calling.trigger(caller, { phoneNumber: nextNumber() }))).toBe('PLAN_LIMIT');
  }),
);

test(
  'each transaction has its role and limits, sees only the team that it sets, and leaves nothing behind',
  throughPgBouncer(async (url) => {
    const own = await leftBehind(url);
    const options = { databaseUrl: url, poolSize: 2, role: RESTRICTED_ROLE, onError: () => undefined };
    const transactions = new PooledTransactions({ ...options, transactionPooling: true });
    const teams: Statement = { name: 'teams', text: 'SELECT id FROM teams' };
    try {
      await buildCaller(calling.db);
      expect(await transactions.read(query(SESSION))).toEqual([{ role: RESTRICTED_ROLE, ...OURS }]);
      expect(await transactions.read(query(teams))).toEqual([]);
      const seen = await transactions.run([query(SESSION)], ([session]) => ({ rollback: session?.rows }));
      expect(seen).toEqual([{ role: RESTRICTED_ROLE, ...OURS }]);
      expect(own).toHaveLength(SERVERS);
      expect(own).not.toContainEqual(expect.objectContaining({ role: RESTRICTED_ROLE }));
      expect(await leftBehind(url)).toEqual(own);
    } finally {
      await transactions.close();
    }
  }),
);

test(
  'the operator’s transactions have the same limits',
  throughPgBouncer(async (url) => {
    const db = await createDataSource(url, { transactionPooling: true, poolSize: 1 }).initialize();
    try {
      const [inside] = await db.transaction((manager) => manager.query<object[]>(SESSION.text));
      expect(inside).toMatchObject(OURS);
    } finally {
      await db.destroy();
    }
  }),
);

test(
  'a transaction that gives up a lock does not affect later ones',
  throughPgBouncer(async (url, bouncer) => {
    const options = { databaseUrl: url, role: RESTRICTED_ROLE, transactionPooling: true };
    const transactions = new PooledTransactions({ ...options, poolSize: 4, onError: () => undefined });
    const lock: Statement = { name: 'lock', text: 'SELECT pg_advisory_xact_lock(42)' };
    // Behind the statement that fails, so that Postgres does not parse it.
    const behind: Statement = { name: 'behind', text: 'SELECT 1 AS one' };
    const holder = new Client({ connectionString: calling.world.config.databaseUrl });
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT pg_advisory_xact_lock(42)');
    try {
      const attempt = () => transactions.run([query(lock), query(behind)], () => ({ rollback: 'locked' }));
      await expect(attempt()).rejects.toMatchObject({ code: '55P03' });
      await holder.query('ROLLBACK');
      const reads = Array.from({ length: 20 }, () => transactions.read(query(behind)));
      expect(await Promise.all(reads)).toEqual(reads.map(() => [{ one: 1 }]));
      expect(await attempt()).toBe('locked');
      expect(bouncer.log()).not.toContain('already');
    } finally {
      await holder.end();
      await transactions.close();
    }
  }),
);

test(
  'commands work through PgBouncer',
  throughPgBouncer(async (url) => {
    const said: string[] = [];
    const code = await runCli({
      argv: ['team', 'list', '--json'],
      write: (text) => said.push(text),
      tell: (text) => said.push(text),
      env: { DATABASE_URL: url, DATABASE_TRANSACTION_POOLING: 'true' },
    });
    expect([code, said[0]]).toEqual([0, expect.stringContaining('"items"')]);
  }),
);

test(
  'migrations, and processes without the setting, are refused',
  throughPgBouncer(async (url) => {
    const transactions = new PooledTransactions({ databaseUrl: url, poolSize: 1, onError: () => undefined });
    await expect(transactions.read(query(SESSION))).rejects.toThrow('unsupported startup parameter');
    await expect(migrate(url)).rejects.toThrow('unsupported startup parameter');
    await transactions.close();
  }),
);
