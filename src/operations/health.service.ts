import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Config } from '../config/config.js';
import { MIGRATION_NAMES } from '../database/migrations.js';
import { RESTRICTED_ROLE, RoleRefusedError } from '../database/restricted-role.js';
import { query, type Statement, Transactions } from '../database/transactions.js';
import { CALLS_QUEUE } from '../queue/call-jobs.js';
import { JobLoops } from '../queue/job-loops.js';
import { type Outcome, Probe } from './probe.js';

const RAN_MIGRATIONS: Statement = { name: 'ran_migrations', text: 'SELECT name FROM migrations' };
/** No table of migrations, or one of before row-level security: not all have run. */
const NOT_MIGRATED: readonly unknown[] = ['42P01', '42501'];

// Both checks run side by side, so a probe is answered within this.
const LIMITS = { timeoutMs: 1_200, maxAgeMs: 250 };
const WANTED_POLICY = 'noeviction';
const UNREACHABLE: Record<'failed' | 'silent', string> = { failed: 'unreachable', silent: 'no answer' };

export type CheckName = 'database' | 'migrations' | 'redis' | 'redisEvictionPolicy' | 'process';

/** `ready` is whether all checks passed; one that did not says in a few words what is wrong, and no addresses. */
export interface Readiness {
  ready: boolean;
  checks: Record<CheckName, string>;
}

/** What the readiness probes of both processes ask. */
@Injectable()
export class HealthService implements OnModuleDestroy {
  private readonly database = new Probe(() => this.ranMigrations(), LIMITS);
  private readonly evictionPolicy = new Probe(() => this.policyOfRedis(), LIMITS);
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

  /** @param withoutRedis judges only whether requests can be answered; Redis is shown all the same. */
  async readiness({ withoutRedis = false } = {}): Promise<Readiness> {
    const [ran, policy] = await Promise.all([this.database.ask(), this.evictionPolicy.ask()]);
    const checks: Readiness['checks'] = {
      process: this.stopping ? 'is stopping' : this.loops.running ? 'ok' : 'takes no jobs',
      database: stateOfDatabase(ran),
      migrations: stateOfMigrations(ran),
      redis: policy.kind === 'ok' ? 'ok' : UNREACHABLE[policy.kind],
      redisEvictionPolicy: stateOfPolicy(policy),
    };
    const { redis, redisEvictionPolicy, ...own } = checks;
    const judged = withoutRedis ? Object.values(own) : [...Object.values(own), redis, redisEvictionPolicy];
    return { ready: judged.every(passed), checks };
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

  /** null where Redis does not say. Managed ones forbid CONFIG, but let INFO through. */
  private async policyOfRedis(): Promise<string | null> {
    if (this.redis.status !== 'ready') throw new Error('Redis is not connected');
    // Of a cluster, the node that has the queue must be there; the other commands may go to any.
    await this.redis.exists(`${this.config.redisPrefix}:${CALLS_QUEUE}:meta`);
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

/** A check that could not be made, because another one failed or nobody tells, does not fail by itself. */
function passed(state: string): boolean {
  return state === 'ok' || state.startsWith('unknown');
}

function stateOfDatabase(ran: Outcome<string[]>): string {
  if (ran.kind === 'ok') return 'ok';
  if (ran.kind === 'failed' && ran.error instanceof RoleRefusedError) {
    return `refuses the role ${RESTRICTED_ROLE}: migrate, or see docs/decisions/row-level-security.md`;
  }
  return UNREACHABLE[ran.kind];
}

/** A database that a newer version has migrated further is fine: its migrations go before its processes. */
function stateOfMigrations(ran: Outcome<string[]>): string {
  if (ran.kind !== 'ok') return 'unknown';
  const missing = MIGRATION_NAMES.filter((name) => !ran.value.includes(name));
  return missing.length === 0 ? 'ok' : `not run: ${missing.join(', ')}`;
}

function stateOfPolicy(policy: Outcome<string | null>): string {
  if (policy.kind !== 'ok') return 'unknown';
  if (policy.value === null) return 'unknown: Redis does not tell; it must be noeviction';
  return policy.value === WANTED_POLICY ? 'ok' : `is ${policy.value}, must be ${WANTED_POLICY}`;
}

/** Redis answered, and said no. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}
