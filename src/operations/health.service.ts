import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Config } from '../config/config.js';
import { MIGRATION_NAMES } from '../database/migrations.js';
import { RESTRICTED_ROLE, RoleRefusedError } from '../database/restricted-role.js';
import { query, type Statement, Transactions } from '../database/transactions.js';
import { metaKey } from '../queue/bullmq-internals.js';
import { CALLS_QUEUE } from '../queue/call-jobs.js';
import { JobLoops } from '../queue/job-loops.js';
import { type ProbeResult, Probe } from './probe.js';

const RAN_MIGRATIONS: Statement = { name: 'ran_migrations', text: 'SELECT name FROM migrations' };
/** The table of migrations is missing, or older than row-level security: not all migrations have run. */
const NOT_MIGRATED: readonly unknown[] = ['42P01', '42501'];

/**
 * A transaction that writes and changes nothing. The UPDATE takes the lock of every change to a call, and
 * fails where Postgres is read-only. The message makes its COMMIT reach the disk, and the standby if that is
 * synchronous.
 */
const WRITE: readonly Statement[] = [
  { name: 'limit_lock_wait', text: `SELECT set_config('lock_timeout', '500ms', true)` },
  { name: 'change_no_call', text: 'UPDATE call_requests SET status = status WHERE false' },
  { name: 'write_nothing', text: `SELECT pg_logical_emit_message(true, 'outdial', '')` },
];

/** Why Postgres does not write, by SQLSTATE. */
const DATABASE_FAULTS: Record<string, string> = {
  '25006': 'is read-only',
  '55P03': 'the table of calls is locked',
  '53100': 'has no disk space left',
};

/** Why Redis does not write, by the first word of its answer. */
const REDIS_FAULTS: Record<string, string> = {
  OOM: 'has no memory left for writes',
  READONLY: 'is a read-only replica',
  MISCONF: 'refuses writes because it cannot save them',
};

/** Redis removes the marker after this. */
const MARKER_MS = 5_000;

// All checks run side by side, so a probe is answered within this.
const LIMITS = { timeoutMs: 1_200, maxAgeMs: 250 };
/** Independent of the number of probes. */
const WRITE_LIMITS = { timeoutMs: 1_200, maxAgeMs: 1_000 };
const WANTED_POLICY = 'noeviction';
const UNREACHABLE: Record<'failed' | 'silent', string> = { failed: 'unreachable', silent: 'no answer' };

export type CheckName = 'database' | 'migrations' | 'redis' | 'redisEvictionPolicy' | 'process';

/** `ready`: all checks passed. A failed check describes the fault in a few words, without addresses. */
export interface Readiness {
  ready: boolean;
  checks: Record<CheckName, string>;
}

/** The readiness checks of both processes. */
@Injectable()
export class HealthService implements OnModuleDestroy {
  private readonly database = new Probe(() => this.ranMigrations(), LIMITS);
  private readonly evictionPolicy = new Probe(() => this.policyOfRedis(), LIMITS);
  private readonly databaseWrite = new Probe(() => this.writeToDatabase(), WRITE_LIMITS);
  private readonly redisWrite = new Probe(() => this.writeToRedis(), WRITE_LIMITS);
  private stopping = false;

  constructor(
    private readonly transactions: Transactions,
    private readonly redis: Redis,
    private readonly config: Config,
    private readonly loops: JobLoops,
  ) {}

  /** From now on the process is not ready. */
  announceStop(): void {
    this.stopping = true;
  }

  /** The first of the hooks: nothing that takes its time comes before it. */
  onModuleDestroy(): void {
    this.announceStop();
  }

  /** @param withoutRedis ignores the checks of Redis, which are still shown. */
  async readiness({ withoutRedis = false } = {}): Promise<Readiness> {
    const [ran, written, policy, marked] = await Promise.all([
      this.database.ask(),
      this.databaseWrite.ask(),
      this.evictionPolicy.ask(),
      this.redisWrite.ask(),
    ]);
    const checks: Readiness['checks'] = {
      process: this.stopping ? 'is stopping' : this.loops.running ? 'ok' : 'takes no jobs',
      database: stateOfDatabase(ran, written),
      migrations: stateOfMigrations(ran),
      redis: stateOfRedis(policy, marked),
      redisEvictionPolicy: stateOfPolicy(policy),
    };
    const { redis, redisEvictionPolicy, ...own } = checks;
    const required = withoutRedis ? Object.values(own) : [...Object.values(own), redis, redisEvictionPolicy];
    return { ready: required.every(passed), checks };
  }

