import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingForCarrier } from '../../src/carriers/configured.js';
import { Config } from '../../src/config/config.js';
import { ConfigError } from '../../src/config/config-error.js';
import { loadDatabaseAccess, loadDatabaseUrl } from '../../src/config/database-url.js';
import {
  type Configuration,
  loadCarrierConfig,
  loadConfig,
  loadWorkerConfig,
  VARIABLES as READ_VARIABLES,
} from '../../src/configuration.js';
import { SIMULATOR_DEFAULTS } from '../../src/carriers/simulator/simulator-options.js';

/** The least that must be set. */
const REQUIRED = {
  DATABASE_URL: 'postgres://outdial:hush@localhost:5432/outdial',
  REDIS_URL: 'redis://localhost:6379',
  OPERATOR_TOKEN: 'operator-token-of-this-test',
  CARRIER: 'simulator',
};

const LIVEKIT = {
  LIVEKIT_URL: 'wss://x.livekit.cloud',
  LIVEKIT_API_KEY: 'APIabc123',
  LIVEKIT_API_SECRET: 'hush-the-secret-of-livekit',
};

interface Variable {
  property: keyof Configuration;
  /** null: it must be set; undefined: it may stay unset. */
  unset: unknown;
  good: readonly (readonly [text: string, value: unknown])[];
  bad: readonly string[];
  /** What it needs beside it. */
  beside?: Record<string, string>;
}

const texts = (...values: string[]) => values.map((text) => [text, text] as const);

/** A whole number within these bounds; the spellings that `Number` would take as well are refused. */
function wholeNumber(property: keyof Configuration, unset: unknown, min: number, max: number): Variable {
  return {
    property,
    unset,
    good: [min, min + 1, max].map((value) => [String(value), value]),
    bad: [
      ...[String(min - 1), String(max + 1), '1e400', '99999999999999999999'],
      ...[
        'many',
        '12.5',
        '0x10',
        '1e3',
        '+80',
        '8_0',
        ' ',
        ' 80',
        'NaN',
        'Infinity',
        'true',
        '[8080]',
        '８０',
      ],
    ],
  };
}

const HOUR_MS = 3_600_000;

const signingSecret = (bytes: number) => `whsec_${Buffer.alloc(bytes, 'hush-the-bytes').toString('base64')}`;
const TWILIO = {
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'hush-the-token-of-twilio',
  PUBLIC_URL: 'https://calls.example.com',
};
const API_KEY = {
  TWILIO_API_KEY_SID: `SK${'0'.repeat(32)}`,
  TWILIO_API_KEY_SECRET: 'hush-the-secret-of-twilio',
};

