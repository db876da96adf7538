import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { Client } from 'pg';
import { PooledTransactions } from '../../src/database/pooled-transactions.js';
import { query, type Statement } from '../../src/database/transactions.js';
import { createDataSource } from '../../src/database/data-source.js';
import { RESTRICTED_ROLE } from '../../src/database/restricted-role.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

describe('the warm-up of a pool', () => {
  const SIZE = 3;
  const ADD: Statement = { name: 'add', text: 'INSERT INTO notes (id) VALUES ($1)' };
  const ECHO: Statement = { name: 'echo', text: 'SELECT $1::integer AS n' };
  const PID: Statement = { name: 'pid', text: 'SELECT pg_backend_pid() AS pid' };
  const NONSENSE: Statement = { name: 'nonsense', text: 'SELECT nothing FROM nowhere' };

  let database: TestDatabase;
  let admin: Client;
  let transactions: PooledTransactions;

  beforeAll(async () => {
    database = await createTestDatabase();
    admin = new Client({ connectionString: database.url });
    await admin.connect();
    await admin.query('CREATE TABLE notes (id integer PRIMARY KEY)');
  });
  afterAll(async () => {
    await admin.end();
    await database.drop();
  });
  beforeEach(() => {
    const onError = () => undefined;
    transactions = new PooledTransactions({ databaseUrl: database.url, poolSize: SIZE, onError });
  });
  afterEach(() => transactions.close());

  test('opens every connection, and leaves no transaction open', async () => {
    await transactions.warmUp([query(ADD, 1), query(ECHO, 1)]);
    const { rows: opened } = await admin.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    const reads = Array.from({ length: SIZE }, () => transactions.read<{ pid: number }>(query(PID)));
    const used = (await Promise.all(reads)).map(([row]) => row?.pid);
    expect(new Set(used).size).toBe(SIZE);
    for (const pid of used) expect(opened.map((row) => row.pid)).toContain(pid);
    const { rows: left } = await admin.query('SELECT FROM notes');
    expect(left).toEqual([]);
  });

  test('fails if its statements fail, and the connections stay usable', async () => {
    await expect(transactions.warmUp([query(NONSENSE)])).rejects.toThrow('nowhere');
    expect(await transactions.read(query(ECHO, 1))).toEqual([{ n: 1 }]);
  });
});

describe('a connection that Postgres ends', () => {
  /*
   * Postgres that is shut down ends a connection with an error that no query asked for. It may arrive in the
   * same packet as the answer before it, thus before any code of a borrower runs.
   */

  const ADMIN_SHUTDOWN = errorResponse({ S: 'FATAL', V: 'FATAL', C: '57P01', M: 'terminating connection' });
  const READY_FOR_QUERY = Buffer.from('Z\0\0\0\x05', 'latin1');
  /** Answers of a connection: its start, its settings, transactions and their statements. */
  const MOST_ANSWERS = 8;
  const ONE = { name: 'one', text: 'SELECT 1 AS n' };

  let database: TestDatabase;
  let server: Server;
  let url: string;
  /** The answer of a connection behind which Postgres ends it; 0: none. */
  let endsBehind: number;
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    database = await createTestDatabase();
    const { hostname, port } = new URL(database.url);
    server = createServer((client) => {
      const upstream = connect(Number(port), hostname);
      let answers = 0;
      for (const socket of [client, upstream]) {
        sockets.add(socket);
        socket.on('error', () => undefined).on('close', () => [client, upstream].map((one) => one.destroy()));
      }
      client.on('data', (chunk) => upstream.write(chunk));
      upstream.on('data', (chunk: Buffer) => {
        if (chunk.includes(READY_FOR_QUERY)) answers += 1;
        if (endsBehind > 0 && answers >= endsBehind) client.end(Buffer.concat([chunk, ADMIN_SHUTDOWN]));
        else client.write(chunk);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const ended = new URL(database.url);
    ended.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    url = ended.toString();
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await database.drop();
  });

  function errorResponse(fields: Record<string, string>): Buffer {
    const body = Object.entries(fields).map(([field, text]) => `${field}${text}\0`);
    const text = Buffer.from(`${body.join('')}\0`, 'latin1');
    const head = Buffer.from('E\0\0\0\0', 'latin1');
    head.writeInt32BE(text.length + 4, 1);
    return Buffer.concat([head, text]);
  }

  /** @param work what is done on a connection of a new pool. It may fail, but not past its promise. */
  async function survives(work: () => Promise<unknown>): Promise<void> {
    for (endsBehind = 1; endsBehind <= MOST_ANSWERS; endsBehind += 1) await work().catch(() => undefined);
    endsBehind = 0;
    await expect(work()).resolves.toBeDefined();
  }

  test('a connection of the data source that Postgres ends is no uncaught exception, whenever it ends', async () => {
    await survives(async () => {
      const db = await createDataSource(url).initialize();
      try {
        await db.query('SELECT 1');
        return await db.transaction((manager) => manager.query<unknown[]>('SELECT 1'));
      } finally {
        await db.destroy();
      }
    });
  });

  test.each([undefined, RESTRICTED_ROLE])(
    'nor is one of the pool of transactions, with the role %s',
    async (role) => {
      await survives(async () => {
        const pool = new PooledTransactions({
          databaseUrl: url,
          poolSize: 1,
          onError: () => undefined,
          role,
        });
        try {
          // The second one waits, and borrows the connection while the answer of the first one is read.
          await Promise.allSettled([pool.read(query(ONE)), pool.inOneRoundTrip([query(ONE)])]);
          return await pool.run([query(ONE)], () => ({ commit: [query(ONE)], value: (results) => results }));
        } finally {
          await pool.close();
        }
      });
    },
  );
});
