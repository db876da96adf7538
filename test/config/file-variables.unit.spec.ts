import 'reflect-metadata';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../src/config/config-error.js';
import { loadDatabaseUrl } from '../../src/config/database-url.js';
import { loadConfig, takeFileVariables } from '../../src/configuration.js';

const directory = mkdtempSync(join(tmpdir(), 'outdial-secrets-'));
afterAll(() => rmSync(directory, { recursive: true }));

function file(content: string): string {
  const path = join(directory, `${Math.random()}`);
  writeFileSync(path, content);
  return path;
}

const REQUIRED: NodeJS.ProcessEnv = {
  DATABASE_URL: 'postgres://outdial:hush@localhost:5432/outdial',
  REDIS_URL: 'redis://localhost:6379',
  OPERATOR_TOKEN: 'operator-token-of-this-test',
  CARRIER: 'simulator',
};

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  throw new Error('it was accepted');
}

const NAMES = readFileSync(join(__dirname, '../../.env.example'), 'utf8').match(/^[A-Z_]+(?==)/gm) ?? [];

test.each(Object.keys(REQUIRED))('%s may be read from a file, with or without a final line break', (name) => {
  for (const ending of ['', '\n', '\r\n']) {
    const env = { ...REQUIRED, [name]: undefined, [`${name}_FILE`]: file(`${REQUIRED[name]}${ending}`) };
    expect(loadConfig(env)).toEqual(loadConfig(REQUIRED));
  }
});

test('every other variable may be read from a file, too', () => {
  expect(NAMES).toEqual(expect.arrayContaining(['METRICS_TOKEN', 'SIMULATOR_CALLBACK_TOKEN']));
  for (const name of NAMES) {
    const env = { ...REQUIRED, [name]: undefined, [`${name}_FILE`]: '/nowhere/secret' };
    const message = refusal(() => loadConfig(env));
    // Named once: that its value is missing, too, is no news.
    expect(message).toBe(
      `Invalid environment variables:\n  ${name}_FILE: names a file that cannot be read (ENOENT)`,
    );
  }
});

test('only the final line break is removed from the value', () => {
  const env = { ...REQUIRED, OPERATOR_TOKEN: undefined, OPERATOR_TOKEN_FILE: file(' sixteen-letters-\n') };
  expect(refusal(() => loadConfig(env))).toMatch(/OPERATOR_TOKEN: must be 16 to 500 printable/);
});

test('variables with two sources, and empty or unreadable files, are refused by name without content or path', () => {
  const secret = 'hush-this-is-secret';
  const message = refusal(() =>
    loadConfig({
      ...REQUIRED,
      OPERATOR_TOKEN_FILE: file(secret),
      METRICS_TOKEN_FILE: file('\n'),
      SIMULATOR_CALLBACK_TOKEN_FILE: directory,
      REDIS_URL: undefined,
      REDIS_URL_FILE: file(`http://${secret}`),
    }),
  );
  expect(message.split('\n').slice(1)).toEqual([
    '  REDIS_URL: must be a redis:// or rediss:// URL',
    '  OPERATOR_TOKEN: is set, and so is OPERATOR_TOKEN_FILE; keep one of them',
    '  METRICS_TOKEN_FILE: names a file that is empty',
    '  SIMULATOR_CALLBACK_TOKEN_FILE: names a file that cannot be read (EISDIR)',
  ]);
  expect(message).not.toContain(secret);
  expect(message).not.toContain(directory);
});

test('an empty file name counts as unset, and other variables with the same ending are ignored', () => {
  const env = { ...REQUIRED, OPERATOR_TOKEN_FILE: '', POSTGRES_PASSWORD_FILE: '/nowhere' };
  expect(loadConfig(env)).toEqual(loadConfig(REQUIRED));
});

test('commands that only need DATABASE_URL read it from a file as well', () => {
  const url = REQUIRED.DATABASE_URL ?? '';
  expect(loadDatabaseUrl({ DATABASE_URL_FILE: file(`${url}\n`) })).toBe(url);
  expect(refusal(() => loadDatabaseUrl({ DATABASE_URL: url, DATABASE_URL_FILE: file(url) }))).toMatch(
    /DATABASE_URL: is set, and so is DATABASE_URL_FILE/,
  );
  expect(refusal(() => loadDatabaseUrl({ DATABASE_URL_FILE: '/nowhere' }))).toMatch(
    /DATABASE_URL_FILE: names/,
  );
});

test('a program that starts another one passes on the values, and no file names', () => {
  const env: NodeJS.ProcessEnv = {
    CARRIER: 'simulator',
    METRICS_TOKEN_FILE: file('sixteen-letters-\n'),
    HOME: '/',
  };
  takeFileVariables(env);
  expect(env).toEqual({ CARRIER: 'simulator', METRICS_TOKEN: 'sixteen-letters-', HOME: '/' });
  expect(refusal(() => takeFileVariables({ METRICS_TOKEN_FILE: '/nowhere' }))).toMatch(/METRICS_TOKEN_FILE/);
});