/** In the order of the parts of the configuration and of `.env.example`. */
const VARIABLES: Record<string, Variable> = {
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
  // What the rules say is read by the simulator itself.
  SIMULATOR_RULES: { property: 'simulatorRules', unset: undefined, good: texts('[]'), bad: [] },
  SIMULATOR_DIAL_LOG: {
    property: 'simulatorDialLog',
    unset: undefined,
    good: texts('/tmp/dials.ndjson'),
    bad: [],
  },
  SIMULATOR_ACCEPT_MS: wholeNumber('simulatorAcceptMs', undefined, 0, HOUR_MS),
  SIMULATOR_RING_MS: wholeNumber('simulatorRingMs', undefined, 0, HOUR_MS),
  SIMULATOR_TALK_MS: wholeNumber('simulatorTalkMs', undefined, 0, HOUR_MS),
  SIMULATOR_CALLS_PER_SECOND: wholeNumber('simulatorCallsPerSecond', undefined, 1, 1_000),
  SIMULATOR_URL: {
    property: 'simulatorUrl',
    unset: undefined,
    good: texts('http://127.0.0.1:4010', 'https://simulator.example.com', 'http://outdial_simulator:4010'),
    bad: ['localhost:4010', 'ftp://localhost:4010', 'http://', ' '],
  },
  SIMULATOR_CALLBACK_TOKEN: {
    property: 'simulatorCallbackToken',
    unset: undefined,
    good: texts('sixteen-letters-'),
    bad: ['fifteen-letters', 'a token with spaces in it', 'x'.repeat(501)],
  },
  HTTP_CARRIER_URL: {
    property: 'httpCarrierUrl',
    unset: undefined,
    good: texts('https://agents.example.com/calls?line=7', 'http://runtime:4020/calls'),
    bad: ['agents.example.com', 'ftp://agents.example.com', ' '],
  },
  HTTP_CARRIER_SECRET: {
    property: 'httpCarrierSecret',
    unset: undefined,
    good: texts(
      signingSecret(24),
      signingSecret(25),
      signingSecret(64),
      `${signingSecret(24)},${signingSecret(32)}`,
    ),
    bad: [
      ...['whsec_x', 'hush', signingSecret(23), signingSecret(65), signingSecret(24).slice(6)],
      ...[
        `${signingSecret(25).slice(0, -1)}`,
        `${signingSecret(24)},`,
        `${signingSecret(24)} ${signingSecret(24)}`,
      ],
    ],
  },
  HTTP_CARRIER_ALLOW_PRIVATE: {
    property: 'httpCarrierAllowPrivate',
    unset: false,
    good: [
      ['true', true],
      ['false', false],
    ],
    bad: ['yes', '1', 'TRUE'],
  },
  HTTP_CARRIER_TIMEOUT_MS: wholeNumber('httpCarrierTimeoutMs', 10_000, 100, 60_000),
  HTTP_CARRIER_CALLS_PER_SECOND: wholeNumber('httpCarrierCallsPerSecond', undefined, 1, 10_000),
  TWILIO_ACCOUNT_SID: {
    property: 'twilioAccountSid',
    unset: undefined,
    good: texts(`AC${'0123456789abcdef'.repeat(2)}`),
    beside: TWILIO,
    bad: ['AC123', `SK${'0'.repeat(32)}`, `AC${'g'.repeat(32)}`],
  },
  TWILIO_AUTH_TOKEN: {
    property: 'twilioAuthToken',
    unset: undefined,
    good: texts('0123456789abcdef'.repeat(2)),
    beside: TWILIO,
    bad: ['fifteen-letters', 'a token with spaces in it', 'x'.repeat(501)],
  },
  TWILIO_API_KEY_SID: {
    property: 'twilioApiKeySid',
    unset: undefined,
    good: texts(`SK${'0123456789abcdef'.repeat(2)}`),
    beside: { ...TWILIO, ...API_KEY },
    bad: ['SK123', `AC${'0'.repeat(32)}`],
  },
  TWILIO_API_KEY_SECRET: {
    property: 'twilioApiKeySecret',
    unset: undefined,
    good: texts('0123456789abcdef'.repeat(2)),
    beside: { ...TWILIO, ...API_KEY },
    bad: ['fifteen-letters', 'a token with spaces in it'],
  },
  TWILIO_CALLS_PER_SECOND: wholeNumber('twilioCallsPerSecond', 1, 1, 1_000),
  TWILIO_TIMEOUT_MS: wholeNumber('twilioTimeoutMs', 10_000, 100, 60_000),
  TWILIO_API_URL: {
    property: 'twilioApiUrl',
    unset: 'https://api.twilio.com',
    good: texts('https://api.dublin.ie1.twilio.com', 'http://127.0.0.1:4010'),
    bad: ['api.twilio.com', 'ftp://api.twilio.com', ' '],
  },
  LIVEKIT_URL: {
    property: 'livekitUrl',
    unset: undefined,
    good: texts(
      'https://x.livekit.cloud',
      'wss://x.livekit.cloud',
      'ws://livekit:7880',
      'http://127.0.0.1:7880',
    ),
    bad: ['x.livekit.cloud', 'ftp://x.livekit.cloud', 'wss://', ' '],
    beside: LIVEKIT,
  },
  LIVEKIT_API_KEY: {
    property: 'livekitApiKey',
    unset: undefined,
    good: texts('APIabc123', 'devkey'),
    bad: ['two words', 'x'.repeat(201)],
    beside: LIVEKIT,
  },
  LIVEKIT_API_SECRET: {
    property: 'livekitApiSecret',
    unset: undefined,
    good: texts('six-ch', 'four!'.repeat(100)),
    bad: ['short', 'a secret with spaces', 'x'.repeat(501)],
    beside: LIVEKIT,
  },
  LIVEKIT_SIP_TRUNK_ID: {
    property: 'livekitSipTrunkId',
    unset: undefined,
    good: texts('ST_abc123'),
    bad: ['two words', 'x'.repeat(101)],
  },
  LIVEKIT_AGENT_NAME: {
    property: 'livekitAgentName',
    unset: undefined,
    good: texts('outbound-caller'),
    bad: ['two words', 'x'.repeat(101)],
  },
  LIVEKIT_CALLS_PER_SECOND: wholeNumber('livekitCallsPerSecond', undefined, 1, 1_000),
  LIVEKIT_TIMEOUT_MS: wholeNumber('livekitTimeoutMs', 15_000, 100, 60_000),
};
const NAMES = Object.keys(VARIABLES);

