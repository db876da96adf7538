import { isIP } from 'node:net';
import { Expose, plainToInstance } from 'class-transformer';
import {
  getMetadataStorage,
  IsFQDN,
  IsIn,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  ValidateIf,
  validateSync,
} from 'class-validator';
import { AddressRanges } from './address-ranges.decorator.js';
import { CARRIER_NAMES, CARRIER_VARIABLES, type CarrierName } from './carrier-names.js';
import { readFileVariables } from './file-variables.js';
import { Flag } from './flag.decorator.js';
import { Secret, SecretOfShape } from './secret.decorator.js';
import { WholeNumber } from './whole-number.decorator.js';

/** Hosts need no top-level domain, and in Docker their names often have underscores. */
const IN_PRIVATE_NETWORKS = { require_tld: false, require_protocol: true, allow_underscores: true };

export const POSTGRES_URL = { ...IN_PRIVATE_NETWORKS, protocols: ['postgres', 'postgresql'] };
export const POSTGRES_URL_MESSAGE = 'must be a postgres:// URL';

const HTTP_URL = { ...IN_PRIVATE_NETWORKS, protocols: ['http', 'https'] };
const HTTP_URL_MESSAGE = 'must be an http:// or https:// URL';

/** Of Standard Webhooks: base64 of 24 to 64 bytes. */
const QUAD = '(?:[A-Za-z0-9+/]{4})';
const TWO = '[A-Za-z0-9+/]{2}==';
const THREE = '[A-Za-z0-9+/]{3}=';
const SIGNING_SECRET = `whsec_(?:${QUAD}{8,20}(?:${TWO}|${THREE})?|${QUAD}{21}(?:${TWO})?)`;
const SIGNING_SECRETS = new RegExp(`^${SIGNING_SECRET}(?:,${SIGNING_SECRET})*$`);

/** Basic authentication sends user and password with a colon between them. */
const BASIC_USER = /^[\x21-\x39\x3b-\x7e]{1,100}$/;
const BASIC_PASSWORD = /^[\x21-\x7e]{8,500}$/;

const LIVEKIT_KEY = /^[\x21-\x7e]{1,200}$/;
/** LiveKit's own choice, which may be short. */
const LIVEKIT_SECRET = /^[\x21-\x7e]{6,500}$/;
const LIVEKIT_NAME = /^[\x21-\x7e]{1,100}$/;
const LIVEKIT_NAME_MESSAGE = 'must be 1 to 100 printable ASCII characters without spaces';

const HOUR_MS = 3_600_000;

/**
 * The whole of the environment that Outdial reads, validated once at start. `.env.example` describes each
 * variable in the same order. Nothing else reads `process.env`.
 */
export class Config {
  @Expose({ name: 'NODE_ENV' })
  @IsIn(['development', 'production', 'test'])
  nodeEnv: 'development' | 'production' | 'test' = 'development';

  /** Address on which the API and the worker's probes listen; unset: all addresses of the machine. */
  @Expose({ name: 'HOST' })
  @IsOptional()
  @ValidateIf(({ host }: Config) => isIP(host ?? '') === 0)
  @IsFQDN(
    { require_tld: false, allow_underscores: true },
    { message: 'must be an IP address or the name of a host' },
  )
  host?: string;

  /** TCP port of the API. */
  @Expose({ name: 'PORT' })
  @WholeNumber(0, 65535)
  port = 3000;

