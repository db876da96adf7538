import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Config } from '../config/config.js';
import { MIGRATION_NAMES } from '../database/migrations.js';
import { NOT_MIGRATED, ranMigrations } from '../database/ran-migrations.js';
import { RESTRICTED_ROLE, RoleRefusedError } from '../database/restricted-role.js';
import { query, type Statement, Transactions } from '../database/transactions.js';
import { ZoneDataInForce } from '../database/zone-data-in-force.js';
import { zoneData } from '../domain/zones/time-zone.js';
import { metaKey } from '../queue/bullmq-internals.js';
import { CALLS_QUEUE } from '../queue/call-jobs.js';
import { JobLoops } from '../queue/job-loops.js';
import { type ProbeResult, Probe } from './probe.js';
import { COUNT_UNKNOWN_ZONES, knownZones, type UnknownZones } from '../platform/unknown-zones.js';

/**
 * A transaction that writes to the write-ahead log of Postgres, but changes no row. Its UPDATE takes the
 * table lock that every change of a call takes, and fails if Postgres is read-only. Its message in the log
 * makes the COMMIT wait for the disk, and for a synchronous standby.
 */
const WRITE: readonly Statement[] = [
  { name: 'limit_lock_wait', text: `SELECT set_config('lock_timeout', '500ms', true)` },
  { name: 'change_no_call', text: 'UPDATE call_requests SET status = status WHERE false' },
  { name: 'write_nothing', text: `SELECT pg_logical_emit_message(true, 'outdial', '')` },
];

/**
 * Writes a temporary file of about 100 KB, which Postgres deletes at once. Only this shows that the disk is
 * full: the write-ahead log reuses its files, so {@link WRITE} succeeds, and every change that needs another
 * page of a table fails. No row and no log is written.
 */
const WRITE_TEMPORARY_FILE: readonly Statement[] = [
  { name: 'least_work_mem', text: `SELECT set_config('work_mem', '64kB', true)` },
  { name: 'write_temporary_file', text: 'SELECT count(*) FROM generate_series(1, 5000)' },
];
const DISK_FULL = '53100';

/** Why Postgres does not write, by SQLSTATE. */
const DATABASE_FAULTS: Record<string, string> = {
  '25006': 'is read-only',
  '55P03': 'the table of calls is locked',
  [DISK_FULL]: 'has no disk space left',
};

/** Why Redis does not write, by the first word of its answer. */
const REDIS_FAULTS: Record<string, string> = {
  OOM: 'has no memory left for writes',
  READONLY: 'is a read-only replica',
  MISCONF: 'refuses writes because it cannot save them',
};

/** Redis removes the key that the check writes after this many milliseconds. */
const MARKER_MS = 5_000;

// All checks run at the same time, so a readiness request is answered within `timeoutMs`.
const LIMITS = { timeoutMs: 1_200, maxAgeMs: 250 };
/** However many readiness requests arrive, this process writes to a server at most once in `maxAgeMs`. */
const WRITE_LIMITS = { timeoutMs: 1_200, maxAgeMs: 1_000 };
/** A full disk is noticed, and its end, within about this time. */
const DISK_LIMITS = { timeoutMs: 1_200, maxAgeMs: 5_000 };
/** What waits for the correction of its zone waits for minutes. */
const COUNT_LIMITS = { timeoutMs: 1_200, maxAgeMs: 10_000 };
const MIGRATE_COMMAND = 'run "npm run migrate" (in the image: "node dist/tools/migrate.js")';
const WANTED_POLICY = 'noeviction';
const UNREACHABLE: Record<'failed' | 'silent', string> = { failed: 'unreachable', silent: 'no answer' };

export type CheckName = 'database' | 'migrations' | 'redis' | 'redisEvictionPolicy' | 'process';

/** The zone data of this process. They do not affect readiness: requests are served as before. */
export interface ZoneDataState {
  /** Such as `2026f`. */
  version: string;
  /** The newest version that a process has had; null if it is not known. */
  inForce: string | null;
  /** Why the process dials nothing; null: it dials. */
  fault: string | null;
  /** null: it could not be counted. */
  unknown: UnknownZones | null;
}

/**
 * `ready`: all required checks passed. A failed check describes the fault in a few words, without addresses.
 */
export interface Readiness {
  ready: boolean;
  checks: Record<CheckName, string>;
  zoneData: ZoneDataState;
}

/** The readiness checks of both processes. */
@Injectable()
export class HealthService implements OnModuleDestroy {
  private readonly database = new Probe(() => ranMigrations(this.transactions), LIMITS);
  private readonly evictionPolicy = new Probe(() => this.policyOfRedis(), LIMITS);
  private readonly databaseWrite = new Probe(() => this.writeToDatabase(), WRITE_LIMITS);
  private readonly disk = new Probe(() => this.writeTemporaryFile(), DISK_LIMITS);
  private readonly redisWrite = new Probe(() => this.writeToRedis(), WRITE_LIMITS);
  private readonly zones = new Probe(
    async () => ({ inForce: await this.zoneData.version(), fault: await this.zoneData.fault() }),
    LIMITS,
  );
  private readonly unknownZones = new Probe(() => this.countUnknownZones(), COUNT_LIMITS);
  private stopping = false;

  constructor(
    private readonly transactions: Transactions,
    private readonly redis: Redis,
    private readonly config: Config,
    private readonly loops: JobLoops,
    private readonly zoneData: ZoneDataInForce,
  ) {}

  /** From now on the process is not ready. */
  announceStop(): void {
    this.stopping = true;
  }