/** The message with which this environment is refused. */
function refusal(env: NodeJS.ProcessEnv): string {
  try {
    loadConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error('the configuration was accepted');
}

/** The variables that a message names, each at the start of a line. */
const namedIn = (message: string) => [...message.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name]) => name);

describe.each(Object.entries(VARIABLES))('%s', (name, { property, unset, good, bad, beside }) => {
  test.each(good)('may be %j', (text, value) => {
    expect(loadConfig({ ...REQUIRED, ...beside, [name]: text })[property]).toBe(value);
  });

  test('unset or empty, it has its default, or is asked for', () => {
    for (const env of [{ [name]: undefined }, { [name]: '' }]) {
      if (unset === null)
        expect(refusal({ ...REQUIRED, ...env })).toMatch(new RegExp(`^  ${name}: is not set`, 'm'));
      else expect(loadConfig({ ...REQUIRED, ...env })[property]).toBe(unset);
    }
  });

  test('is the only one that is named when it is bad, and its value is not shown', () => {
    for (const text of bad) {
      const message = refusal({ ...REQUIRED, [name]: text });
      expect(namedIn(message)).toEqual([name]);
      // What it must be instead may repeat its beginning, or a digit of it.
      if (text.trim().length > 2 && !text.endsWith('://')) expect(wordsOf(message)).not.toContain(text);
    }
  });

  test('is read from its own name alone', () => {
    const [text, value] = good.at(-1) ?? [];
    const config = loadConfig({ ...REQUIRED, [property]: text, [name.toLowerCase()]: text });
    expect(config[property]).toBe(name in REQUIRED ? REQUIRED[name as keyof typeof REQUIRED] : unset);
    expect(loadConfig({ ...REQUIRED, ...beside, [name]: text })[property]).toBe(value);
  });
});

/** The message without the names of variables, which values may resemble. */
const wordsOf = (message: string) => message.replace(/^ {2}[A-Z_]+: /gm, '');

test('every bad variable is named at once, in order, and no value is shown', () => {
  const secret = 'hush-this-is-secret';
  const message = refusal({
    PORT: secret,
    DATABASE_URL: `mysql://root:${secret}@localhost`,
    REDIS_URL: secret,
    OPERATOR_TOKEN: `${secret} `,
    CARRIER: secret,
    LOG_LEVEL: secret,
    SIMULATOR_CALLBACK_TOKEN: `short ${secret}`,
  });
  expect(namedIn(message)).toEqual([
    'PORT',
    'DATABASE_URL',
    'REDIS_URL',
    'OPERATOR_TOKEN',
    'CARRIER',
    'LOG_LEVEL',
    'SIMULATOR_CALLBACK_TOKEN',
  ]);
  expect(message).not.toContain(secret);
});

