import { Expose, plainToInstance, Type } from 'class-transformer';
import {
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  IsUrl,
  Max,
  Min,
  MinLength,
  validateSync,
} from 'class-validator';

/**
 * The whole of the environment that Outdial reads, validated once at start. `.env.example` describes each
 * variable in the same order. Nothing else reads `process.env`.
 */
export class Config {
  @Expose({ name: 'NODE_ENV' })
  @IsIn(['development', 'production', 'test'])
  nodeEnv: 'development' | 'production' | 'test' = 'development';

  /** TCP port of the API. */
  @Expose({ name: 'PORT' })
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(65535)
  port = 3000;

  /** TCP port of the worker's probes. */
  @Expose({ name: 'WORKER_PORT' })
  @Type(() => Number)
  @IsInt()
  @Min(0)
  @Max(65535)
  workerPort = 3001;

  @Expose({ name: 'DATABASE_URL' })
  @IsUrl({ protocols: ['postgres', 'postgresql'], require_tld: false, require_protocol: true })
  databaseUrl: string;

  /** Connections to Postgres of each process. */
  @Expose({ name: 'DATABASE_POOL_SIZE' })
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(200)
  databasePoolSize = 10;

  @Expose({ name: 'REDIS_URL' })
  @IsUrl({ protocols: ['redis', 'rediss'], require_tld: false, require_protocol: true })
  redisUrl: string;

  /** Prefix of every key in Redis; in braces, so that Redis Cluster keeps them on one node. */
  @Expose({ name: 'REDIS_PREFIX' })
  @IsString()
  @IsNotEmpty()
  redisPrefix = '{outdial}';

  /** Bearer token of the operator's surface under /api/admin. */
  @Expose({ name: 'OPERATOR_TOKEN' })
  @IsString()
  @MinLength(16)
  operatorToken: string;

  /** The carrier of agents that name none. */
  @Expose({ name: 'CARRIER' })
  @IsIn(['simulator'])
  carrier: 'simulator';

  /** Calls that one worker process dials at a time. */
  @Expose({ name: 'WORKER_CONCURRENCY' })
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(1000)
  workerConcurrency = 20;

  /** Milliseconds between two runs of the sweeper. */
  @Expose({ name: 'SWEEPER_INTERVAL_MS' })
  @Type(() => Number)
  @IsInt()
  @Min(50)
  sweeperIntervalMs = 1000;

  /** Milliseconds that a due call's wake-up may be missing before the sweeper sends another. */
  @Expose({ name: 'SWEEPER_GRACE_MS' })
  @Type(() => Number)
  @IsInt()
  @Min(100)
  sweeperGraceMs = 10_000;

  /** No call lasts longer: one that reports no end by then has been forgotten by its carrier. */
  @Expose({ name: 'CALL_TIME_LIMIT_SECONDS' })
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(86_400)
  callTimeLimitSeconds = 4 * 3_600;

  @Expose({ name: 'LOG_LEVEL' })
  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  logLevel: string = 'info';

  /** JSON list of rules for the simulated carrier; without rules every call is answered and completed. */
  @Expose({ name: 'SIMULATOR_RULES' })
  @IsOptional()
  @IsString()
  simulatorRules?: string;

  /** File to which the simulated carrier appends every dial that it receives. */
  @Expose({ name: 'SIMULATOR_DIAL_LOG' })
  @IsOptional()
  @IsString()
  simulatorDialLog?: string;

  /** Milliseconds from a simulated dial to its acceptance, from there to the answer, from there to the end. */
  @Expose({ name: 'SIMULATOR_ACCEPT_MS' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  simulatorAcceptMs?: number;

  @Expose({ name: 'SIMULATOR_RING_MS' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  simulatorRingMs?: number;

  @Expose({ name: 'SIMULATOR_TALK_MS' })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  simulatorTalkMs?: number;

  /** The simulator as a process of its own; unset, it is part of the worker. */
  @Expose({ name: 'SIMULATOR_URL' })
  @IsOptional()
  @IsUrl({ protocols: ['http', 'https'], require_tld: false, require_protocol: true })
  simulatorUrl?: string;

  /** Bearer token that the simulator's process sends with its reports; without it no report is taken. */
  @Expose({ name: 'SIMULATOR_CALLBACK_TOKEN' })
  @IsOptional()
  @IsString()
  @MinLength(16)
  simulatorCallbackToken?: string;
}

/** A start that cannot go on: the message names each bad variable and never shows a value. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/**
 * Reads and validates the configuration. Empty variables count as unset.
 *
 * @throws ConfigError naming every variable that is missing or bad.
 */
export function loadConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const present = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const config = plainToInstance(Config, present, {
    excludeExtraneousValues: true,
    exposeDefaultValues: true,
  });
  const problems = validateSync(config).map(
    (error) => `${environmentName(error.property)}: ${Object.values(error.constraints ?? {}).join(', ')}`,
  );
  if (problems.length > 0) {
    throw new ConfigError(`Invalid environment variables:\n  ${problems.join('\n  ')}`);
  }
  return config;
}

/** `databaseUrl` → `DATABASE_URL`. */
function environmentName(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
