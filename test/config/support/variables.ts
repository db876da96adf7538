import { CARRIER_VARIABLES } from './carrier-variables.js';
import { HOUR_MS, texts, type Variable, wholeNumber } from './variable.js';

/** The least that must be set. */
export const REQUIRED = {
  DATABASE_URL: 'postgres://outdial:hush@localhost:5432/outdial',
  REDIS_URL: 'redis://localhost:6379',
  OPERATOR_TOKEN: 'operator-token-of-this-test',
  CARRIER: 'simulator',
};

/** In the order of the parts of the configuration and of `.env.example`. */
export const VARIABLES: Record<string, Variable> = {
  NODE_ENV: {
    property: 'nodeEnv',
    unset: 'development',
    good: texts('development', 'production', 'test'),
    bad: ['staging', 'Production', 'Test'],
  },
  HOST: {
    property: 'host',
    unset: undefined,
    good: texts('127.0.0.1', '::', '::1', 'fe80::1%eth0', 'localhost', 'api-1.internal'),
    bad: ['http://localhost', '127.0.0.1:3000', '[::1]', 'a b', ' ', '127.0.0.0/8', '999.1.1.1', '-x'],
  },
  PORT: wholeNumber('port', 3000, 0, 65_535),
  PUBLIC_URL: {
    property: 'publicUrl',
    unset: undefined,
    good: texts('https://outdial.example.com', 'http://localhost:3000', 'https://example.com/outdial'),
    bad: [
      'outdial.example.com',
      'ftp://example.com',
      'https://example.com/',
      'https://example.com/?a=b',
      'https://user:password@example.com',
      ' ',
    ],
  },
  WORKER_PORT: wholeNumber('workerPort', 3001, 0, 65_535),
  DATABASE_URL: {
    property: 'databaseUrl',
    unset: null,
    good: texts(
      'postgres://localhost/outdial',
      'postgresql://outdial:p%40ss@db.example.com:6432/outdial?sslmode=require',
      'postgres://outdial:hush@[::1]:5432/outdial',
      'postgres://outdial:hush@compose_postgres_1:5432/outdial',
    ),
    bad: [
      'mysql://root:hush@localhost/outdial',
      'postgres://',
      'localhost:5432',
      'outdial',
      ' ',
      'postgres://a b/c',
    ],
  },
  DATABASE_OPERATOR_URL: {
    property: 'databaseOperatorUrl',
    unset: undefined,
    good: texts('postgres://owner:hush@localhost:5432/outdial', 'postgresql://owner@db/outdial'),
    bad: ['localhost', 'http://localhost/outdial', ' '],
  },
  DATABASE_POOL_SIZE: wholeNumber('databasePoolSize', 10, 1, 200),
  DATABASE_TRANSACTION_POOLING: {
    property: 'databaseTransactionPooling',
    unset: false,
    good: [
      ['false', false],
      ['true', true],
    ],
    bad: ['yes', '1', 'True'],
  },
  ROW_LEVEL_SECURITY: {
    property: 'rowLevelSecurity',
    unset: 'on',
    good: texts('on', 'off'),
    bad: ['On', 'true', '1', ' '],
  },
  REDIS_URL: {
    property: 'redisUrl',
    unset: null,
    good: texts(
      'redis://redis',
      'redis://:hush@localhost:6379/3',
      'rediss://user:hush@cache_1.internal:6380',
    ),
    bad: ['http://localhost:6379', 'redis://', 'localhost:6379', ' ', 'unix:///run/redis.sock'],
  },
  REDIS_CLUSTER: {
    property: 'redisCluster',
    unset: false,
    good: [
      ['false', false],
      ['true', true],
    ],
    bad: ['yes', '1', 'True'],
  },
  REDIS_PREFIX: {
    property: 'redisPrefix',
    unset: '{outdial}',
    good: texts('{other}', 'x'),
    bad: [' ', 'a b'],
  },
  OPERATOR_TOKEN: {
    property: 'operatorToken',
    unset: null,
    good: texts('sixteen-letters-', '!"#$%&()*+,-./0123456789:;<=>?@[]^_{|}~', 'four!'.repeat(100)),
    bad: [
      'fifteen-letters',
      ' '.repeat(20),
      'a token with spaces in it',
      'tökens-must-be-ascii',
      'x'.repeat(501),
    ],
  },
  ERASURE_KEY: {
    property: 'erasureKey',
    unset: undefined,
    good: texts('sixteen-letters-'),
    bad: ['fifteen-letters', 'with some spaces in it', 'change-me-change-me'],
  },
  BULL_BOARD_USER: {
    property: 'bullBoardUser',
    unset: 'operator',
    good: texts('a', 'night-shift@example.com'),
    bad: ['with:colon', 'with space', 'müller', 'x'.repeat(101)],
  },
  BULL_BOARD_PASSWORD: {
    property: 'bullBoardPassword',
    unset: undefined,
    good: texts('eight-ch', 'with:colons:in-it', 'four!'.repeat(100)),
    bad: ['sevench', 'with spaces in it', 'pässwörter', 'x'.repeat(501)],
  },
  BULL_BOARD_READ_ONLY: {
    property: 'bullBoardReadOnly',
    unset: true,
    good: [
      ['true', true],
      ['false', false],
    ],
    bad: ['TRUE', 'yes', '0', 'off', ' '],
  },
  JOURNAL_DIR: {
    property: 'journalDir',
    unset: undefined,
    good: texts('/var/lib/outdial/journal'),
    bad: ['journal', './journal'],
    beside: { ERASURE_KEY: 'sixteen-letters-' },
  },
  JOURNAL_DAYS: wholeNumber('journalDays', 90, 1, 3_650),
  API_RATE_LIMIT: wholeNumber('apiRateLimit', 1_000, 0, 100_000),
  TRUSTED_PROXIES: {
    property: 'trustedProxies',
    unset: undefined,
    good: texts('10.0.0.7', '10.0.0.0/8', '127.0.0.1, ::1,fd00::/8', '2001:db8::/32'),
    bad: [
      ...['10', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/08', '010.0.0.1', '::1/129'],
      ...[
        '10.0.0.0/0',
        '::/0',
        'loopback',
        'true',
        '10.0.0.1,',
        ',',
        '10.0.0.1 10.0.0.2',
        'proxy.internal',
        ' ',
      ],
    ],
  },
  MAX_CONNECTIONS: wholeNumber('maxConnections', 10_000, 10, 1_000_000),
  SHUTDOWN_DELAY_MS: wholeNumber('shutdownDelayMs', 0, 0, 60_000),
  BODY_MEMORY_MB: wholeNumber('bodyMemoryMb', 32, 4, 4_096),
  CARRIER: {
    property: 'carrier',
    unset: null,
    good: texts('simulator'),
    bad: ['Simulator', 'none', 'simulator,x', 'Twilio'],
  },
  WORKER_CONCURRENCY: wholeNumber('workerConcurrency', 20, 1, 1_000),
  SWEEPER_INTERVAL_MS: wholeNumber('sweeperIntervalMs', 1_000, 50, HOUR_MS),
  SWEEPER_GRACE_MS: wholeNumber('sweeperGraceMs', 10_000, 100, HOUR_MS),
  CALL_TIME_LIMIT_SECONDS: wholeNumber('callTimeLimitSeconds', 14_400, 1, 86_400),
  WEBHOOKS_ALLOW_PRIVATE: {
    property: 'webhooksAllowPrivate',
    unset: false,
    good: [
      ['true', true],
      ['false', false],
    ],
    bad: ['yes', '1', 'TRUE'],
  },
  LOG_LEVEL: {
    property: 'logLevel',
    unset: 'info',
    good: texts('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    bad: ['INFO', 'verbose', '5'],
  },
  METRICS_TOKEN: {
    property: 'metricsToken',
    unset: undefined,
    good: texts('sixteen-letters-'),
    bad: ['fifteen-letters', 'a token with spaces in it', 'x'.repeat(501)],
  },
  ...CARRIER_VARIABLES,
};