describe('weak secrets are refused at start, and named by their variable alone', () => {
  const SECRETS: Record<string, NodeJS.ProcessEnv> = {
    OPERATOR_TOKEN: {},
    BULL_BOARD_PASSWORD: {},
    METRICS_TOKEN: {},
    SIMULATOR_CALLBACK_TOKEN: {},
    TWILIO_AUTH_TOKEN: TWILIO,
    TWILIO_API_KEY_SECRET: { ...TWILIO, ...API_KEY },
    LIVEKIT_API_SECRET: LIVEKIT,
  };
  const WEAK = [
    'change-me-change-me-change-me',
    'Change_Me.change-me',
    'aaaaaaaaaaaaaaaa',
    'abababababababab',
  ];
  const STRONG = [
    ...['operator-token-of-the-tests', 'not-a-password-but-long', 'a-secret-place-0815', '4815162342481516'],
    'q1w2e3r4t5y6u7i8',
  ];

  test.each(Object.entries(SECRETS))('%s', (name, beside) => {
    for (const value of [...WEAK, ...WEAK.map((weak) => `${weak}${weak}`)]) {
      const message = refusal({ ...REQUIRED, ...beside, [name]: value });
      expect(namedIn(message)).toEqual([name]);
      expect(message).toContain('must not be a placeholder or easily guessed; make one with: openssl rand');
      expect(message).not.toContain(value);
    }
    for (const value of STRONG) {
      expect(() => loadConfig({ ...REQUIRED, ...beside, [name]: value })).not.toThrow();
    }
  });

  test.each([
    ['BULL_BOARD_PASSWORD', 'password', {}],
    ['BULL_BOARD_PASSWORD', 'PassWord', {}],
    ['LIVEKIT_API_SECRET', 'secret', LIVEKIT],
    ['OPERATOR_TOKEN', 'passwordpassword', {}],
    ['OPERATOR_TOKEN', 'secret-secret-secret', {}],
  ])('%s=%s', (name, value, beside) => {
    expect(namedIn(refusal({ ...REQUIRED, ...beside, [name]: value }))).toEqual([name]);
  });

  test('HTTP_CARRIER_SECRET, by the bytes that it stands for, each of several', () => {
    const secretOf = (text: string) => `whsec_${Buffer.alloc(24, text).toString('base64')}`;
    for (const weak of ['\0', 'a', 'change-me', 'secret'].map(secretOf)) {
      for (const value of [weak, `${signingSecret(24)},${weak}`])
        expect(namedIn(refusal({ ...REQUIRED, HTTP_CARRIER_SECRET: value }))).toEqual([
          'HTTP_CARRIER_SECRET',
        ]);
    }
  });
});

test('a worker needs no operator token, and is refused all else as the API is', () => {
  const rest = { ...REQUIRED, OPERATOR_TOKEN: undefined };
  expect(loadWorkerConfig(rest)).toMatchObject({ carrier: 'simulator' });
  expect(() => loadWorkerConfig({ ...rest, OPERATOR_TOKEN: 'short' })).toThrow(
    /^ {2}OPERATOR_TOKEN: must be/m,
  );
  expect(() => loadWorkerConfig({ ...rest, CARRIER: '' })).toThrow(/^ {2}CARRIER: is not set/m);
  expect(() => loadWorkerConfig({ ...rest, CARRIER: 'twilio' })).toThrow(/TWILIO_ACCOUNT_SID: is not set/);
});

test('of a cluster, the URL names no database and the prefix has braces', () => {
  const env = {
    ...REQUIRED,
    REDIS_CLUSTER: 'true',
    REDIS_URL: 'redis://localhost:6379/3',
    REDIS_PREFIX: 'x',
  };
  expect(namedIn(refusal(env))).toEqual(['REDIS_URL', 'REDIS_PREFIX']);
  expect(loadConfig({ ...env, REDIS_CLUSTER: 'false' })).toMatchObject({ redisPrefix: 'x' });
});