  /**
   * The first of Nest's shutdown hooks. The API announces its stop even earlier, while it still serves
   * requests.
   */
  onModuleDestroy(): void {
    this.announceStop();
  }

  /** @param withoutRedis ignores the checks of Redis, which are still shown. */
  async readiness({ withoutRedis = false } = {}): Promise<Readiness> {
    const [ran, written, disk, policy, marked, zones, unknown] = await Promise.all([
      this.database.ask(),
      this.databaseWrite.ask(),
      this.disk.ask(),
      this.evictionPolicy.ask(),
      this.redisWrite.ask(),
      this.zones.ask(),
      this.unknownZones.ask(),
    ]);
    const checks: Readiness['checks'] = {
      process: this.stopping ? 'is stopping' : this.loops.running ? 'ok' : 'takes no jobs',
      database: stateOfDatabase(ran, isDiskFull(disk) ? disk : written),
      migrations: stateOfMigrations(ran),
      redis: stateOfRedis(policy, marked),
      redisEvictionPolicy: stateOfPolicy(policy),
    };
    const { redis, redisEvictionPolicy, ...own } = checks;
    const required = withoutRedis ? Object.values(own) : [...Object.values(own), redis, redisEvictionPolicy];
    return { ready: required.every(passed), checks, zoneData: stateOfZoneData(zones, unknown) };
  }

  private async countUnknownZones(): Promise<UnknownZones | null> {
    const [row] = await this.transactions.read<UnknownZones & Record<string, unknown>>(
      query(COUNT_UNKNOWN_ZONES, await knownZones()),
    );
    return row ?? null;
  }

  private async writeToDatabase(): Promise<void> {
    await this.transactions.inOneRoundTrip(WRITE.map((statement) => query(statement)));
  }

  private async writeTemporaryFile(): Promise<void> {
    await this.transactions.inOneRoundTrip(WRITE_TEMPORARY_FILE.map((statement) => query(statement)));
  }

  /** In a cluster, the prefix of the key selects the node that has the queue. */
  private async writeToRedis(): Promise<void> {
    if (this.redis.status !== 'ready') throw new Error('Redis is not connected');
    await this.redis.set(`${this.config.redisPrefix}:writable`, 1, 'PX', MARKER_MS);
  }

  /** Returns null if Redis does not tell the policy. Managed services forbid CONFIG, but allow INFO. */
  private async policyOfRedis(): Promise<string | null> {
    if (this.redis.status !== 'ready') throw new Error('Redis is not connected');
    // In a cluster, EXISTS reaches the node that has the queue. CONFIG and INFO may reach any node.
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
 * A check that could not be made is `unknown` and counts as passed: either another check reports the fault,
 * or the server hides the value.
 */
function passed(state: string): boolean {
  return state === 'ok' || state.startsWith('unknown');
}

function stateOfZoneData(
  zones: ProbeResult<Pick<ZoneDataState, 'inForce' | 'fault'>>,
  unknown: ProbeResult<UnknownZones | null>,
): ZoneDataState {
  const known = zones.kind === 'ok' ? zones.value : { inForce: null, fault: null };
  return { version: zoneData().version, ...known, unknown: unknown.kind === 'ok' ? unknown.value : null };
}

function stateOfDatabase(ran: ProbeResult<string[]>, written: ProbeResult<void>): string {
  if (ran.kind === 'ok') return stateOfWrite(written, stateOfMigrations(ran) === 'ok');
  if (ran.kind === 'failed' && ran.error instanceof RoleRefusedError) {
    return `refuses the role ${RESTRICTED_ROLE}: ${MIGRATE_COMMAND}, or see docs/decisions/row-level-security.md`;
  }
  return UNREACHABLE[ran.kind];
}

/** Any other fault of the temporary file is none of the disk, and `written` shows faults of Postgres. */
function isDiskFull(disk: ProbeResult<void>): boolean {
  return disk.kind === 'failed' && (disk.error as { code?: string }).code === DISK_FULL;
}

function stateOfWrite(written: ProbeResult<void>, migrated: boolean): string {
  if (written.kind === 'ok') return 'ok';
  if (written.kind === 'silent') return 'no answer to a write';
  const { code } = written.error as { code?: string };
  // The check `migrations` names the missing migrations.
  if (!migrated && NOT_MIGRATED.includes(code)) return 'ok';
  return DATABASE_FAULTS[code ?? ''] ?? 'refuses writes';
}

function stateOfRedis(policy: ProbeResult<unknown>, marked: ProbeResult<void>): string {
  if (policy.kind !== 'ok') return UNREACHABLE[policy.kind];
  if (marked.kind === 'ok') return 'ok';
  if (marked.kind === 'silent' || !isRefusal(marked.error)) return UNREACHABLE[marked.kind];
  return REDIS_FAULTS[marked.error.message.split(' ', 1)[0] ?? ''] ?? 'refuses writes';
}

/**
 * A database with the migrations of a newer version passes: they run before that version's processes start.
 */
function stateOfMigrations(ran: ProbeResult<string[]>): string {
  if (ran.kind !== 'ok') return 'unknown';
  const missing = MIGRATION_NAMES.filter((name) => !ran.value.includes(name));
  return missing.length === 0 ? 'ok' : `not run: ${missing.join(', ')}; ${MIGRATE_COMMAND}`;
}

function stateOfPolicy(policy: ProbeResult<string | null>): string {
  if (policy.kind !== 'ok') return 'unknown';
  if (policy.value === null) return 'unknown: Redis does not tell; it must be noeviction';
  return policy.value === WANTED_POLICY ? 'ok' : `is ${policy.value}, must be ${WANTED_POLICY}`;
}

/** Whether Redis answered with an error. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ReplyError';
}
