import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingForCarrier } from '../../src/carriers/configured.js';
import { Config } from '../../src/config/config.js';
import { ConfigError } from '../../src/config/config-error.js';
import { loadDatabaseAccess, loadDatabaseUrl } from '../../src/config/database-url.js';
import {
  loadCarrierConfig,
  loadConfig,
  loadWorkerConfig,
  VARIABLES as READ_VARIABLES,
} from '../../src/configuration.js';
import { SIMULATOR_DEFAULTS } from '../../src/carriers/simulator/simulator-options.js';
import { REQUIRED, VARIABLES } from './support/variables.js';
import { namedIn, refusal } from './support/refusal.js';
import { API_KEY, LIVEKIT, TWILIO, signingSecret } from './support/carrier-variables.js';

const NAMES = Object.keys(VARIABLES);

describe.each(Object.entries(VARIABLES))('%s', (name, { property, unset, good, bad, beside }) => {
  test.each(good)('may be %j', (text, value) => {
    expect(loadConfig({ ...REQUIRED, ...beside, [name]: text })[property]).toBe(value);
  });

  test('has its default, or is required, if it is unset or empty', () => {
    for (const env of [{ [name]: undefined }, { [name]: '' }]) {
      if (unset === null)
        expect(refusal({ ...REQUIRED, ...env })).toMatch(new RegExp(`^  ${name}: is not set`, 'm'));
      else expect(loadConfig({ ...REQUIRED, ...env })[property]).toBe(unset);
    }
  });

  test('is the only variable that is named if it is invalid, and its value is not shown', () => {
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

test('all invalid variables are named in order, and no value is shown', () => {
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

test('a worker needs no operator token, and has the API’s other rules', () => {
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

test('the carrier http needs its secret and the public URL only if it is the default', () => {
  const env = { ...REQUIRED, CARRIER: 'http' };
  expect(namedIn(refusal(env))).toEqual(['PUBLIC_URL', 'HTTP_CARRIER_SECRET']);
  expect(refusal(env)).toContain('HTTP_CARRIER_SECRET: is not set; CARRIER=http needs it');
  const set = { PUBLIC_URL: 'https://outdial.example.com', HTTP_CARRIER_SECRET: signingSecret(24) };
  expect(missingForCarrier('http', loadConfig(REQUIRED))).toEqual(['HTTP_CARRIER_SECRET', 'PUBLIC_URL']);
  expect(missingForCarrier('http', loadConfig({ ...env, ...set }))).toEqual([]);
  expect(namedIn(refusal({ ...env, PUBLIC_URL: set.PUBLIC_URL }))).toEqual(['HTTP_CARRIER_SECRET']);
});

test('commands that only need the carriers read and check only their variables', () => {
  const set = { HTTP_CARRIER_SECRET: signingSecret(24), PORT: 'bad', LOG_LEVEL: 'bad' };
  expect(loadCarrierConfig(set)).toMatchObject({ httpCarrierSecret: set.HTTP_CARRIER_SECRET });
  expect(loadCarrierConfig(set)).not.toHaveProperty('logLevel');
  expect(() => loadCarrierConfig({ HTTP_CARRIER_SECRET: 'hush' })).toThrow(/^ {2}HTTP_CARRIER_SECRET: /m);
  expect(() => loadCarrierConfig({ CARRIER: 'pigeon' })).toThrow(/^ {2}CARRIER: must be one of/m);
});

test('an incomplete configuration of Twilio is refused, naming what is missing', () => {
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

test('LiveKit needs all variables for a dial, or none', () => {
  const named = (env: NodeJS.ProcessEnv) => namedIn(refusal({ ...REQUIRED, ...env }));
  expect(named({ CARRIER: 'livekit' })).toEqual(Object.keys(LIVEKIT));
  for (const name of Object.keys(LIVEKIT)) expect(named({ ...LIVEKIT, [name]: '' })).toEqual([name]);
  expect(loadConfig({ ...REQUIRED, ...LIVEKIT, CARRIER: 'livekit' }).carrier).toBe('livekit');
  expect(loadConfig({ ...REQUIRED, ...LIVEKIT }).carrier).toBe('simulator');
});

test('OpenID Connect needs all its variables, or none', () => {
  const all = {
    OIDC_ISSUER: 'https://login.example.com',
    OIDC_CLIENT_ID: 'outdial',
    OIDC_CLIENT_SECRET: 'hush-the-secret-of-the-client',
  };
  for (const name of Object.keys(all)) {
    const rest = Object.keys(all).filter((other) => other !== name);
    expect(namedIn(refusal({ ...REQUIRED, ...all, [name]: '' }))).toEqual([name]);
    expect(namedIn(refusal({ ...REQUIRED, [name]: all[name as keyof typeof all] }))).toEqual(rest);
  }
  expect(loadConfig({ ...REQUIRED, ...all }).oidcIssuer).toBe(all.OIDC_ISSUER);
  // Only the API uses the secret of the client.
  expect(loadWorkerConfig({ ...REQUIRED, ...all, OIDC_CLIENT_SECRET: '' }).oidcClientId).toBe('outdial');
});

test('the message names the variable and its valid values in words', () => {
  expect(refusal({ ...REQUIRED, PORT: '70000', DATABASE_URL: 'localhost', OPERATOR_TOKEN: undefined })).toBe(
    [
      'Invalid environment variables:',
      '  PORT: must be a whole number from 0 to 65535',
      '  DATABASE_URL: must be a postgres:// URL',
      '  OPERATOR_TOKEN: is not set; must be 16 to 500 printable ASCII characters without spaces',
    ].join('\n'),
  );
});

test('other variables of the environment have no effect', () => {
  const config = loadConfig({ ...REQUIRED, PATH: '/bin', HOME: '/root', POSTGRES_PASSWORD: 'hush' });
  expect(config).toEqual(loadConfig(REQUIRED));
  expect(config).toBeInstanceOf(Config);
});

test('commands that only need DATABASE_URL accept and refuse the same values', () => {
  const { good, bad } = VARIABLES.DATABASE_URL!;
  for (const [text] of good) expect(loadDatabaseUrl({ DATABASE_URL: text })).toBe(text);
  for (const text of [...bad, '', undefined]) {
    expect(() => loadDatabaseUrl({ DATABASE_URL: text })).toThrow(
      new ConfigError('Invalid environment variables:\n  DATABASE_URL: must be a postgres:// URL'),
    );
  }
});

test('commands accept and refuse DATABASE_TRANSACTION_POOLING like the processes', () => {
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

  test('lists the variables that the configuration reads, in its order', () => {
    expect(NAMES).toEqual(READ_VARIABLES);
    expect(Object.keys(loadConfig(REQUIRED)).sort()).toEqual(
      Object.values(VARIABLES)
        .map(({ property }) => property)
        .sort(),
    );
    expect(assignments.map(({ name }) => name)).toEqual(NAMES);
  });

  test('describes each in one line', () => {
    for (const { comment } of assignments) expect(comment).toMatch(/^# \S.{10,}$/);
  });

  test('contains only comments and variables', () => {
    for (const line of lines) expect(line).toMatch(/^(#.*|[A-Z_]+=\S*|)$/);
  });

  test('contains the defaults, so that a copy changes nothing', () => {
    const set = Object.fromEntries(Object.entries(example).filter(([, value]) => value !== ''));
    expect(loadConfig({ ...REQUIRED, ...set })).toEqual(loadConfig(REQUIRED));
  });

  test('names no carrier: an unchanged copy dials no number in production', () => {
    expect(example.CARRIER).toBe('');
  });

  test('contains no secret and no address, and names those that are needed', () => {
    expect(namedIn(refusal(example))).toEqual(['DATABASE_URL', 'REDIS_URL', 'OPERATOR_TOKEN', 'CARRIER']);
    expect(example.SIMULATOR_CALLBACK_TOKEN).toBe('');
  });

  test('shows the simulator’s default pace', () => {
    const pace = assignments.flatMap(({ comment }) => /; empty: (\d+)$/.exec(comment)?.[1] ?? []).map(Number);
    expect(pace).toEqual([SIMULATOR_DEFAULTS.acceptMs, SIMULATOR_DEFAULTS.ringMs, SIMULATOR_DEFAULTS.talkMs]);
  });
});