test('the carrier http needs its secret and the public URL where it is the default, and only there', () => {
  const env = { ...REQUIRED, CARRIER: 'http' };
  expect(namedIn(refusal(env))).toEqual(['PUBLIC_URL', 'HTTP_CARRIER_SECRET']);
  expect(refusal(env)).toContain('HTTP_CARRIER_SECRET: is not set; CARRIER=http needs it');
  const set = { PUBLIC_URL: 'https://outdial.example.com', HTTP_CARRIER_SECRET: signingSecret(24) };
  expect(missingForCarrier('http', loadConfig(REQUIRED))).toEqual(['HTTP_CARRIER_SECRET', 'PUBLIC_URL']);
  expect(missingForCarrier('http', loadConfig({ ...env, ...set }))).toEqual([]);
  expect(namedIn(refusal({ ...env, PUBLIC_URL: set.PUBLIC_URL }))).toEqual(['HTTP_CARRIER_SECRET']);
});

test('commands that need only the carriers read them, refuse what is bad of them, and nothing else', () => {
  const set = { HTTP_CARRIER_SECRET: signingSecret(24), PORT: 'bad', LOG_LEVEL: 'bad' };
  expect(loadCarrierConfig(set)).toMatchObject({ httpCarrierSecret: set.HTTP_CARRIER_SECRET });
  expect(loadCarrierConfig(set)).not.toHaveProperty('logLevel');
  expect(() => loadCarrierConfig({ HTTP_CARRIER_SECRET: 'hush' })).toThrow(/^ {2}HTTP_CARRIER_SECRET: /m);
  expect(() => loadCarrierConfig({ CARRIER: 'pigeon' })).toThrow(/^ {2}CARRIER: must be one of/m);
});

test('half of what Twilio needs is refused, and names the other half', () => {
  const named = (env: Record<string, string>) => namedIn(refusal({ ...REQUIRED, ...env }));
  expect(named({ CARRIER: 'twilio' })).toEqual(['PUBLIC_URL', 'TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN']);
  expect(named({ TWILIO_ACCOUNT_SID: TWILIO.TWILIO_ACCOUNT_SID })).toEqual([
    'PUBLIC_URL',
    'TWILIO_AUTH_TOKEN',
  ]);
  const { TWILIO_API_KEY_SID, TWILIO_API_KEY_SECRET } = API_KEY;
  expect(named({ ...TWILIO, TWILIO_API_KEY_SID })).toEqual(['TWILIO_API_KEY_SECRET']);
  expect(named({ ...TWILIO, TWILIO_API_KEY_SECRET })).toEqual(['TWILIO_API_KEY_SID']);
  expect(refusal({ ...REQUIRED, ...TWILIO, CARRIER: 'twilio', PUBLIC_URL: '' })).toBe(
    'Invalid environment variables:\n  PUBLIC_URL: is not set; CARRIER=twilio needs it',
  );
  expect(loadConfig({ ...REQUIRED, ...TWILIO, ...API_KEY, CARRIER: 'twilio' }).carrier).toBe('twilio');
  // An address alone is of use to other carriers.
  expect(loadConfig({ ...REQUIRED, PUBLIC_URL: TWILIO.PUBLIC_URL }).carrier).toBe('simulator');
});

test('of LiveKit, all is set that is needed to dial, or nothing', () => {
  const named = (env: NodeJS.ProcessEnv) => namedIn(refusal({ ...REQUIRED, ...env }));
  expect(named({ CARRIER: 'livekit' })).toEqual(Object.keys(LIVEKIT));
  for (const name of Object.keys(LIVEKIT)) expect(named({ ...LIVEKIT, [name]: '' })).toEqual([name]);
  expect(loadConfig({ ...REQUIRED, ...LIVEKIT, CARRIER: 'livekit' }).carrier).toBe('livekit');
  expect(loadConfig({ ...REQUIRED, ...LIVEKIT }).carrier).toBe('simulator');
});

test('the message is for people: the variable and what it must be, in words', () => {
  expect(refusal({ ...REQUIRED, PORT: '70000', DATABASE_URL: 'localhost', OPERATOR_TOKEN: undefined })).toBe(
    [
      'Invalid environment variables:',
      '  PORT: must be a whole number from 0 to 65535',
      '  DATABASE_URL: must be a postgres:// URL',
      '  OPERATOR_TOKEN: is not set; must be 16 to 500 printable ASCII characters without spaces',
    ].join('\n'),
  );
});