  private async ranMigrations(): Promise<string[]> {
    try {
      const rows = await this.transactions.read<{ name: string }>(query(RAN_MIGRATIONS));
      return rows.map(({ name }) => name);
    } catch (error) {
      if (NOT_MIGRATED.includes((error as { code?: unknown }).code)) return [];
      throw error;
    }
  }

  private async writeToDatabase(): Promise<void> {
    await this.transactions.inOneRoundTrip(WRITE.map((statement) => query(statement)));
  }

  /** Of a cluster, to the node that has the queue: the prefix decides. */
  private async writeToRedis(): Promise<void> {
    if (this.redis.status !== 'ready') throw new Error('Redis is not connected');
    await this.redis.set(`${this.config.redisPrefix}:writable`, 1, 'PX', MARKER_MS);
  }

  /** null where Redis does not say. Managed ones forbid CONFIG, but let INFO through. */
  private async policyOfRedis(): Promise<string | null> {
    if (this.redis.status !== 'ready') throw new Error('Redis is not connected');
    // Of a cluster, the node that has the queue must be there; the other commands may go to any.
    await this.redis.exists(metaKey(this.config.redisPrefix, CALLS_QUEUE));
    try {
      const [, policy] = (await this.redis.config('GET', 'maxmemory-policy')) as string[];
      if (policy !== undefined) return policy;
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    try {
      const info = await this.redis.info('memory');
      return /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? null;
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    return null;
  }
}

/**
 * A check that could not be made is `unknown`, which does not fail: another check failed, or the server hides
 * the value.
 */
function passed(state: string): boolean {
  return state === 'ok' || state.startsWith('unknown');
}

function stateOfDatabase(ran: ProbeResult<string[]>, written: ProbeResult<void>): string {
  if (ran.kind === 'ok') return stateOfWrite(written, stateOfMigrations(ran) === 'ok');
  if (ran.kind === 'failed' && ran.error instanceof RoleRefusedError) {
    return `refuses the role ${RESTRICTED_ROLE}: migrate, or see docs/decisions/row-level-security.md`;
  }
  return UNREACHABLE[ran.kind];
}

function stateOfWrite(written: ProbeResult<void>, migrated: boolean): string {
  if (written.kind === 'ok') return 'ok';
  if (written.kind === 'silent') return 'no answer to a write';
  const { code } = written.error as { code?: string };
  // The missing migration is named by its own check.
  if (!migrated && NOT_MIGRATED.includes(code)) return 'ok';
  return DATABASE_FAULTS[code ?? ''] ?? 'refuses writes';
}

function stateOfRedis(policy: ProbeResult<unknown>, marked: ProbeResult<void>): string {
  if (policy.kind !== 'ok') return UNREACHABLE[policy.kind];
  if (marked.kind === 'ok') return 'ok';
  if (marked.kind === 'silent' || !isRefusal(marked.error)) return UNREACHABLE[marked.kind];
  return REDIS_FAULTS[marked.error.message.split(' ', 1)[0] ?? ''] ?? 'refuses writes';
}

/** A database that a newer version has migrated further is fine: its migrations go before its processes. */
function stateOfMigrations(ran: ProbeResult<string[]>): string {
  if (ran.kind !== 'ok') return 'unknown';
  const missing = MIGRATION_NAMES.filter((name) => !ran.value.includes(name));
  return missing.length === 0 ? 'ok' : `not run: ${missing.join(', ')}`;
}

function stateOfPolicy(policy: ProbeResult<string | null>): string {
  if (policy.kind !== 'ok') return 'unknown';
  if (policy.value === null) return 'unknown: Redis does not tell; it must be noeviction';
  return policy.value === WANTED_POLICY ? 'ok' : `is ${policy.value}, must be ${WANTED_POLICY}`;
}

/** Redis answered with an error. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError';
}
