import { Injectable } from '@nestjs/common';
import { Redis } from 'ioredis';
import { query, type Statement, Transactions } from '../database/transactions.js';

const PING: Statement = { name: 'ping', text: 'SELECT 1' };
const CHECK_TIMEOUT_MS = 2_000;

/** `ready` is whether all checks passed; a failed one says in a few words what is wrong. */
export interface Readiness {
  ready: boolean;
  checks: Record<'database' | 'redis', string>;
}

/** What the readiness probes of both processes ask. */
@Injectable()
export class HealthService {
  constructor(
    private readonly transactions: Transactions,
    private readonly redis: Redis,
  ) {}

  async readiness(): Promise<Readiness> {
    const [database, redis] = await Promise.all([
      outcomeOf(() => this.transactions.read(query(PING))),
      outcomeOf(() => this.redis.ping()),
    ]);
    return { ready: database === 'ok' && redis === 'ok', checks: { database, redis } };
  }
}

async function outcomeOf(check: () => Promise<unknown>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('no answer'), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([check().then(() => 'ok'), timeout]);
  } catch {
    // The reason may hold addresses and credentials; the log has it.
    return 'unreachable';
  } finally {
    clearTimeout(timer);
  }
}