test('what the rest of the environment holds does not matter', () => {
  const config = loadConfig({ ...REQUIRED, PATH: '/bin', HOME: '/root', POSTGRES_PASSWORD: 'hush' });
  expect(config).toEqual(loadConfig(REQUIRED));
  expect(config).toBeInstanceOf(Config);
});

test('commands that need only DATABASE_URL take and refuse the same values', () => {
  const { good, bad } = VARIABLES.DATABASE_URL!;
  for (const [text] of good) expect(loadDatabaseUrl({ DATABASE_URL: text })).toBe(text);
  for (const text of [...bad, '', undefined]) {
    expect(() => loadDatabaseUrl({ DATABASE_URL: text })).toThrow(
      new ConfigError('Invalid environment variables:\n  DATABASE_URL: must be a postgres:// URL'),
    );
  }
});

test('commands take and refuse DATABASE_TRANSACTION_POOLING as the processes do', () => {
  const { DATABASE_URL } = REQUIRED;
  const { good, bad } = VARIABLES.DATABASE_TRANSACTION_POOLING!;
  const access = (pooling?: string) =>
    loadDatabaseAccess({ DATABASE_URL, DATABASE_TRANSACTION_POOLING: pooling });
  for (const [text, value] of [...good, [undefined, false], ['', false]] as const) {
    expect(access(text)).toEqual({ databaseUrl: DATABASE_URL, databaseTransactionPooling: value });
  }
  for (const text of bad) {
    expect(() => access(text)).toThrow('DATABASE_TRANSACTION_POOLING: must be true or false');
  }
});

describe('.env.example', () => {
  const lines = readFileSync(join(__dirname, '../../.env.example'), 'utf8').split('\n');
  const assignments = lines.flatMap((line, index) => {
    const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined
      ? []
      : [{ name, value, comment: lines[index - 1] ?? '' }];
  });
  const example = Object.fromEntries(assignments.map(({ name, value }) => [name, value]));

  test('lists exactly the variables that the configuration reads, in its order', () => {
    expect(NAMES).toEqual(READ_VARIABLES);
    expect(Object.keys(loadConfig(REQUIRED)).sort()).toEqual(
      Object.values(VARIABLES)
        .map(({ property }) => property)
        .sort(),
    );
    expect(assignments.map(({ name }) => name)).toEqual(NAMES);
  });

  test('says of each in one line what it is', () => {
    for (const { comment } of assignments) expect(comment).toMatch(/^# \S.{10,}$/);
  });

  test('holds nothing but comments and variables', () => {
    for (const line of lines) expect(line).toMatch(/^(#.*|[A-Z_]+=\S*|)$/);
  });

  test('changes nothing when it is copied: it holds the defaults', () => {
    const set = Object.fromEntries(Object.entries(example).filter(([, value]) => value !== ''));
    expect(loadConfig({ ...REQUIRED, ...set })).toEqual(loadConfig(REQUIRED));
  });

  test('chooses no carrier: a copy of it that nobody has thought about dials nobody in production', () => {
    expect(example.CARRIER).toBe('');
  });

  test('holds no secret and no address, and asks for those that are needed', () => {
    expect(namedIn(refusal(example))).toEqual(['DATABASE_URL', 'REDIS_URL', 'OPERATOR_TOKEN', 'CARRIER']);
    expect(example.SIMULATOR_CALLBACK_TOKEN).toBe('');
  });

  test("names the simulator's own pace where nothing is set", () => {
    const pace = assignments.flatMap(({ comment }) => /; empty: (\d+)$/.exec(comment)?.[1] ?? []).map(Number);
    expect(pace).toEqual([SIMULATOR_DEFAULTS.acceptMs, SIMULATOR_DEFAULTS.ringMs, SIMULATOR_DEFAULTS.talkMs]);
  });
});
