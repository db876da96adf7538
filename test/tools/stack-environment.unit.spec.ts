import { stackEnvironment } from '../../tools/stack/environment.js';

const services = { databaseUrl: 'postgres://login@localhost/x', redisUrl: 'redis://localhost' };
const GIVEN = {
  OPERATOR_TOKEN: 'operator-token-of-the-tests',
  BULL_BOARD_PASSWORD: 'board-password',
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

test('the processes get the URLs of their roles', async () => {
  const databaseOperatorUrl = 'postgres://owner@localhost/x';
  const env = await stackEnvironment(GIVEN, { ...services, databaseOperatorUrl });
  expect(env).toMatchObject({
    DATABASE_URL: services.databaseUrl,
    DATABASE_OPERATOR_URL: databaseOperatorUrl,
  });
  expect(await stackEnvironment(GIVEN, services)).not.toHaveProperty('DATABASE_OPERATOR_URL');
});