  /**
   * Under which the API is reached from outside, for carriers that report to it, and sign over it; without a slash at
   * its end.
   */
  @Expose({ name: 'PUBLIC_URL' })
  @IsOptional()
  @IsUrl(HTTP_URL, { message: HTTP_URL_MESSAGE })
  @Matches(/^[^?#@]*[^/?#@]$/, { message: 'must have no credentials, no query and no slash at its end' })
  publicUrl?: string;

  /** TCP port of the worker's probes. */
  @Expose({ name: 'WORKER_PORT' })
  @WholeNumber(0, 65535)
  workerPort = 3001;

  @Expose({ name: 'DATABASE_URL' })
  @IsUrl(POSTGRES_URL, { message: POSTGRES_URL_MESSAGE })
  databaseUrl: string;

  /**
   * What the operator's surface connects as, which sees all teams; unset, as `DATABASE_URL`. With it, the user of
   * `DATABASE_URL` needs no right but to act as `outdial_app`.
   */
  @Expose({ name: 'DATABASE_OPERATOR_URL' })
  @IsOptional()
  @IsUrl(POSTGRES_URL, { message: POSTGRES_URL_MESSAGE })
  databaseOperatorUrl?: string;

  /** Connections in each pool to Postgres: a worker has one, an API process two. */
  @Expose({ name: 'DATABASE_POOL_SIZE' })
  @WholeNumber(1, 200)
  databasePoolSize = 10;

  /** Whether `DATABASE_URL` is that of a pooler which lends connections for one transaction at a time, as PgBouncer can. */
  @Expose({ name: 'DATABASE_TRANSACTION_POOLING' })
  @Flag()
  databaseTransactionPooling = false;

  /** Whether Postgres itself shows the processes no more than one team at a time. */
  @Expose({ name: 'ROW_LEVEL_SECURITY' })
  @IsIn(['on', 'off'])
  rowLevelSecurity: 'on' | 'off' = 'on';

  @Expose({ name: 'REDIS_URL' })
  @IsUrl(
    { ...IN_PRIVATE_NETWORKS, protocols: ['redis', 'rediss'] },
    { message: 'must be a redis:// or rediss:// URL' },
  )
  redisUrl: string;

  /** Whether `REDIS_URL` is a node of a Redis Cluster, from which the others are learned. */
  @Expose({ name: 'REDIS_CLUSTER' })
  @Flag()
  redisCluster = false;

  /** Prefix of every key in Redis; in braces, so that Redis Cluster keeps them on one node. */
  @Expose({ name: 'REDIS_PREFIX' })
  @Matches(/^\S+$/, { message: 'must not contain spaces' })
  redisPrefix = '{outdial}';

  /** Bearer token of the operator's surface under /api/admin. A worker has none, see {@link loadWorkerConfig}. */
  @Expose({ name: 'OPERATOR_TOKEN' })
  @Secret()
  operatorToken: string;

  /** User name of the operations pages under /admin. */
  @Expose({ name: 'BULL_BOARD_USER' })
  @Matches(BASIC_USER, { message: 'must be 1 to 100 printable ASCII characters without spaces and colons' })
  bullBoardUser = 'operator';

  /** Password of the operations pages under /admin; unset, there are none. */
  @Expose({ name: 'BULL_BOARD_PASSWORD' })
  @IsOptional()
  @SecretOfShape(BASIC_PASSWORD, 'must be 8 to 500 printable ASCII characters without spaces')
  bullBoardPassword?: string;

  /** Whether the queue can be looked at and not changed at /admin/queues. */
  @Expose({ name: 'BULL_BOARD_READ_ONLY' })
  @Flag()
  bullBoardReadOnly = true;

  /** Requests a second that each API key may send, and at once as many; 0: no limit. */
  @Expose({ name: 'API_RATE_LIMIT' })
  @WholeNumber(0, 100_000)
  apiRateLimit = 1000;

  /**
   * Reverse proxies in front of the API. Only a request that comes from one of them is counted and logged by the
   * address in its `X-Forwarded-For`.
   */
  @Expose({ name: 'TRUSTED_PROXIES' })
  @IsOptional()
  @AddressRanges()
  trustedProxies?: string;

  /** Connections that one API process holds at a time; a client address has at most half of them. */
  @Expose({ name: 'MAX_CONNECTIONS' })
  @WholeNumber(10, 1_000_000)
  maxConnections = 10_000;

  /**
   * Milliseconds for which an API process that is told to stop still takes requests, while it is not ready any more: for
   * balancers to notice.
   */
  @Expose({ name: 'SHUTDOWN_DELAY_MS' })
  @WholeNumber(0, 60_000)
  shutdownDelayMs = 0;

  /** Megabytes of memory for the bodies of all requests that one API process is answering. */
  @Expose({ name: 'BODY_MEMORY_MB' })
  @WholeNumber(4, 4_096)
  bodyMemoryMb = 32;

  /** The carrier of agents that name none. */
  @Expose({ name: 'CARRIER' })
  @IsIn(CARRIER_NAMES)
  carrier: CarrierName;

  /** Calls that one worker process dials at a time. */
  @Expose({ name: 'WORKER_CONCURRENCY' })
  @WholeNumber(1, 1000)
  workerConcurrency = 20;

  /** Milliseconds between two runs of the sweeper. */
  @Expose({ name: 'SWEEPER_INTERVAL_MS' })
  @WholeNumber(50, HOUR_MS)
  sweeperIntervalMs = 1000;

  /** Milliseconds that a due call's wake-up may be missing before the sweeper sends another. */
  @Expose({ name: 'SWEEPER_GRACE_MS' })
  @WholeNumber(100, HOUR_MS)
  sweeperGraceMs = 10_000;

  /** No call lasts longer: one that reports no end by then has been forgotten by its carrier. */
  @Expose({ name: 'CALL_TIME_LIMIT_SECONDS' })
  @WholeNumber(1, 86_400)
  callTimeLimitSeconds = 4 * 3_600;

  @Expose({ name: 'LOG_LEVEL' })
  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  logLevel: string = 'info';

  /** Bearer token of /metrics on both processes; unset, whoever reaches them may read the metrics. */
  @Expose({ name: 'METRICS_TOKEN' })
  @IsOptional()
  @Secret()
  metricsToken?: string;

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
  @WholeNumber(0, HOUR_MS)
  simulatorAcceptMs?: number;

  @Expose({ name: 'SIMULATOR_RING_MS' })
  @IsOptional()
  @WholeNumber(0, HOUR_MS)
  simulatorRingMs?: number;

  @Expose({ name: 'SIMULATOR_TALK_MS' })
  @IsOptional()
  @WholeNumber(0, HOUR_MS)
  simulatorTalkMs?: number;

  /** Calls a second that the simulator takes, from all workers together; unset, as many as come. */
  @Expose({ name: 'SIMULATOR_CALLS_PER_SECOND' })
  @IsOptional()
  @WholeNumber(1, 1_000)
  simulatorCallsPerSecond?: number;

  /** The simulator as a process of its own; unset, it is part of the worker. */
  @Expose({ name: 'SIMULATOR_URL' })
  @IsOptional()
  @IsUrl(HTTP_URL, { message: HTTP_URL_MESSAGE })
  simulatorUrl?: string;

  /** Bearer token that the simulator's process sends with its reports; without it no report is taken. */
  @Expose({ name: 'SIMULATOR_CALLBACK_TOKEN' })
  @IsOptional()
  @Secret()
  simulatorCallbackToken?: string;

  /** Where the HTTP carrier asks for calls; unset, each agent brings its own `carrierSettings.url`. */
  @Expose({ name: 'HTTP_CARRIER_URL' })
  @IsOptional()
  @IsUrl(HTTP_URL, { message: HTTP_URL_MESSAGE })
  httpCarrierUrl?: string;

  /** Signs its requests and the reports about them. Of several, for a change of secrets, all sign and any is taken. */
  @Expose({ name: 'HTTP_CARRIER_SECRET' })
  @IsOptional()
  @SecretOfShape(
    SIGNING_SECRETS,
    'must be whsec_ and 24 to 64 bytes in base64, or several of these with commas between',
  )
  httpCarrierSecret?: string;

  /** Whether it may reach private networks and this host, and without TLS. */
  @Expose({ name: 'HTTP_CARRIER_ALLOW_PRIVATE' })
  @Flag()
  httpCarrierAllowPrivate = false;

  /** Milliseconds that it may take to answer. */
  @Expose({ name: 'HTTP_CARRIER_TIMEOUT_MS' })
  @WholeNumber(100, 60_000)
  httpCarrierTimeoutMs = 10_000;

  /** Calls a second that it takes; unset: no limit. */
  @Expose({ name: 'HTTP_CARRIER_CALLS_PER_SECOND' })
  @IsOptional()
  @WholeNumber(1, 10_000)
  httpCarrierCallsPerSecond?: number;

  /** The Twilio account; set, agents may use the carrier `twilio`. */
  @Expose({ name: 'TWILIO_ACCOUNT_SID' })
  @IsOptional()
  @Matches(/^AC[0-9a-f]{32}$/i, { message: 'must be AC and 32 hexadecimal digits' })
  twilioAccountSid?: string;

  /** The account's own token: Twilio signs its callbacks with it, also where an API key makes the requests. */
  @Expose({ name: 'TWILIO_AUTH_TOKEN' })
  @IsOptional()
  @Secret()
  twilioAuthToken?: string;

  /** Makes the requests to Twilio instead of the account's own token. */
  @Expose({ name: 'TWILIO_API_KEY_SID' })
  @IsOptional()
  @Matches(/^SK[0-9a-f]{32}$/i, { message: 'must be SK and 32 hexadecimal digits' })
  twilioApiKeySid?: string;

  @Expose({ name: 'TWILIO_API_KEY_SECRET' })
  @IsOptional()
  @Secret()
  twilioApiKeySecret?: string;

  /** Calls a second that the account may start; Twilio queues what is more. */
  @Expose({ name: 'TWILIO_CALLS_PER_SECOND' })
  @WholeNumber(1, 1_000)
  twilioCallsPerSecond = 1;

  /** Milliseconds that Twilio may take to answer one request. */
  @Expose({ name: 'TWILIO_TIMEOUT_MS' })
  @WholeNumber(100, 60_000)
  twilioTimeoutMs = 10_000;

  /** Where Twilio's API is: another region's address, or a test's. */
  @Expose({ name: 'TWILIO_API_URL' })
  @IsUrl(
    { ...IN_PRIVATE_NETWORKS, protocols: ['http', 'https'] },
    { message: 'must be an http:// or https:// URL' },
  )
  twilioApiUrl = 'https://api.twilio.com';

  /** LiveKit's server; unset, there is no carrier of this name. */
  @Expose({ name: 'LIVEKIT_URL' })
  @IsOptional()
  @IsUrl(
    { ...IN_PRIVATE_NETWORKS, protocols: ['https', 'wss', 'http', 'ws'] },
    { message: 'must be an https:// or wss:// URL' },
  )
  livekitUrl?: string;

  /** The key and the secret with which LiveKit is asked, and with which it signs its webhooks. */
  @Expose({ name: 'LIVEKIT_API_KEY' })
  @IsOptional()
  @Matches(LIVEKIT_KEY, { message: 'must be 1 to 200 printable ASCII characters without spaces' })
  livekitApiKey?: string;

  @Expose({ name: 'LIVEKIT_API_SECRET' })
  @IsOptional()
  @SecretOfShape(LIVEKIT_SECRET, 'must be 6 to 500 printable ASCII characters without spaces')
  livekitApiSecret?: string;

  /** The outbound trunk and the agent of voice agents whose settings name none. */
  @Expose({ name: 'LIVEKIT_SIP_TRUNK_ID' })
  @IsOptional()
  @Matches(LIVEKIT_NAME, { message: LIVEKIT_NAME_MESSAGE })
  livekitSipTrunkId?: string;

  @Expose({ name: 'LIVEKIT_AGENT_NAME' })
  @IsOptional()
  @Matches(LIVEKIT_NAME, { message: LIVEKIT_NAME_MESSAGE })
  livekitAgentName?: string;

  /** Calls a second that LiveKit takes, from all workers together; unset, as many as come. */
  @Expose({ name: 'LIVEKIT_CALLS_PER_SECOND' })
  @IsOptional()
  @WholeNumber(1, 1000)
  livekitCallsPerSecond?: number;

  /** Milliseconds that all requests of one dial together may take: LiveKit answers once its SIP service is in the room. */
  @Expose({ name: 'LIVEKIT_TIMEOUT_MS' })
  @WholeNumber(100, 60_000)
  livekitTimeoutMs = 15_000;
}

/** A start that cannot go on: the message names each bad variable and never shows a value. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/**
 * Reads and validates the configuration. Empty variables count as unset; each may also stand in a file that the
 * variable with `_FILE` after its name points to.
 *
 * @throws ConfigError naming every variable that is missing or bad.
 */
export function loadConfig(outer: NodeJS.ProcessEnv = process.env): Config {
  const { config, problems } = readConfig(outer);
  throwFor(problems);
  return config;
}

/** What a worker has no use for, and so need not be given. */
const OF_THE_API_ALONE = ['OPERATOR_TOKEN'];

/**
 * As {@link loadConfig}, for a worker: it serves no operator, so that `OPERATOR_TOKEN` may be missing.
 *
 * @throws ConfigError naming every variable that is missing or bad.
 */
export function loadWorkerConfig(outer: NodeJS.ProcessEnv = process.env): Config {
  const { config, problems } = readConfig(outer, OF_THE_API_ALONE);
  throwFor(problems);
  return config;
}

/**
 * What the environment says of carriers, for commands that need nothing else: the rest is neither read nor judged, and
 * `CARRIER` may be missing.
 *
 * @throws ConfigError naming every variable of a carrier that is bad.
 */
export function loadCarrierConfig(outer: NodeJS.ProcessEnv = process.env): Partial<Config> {
  const { config, problems } = readConfig(outer);
  const prefixes = CARRIER_NAMES.map((name) => `${name.toUpperCase()}_`);
  const isOfCarriers = (name: string) =>
    name === 'CARRIER' || name === 'PUBLIC_URL' || prefixes.some((prefix) => name.startsWith(prefix));
  const unset = config.carrier === undefined;
  throwFor(new Map([...problems].filter(([name]) => isOfCarriers(name) && !(unset && name === 'CARRIER'))));
  const entries = Object.entries(config).filter(([property]) => isOfCarriers(environmentName(property)));
  return Object.fromEntries(entries);
}

/** The variables that a carrier lacks; none: it is configured. */
export function missingForCarrier(carrier: CarrierName, config: Config): string[] {
  return CARRIER_VARIABLES[carrier].filter((name) => config[propertyName(name)] === undefined);
}

function readConfig(
  outer: NodeJS.ProcessEnv,
  mayBeMissing: readonly string[] = [],
): { config: Config; problems: Map<string, string> } {
  const { env, problems } = readFileVariables(outer, variableNames());
  const present = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const config = plainToInstance(Config, present, {
    excludeExtraneousValues: true,
    exposeDefaultValues: true,
  });
  for (const { property, value, constraints } of validateSync(config)) {
    const name = environmentName(property);
    if (problems.has(name) || (value === undefined && mayBeMissing.includes(name))) continue;
    // The validators' own messages begin with the property, and hold no values.
    const rules = Object.values(constraints ?? {}).map((message) => message.replace(`${property} `, ''));
    const unset = value === undefined ? 'is not set; ' : '';
    problems.set(name, `${name}: ${unset}${rules.join(', ')}`);
  }
  if (problems.size === 0 && config.redisCluster) checkClusterSettings(config, problems);
  if (problems.size === 0) {
    checkCarrier(config, problems);
    checkTwilioSettings(config, problems);
  }
  return { config, problems };
}

/**
 * Replaces the variables of `env` that point to files by what stands in these, for programs that hand their
 * environment on.
 *
 * @throws ConfigError naming every variable whose file is no good.
 */
export function takeFileVariables(env: NodeJS.ProcessEnv = process.env): void {
  const names = variableNames();
  const read = readFileVariables(env, names);
  throwFor(read.problems);
  for (const name of names) {
    delete env[`${name}_FILE`];
    if (read.env[name] !== undefined) env[name] = read.env[name];
  }
}

/** What a single Redis takes, but a cluster does not. */
function checkClusterSettings({ redisUrl, redisPrefix }: Config, problems: Map<string, string>): void {
  if (!/^\/?$/.test(new URL(redisUrl).pathname)) {
    problems.set('REDIS_URL', 'REDIS_URL: must name no database with REDIS_CLUSTER, which has but one');
  }
  if (!/\{[^{}]+\}/.test(redisPrefix)) {
    problems.set('REDIS_PREFIX', 'REDIS_PREFIX: must have braces with REDIS_CLUSTER, such as {outdial}');
  }
}

/**
 * A carrier that every agent uses unless told otherwise must be able to dial; and one that is configured by half would
 * only be missed by the first agent that names it.
 */
function checkCarrier(config: Config, problems: Map<string, string>): void {
  const { livekitUrl, livekitApiKey, livekitApiSecret } = config;
  if (livekitUrl !== undefined || livekitApiKey !== undefined || livekitApiSecret !== undefined) {
    for (const name of missingForCarrier('livekit', config)) {
      problems.set(name, `${name}: is not set; the other variables of LiveKit need it`);
    }
  }
  for (const name of missingForCarrier(config.carrier, config)) {
    problems.set(name, `${name}: is not set; CARRIER=${config.carrier} needs it`);
  }
}

/** What of Twilio needs what else: half of it would be found out by the first call. */
const TWILIO_NEEDS: Record<string, readonly string[]> = {
  TWILIO_ACCOUNT_SID: ['TWILIO_AUTH_TOKEN', 'PUBLIC_URL'],
  TWILIO_AUTH_TOKEN: ['TWILIO_ACCOUNT_SID'],
  TWILIO_API_KEY_SID: ['TWILIO_API_KEY_SECRET', 'TWILIO_ACCOUNT_SID'],
  TWILIO_API_KEY_SECRET: ['TWILIO_API_KEY_SID'],
};

function checkTwilioSettings(config: Config, problems: Map<string, string>): void {
  const isSet = (name: string) => config[propertyName(name)] !== undefined;
  for (const [name, needed] of Object.entries(TWILIO_NEEDS)) {
    if (!isSet(name)) continue;
    for (const other of needed) {
      if (!isSet(other) && !problems.has(other))
        problems.set(other, `${other}: is not set; ${name} needs it`);
    }
  }
}

function throwFor(problems: Map<string, string>): void {
  if (problems.size === 0) return;
  const order = variableNames();
  const sorted = [...problems].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  const lines = sorted.map(([, problem]) => problem);
  throw new ConfigError(`Invalid environment variables:\n  ${lines.join('\n  ')}`);
}

/** All variables, in the order of the class. */
function variableNames(): string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(Config, '', false, false);
  return [...new Set(rules.map((rule) => environmentName(rule.propertyName)))];
}

/** `DATABASE_URL` → `databaseUrl`. */
function propertyName(name: string): keyof Config {
  return name.toLowerCase().replace(/_./g, (pair) => pair.charAt(1).toUpperCase()) as keyof Config;
}

/** `databaseUrl` → `DATABASE_URL`. */
function environmentName(property: string): string {
  return property.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
