import { stackEnvironment } from '../../tools/stack/environment.js';
import { whereThingsAre } from '../../tools/stack/where.js';

const services = { databaseUrl: 'postgres://login@localhost/x', redisUrl: 'redis://localhost' };
const GIVEN = {
  OPERATOR_TOKEN: 'operator-token-of-the-tests',
  BULL_BOARD_PASSWORD: 'board-password',
  SECRETS_KEY: 'secrets-key-of-the-tests',
  CARRIER: 'simulator',
};

test('npm start admits webhooks on this machine, unless it is told otherwise or runs in production', async () => {
  const allowed = async (env: NodeJS.ProcessEnv) =>
    (await stackEnvironment({ ...GIVEN, ...env }, services)).WEBHOOKS_ALLOW_PRIVATE;
  expect(await allowed({})).toBe('true');
  expect(await allowed({ NODE_ENV: 'development' })).toBe('true');
  expect(await allowed({ WEBHOOKS_ALLOW_PRIVATE: 'false' })).toBe('false');
  expect(await allowed({ NODE_ENV: 'production' })).toBeUndefined();
});

test('npm start makes a key for secrets once, unless one is given or it runs in production', async () => {
  const keyOf = async (env: NodeJS.ProcessEnv) =>
    (await stackEnvironment({ ...GIVEN, SECRETS_KEY: '', ...env }, services)).SECRETS_KEY;
  const made = await keyOf({});
  expect(made).toMatch(/^dev_[\w-]{32}$/);
  expect(await keyOf({})).toBe(made);
  expect(await keyOf({ SECRETS_KEY: 'a-key-that-is-given' })).toBe('a-key-that-is-given');
  for (const env of [{ NODE_ENV: 'production' }, { SECRETS_KEY_FILE: '/run/secrets/key' }])
    expect(await keyOf(env)).toBe('');
});

test('the processes get the URLs of their roles', async () => {
  const databaseOperatorUrl = 'postgres://owner@localhost/x';
  const env = await stackEnvironment(GIVEN, { ...services, databaseOperatorUrl });
  expect(env).toMatchObject({
    DATABASE_URL: services.databaseUrl,
    DATABASE_OPERATOR_URL: databaseOperatorUrl,
  });
  expect(await stackEnvironment(GIVEN, services)).not.toHaveProperty('DATABASE_OPERATOR_URL');
});

describe('what npm start prints', () => {
  const TOKEN = 'dev_token-of-this-checkout';
  const urls = {
    databaseUrl: 'postgres://login:pg-secret@127.0.0.1:5432/outdial',
    redisUrl: 'redis://:redis-secret@127.0.0.1:6379/0',
  };
  const env = {
    ...GIVEN,
    PORT: '3000',
    WORKER_PORT: '3001',
    BULL_BOARD_PASSWORD: TOKEN,
    OPERATOR_TOKEN: TOKEN,
  };

  test('has no password and no token, and says where they are', () => {
    const text = whereThingsAre({}, env, urls).join('\n');
    expect(text).not.toMatch(/pg-secret|redis-secret|dev_token/);
    expect(text).toContain('postgres://login@127.0.0.1:5432/outdial   (password: .data/secret)');
    expect(text).toContain('(user operator, password: .data/operator-token)');
    expect(text).toContain('Operator Authorization: Bearer $(cat .data/operator-token)');
  });

  test('has the link of the first operator, or else the page for signing in', () => {
    const link = 'http://127.0.0.1:3000/welcome/token';
    expect(whereThingsAre({}, env, urls, link).join('\n')).toContain(`Begin    ${link}`);
    const text = whereThingsAre({}, env, urls, null).join('\n');
    expect(text).toContain('Sign in  http://127.0.0.1:3000/login');
    expect(text).not.toContain('/welcome/');
  });

  test('has nothing of what was given', () => {
    const given = { ...GIVEN, DATABASE_URL: urls.databaseUrl, REDIS_URL: urls.redisUrl };
    const text = whereThingsAre(given, { ...env, ...GIVEN }, urls).join('\n');
    expect(text).not.toMatch(/secret|board-password|operator-token|127\.0\.0\.1:(5432|6379)/);
    expect(text).toContain('(user operator, password: as given)');
  });
});
