import { CallQueue } from '../../src/queue/call-queue.js';
import { Calling, reasonOf } from '../support/calling.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller, hoursOpeningIn } from '../support/call-builders.js';
import { eventually } from '../support/eventually.js';
import { testRedisUrl } from '../support/redis.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

// The API and the worker reach Postgres and Redis through proxies, which break; the tests themselves do not.
let calling: Calling;
let postgres: TcpProxy;
let redis: TcpProxy;
let caller: Caller;

beforeAll(async () => {
  redis = await startTcpProxy(testRedisUrl());
  calling = await Calling.start({ redisUrl: redis.url }, async ({ config }) => {
    postgres = await startTcpProxy(config.databaseUrl);
    config.databaseUrl = postgres.url;
  });
  await calling.startWorker();
  caller = await buildCaller(calling.db);
});
afterAll(async () => {
  await calling.close();
  await Promise.all([postgres.close(), redis.close()]);
});
afterEach(() => Promise.all([postgres.restore(), redis.restore()]));

const UNAVAILABLE = {
  success: false,
  message: 'The service is temporarily unavailable; try again shortly',
  reason: 'SERVICE_UNAVAILABLE',
  retryable: true,
};

const redisIs = (connected: boolean) =>
  eventually(
    () => Promise.resolve(calling.api.get(CallQueue, { strict: false }).available),
    (available) => available === connected,
  );

describe('while Postgres is unavailable', () => {
  test('the call endpoint answers 500, SERVICE_UNAVAILABLE and Retry-After; others answer 503; both recover', async () => {
    const closed = await buildCaller(calling.db, {}, hoursOpeningIn(3));
    const id = await calling.accepted(closed, { phoneNumber: nextNumber() });
    await postgres.cut();
    for (const body of [{ phoneNumber: nextNumber() }, {}]) {
      const answer = await calling.trigger(caller, body);
      expect([answer.status, answer.body]).toEqual([500, UNAVAILABLE]);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    }
    for (const answer of [await calling.get(closed, id), await calling.cancel(closed, id)]) {
      expect([answer.status, answer.body]).toEqual([503, { error: expect.any(String) as string }]);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
    }
    await postgres.restore();
    await calling.accepted(caller, { phoneNumber: nextNumber() });
    await calling.cancel(closed, id).expect(200);
  });

  test('each trigger is answered with the same message if Postgres disconnects during it', async () => {
    const answers = Array.from({ length: 20 }, async () =>
      calling.trigger(caller, { phoneNumber: nextNumber() }),
    );
    await Promise.race(answers);
    await postgres.cut();
    for (const answer of await Promise.all(answers)) {
      if (answer.status !== 200) expect([answer.status, answer.body]).toEqual([500, UNAVAILABLE]);
    }
    await postgres.restore();
    await calling.accepted(caller, { phoneNumber: nextNumber() });
  });
});

test('an unexpected error is 500 with success, message and reason, without details of the error', async () => {
  const broken = await buildCaller(calling.db, {}, { calling_hours: { monday: 'all day' } });
  const answer = await calling.trigger(broken, { phoneNumber: nextNumber() });
  expect([answer.status, answer.body]).toEqual([
    500,
    { success: false, message: 'Internal server error', reason: 'INTERNAL', retryable: true },
  ]);
  expect(await calling.rows(broken.teamId)).toEqual([]);
});

describe('while Redis is unavailable', () => {
  test.each(['gone', 'hanging'])(
    '%s: triggers answer 200, refusals do not change, and no call is lost',
    async (how) => {
      if (how === 'gone') {
        await redis.cut();
        await redisIs(false);
      } else redis.freeze();
      const numbers = Array.from({ length: 5 }, nextNumber);
      const started = performance.now();
      const ids = await Promise.all(numbers.map((phoneNumber) => calling.accepted(caller, { phoneNumber })));
      expect(reasonOf(await calling.trigger(caller, { phoneNumber: numbers[0] }))).toBe('ALREADY_SCHEDULED');
      await calling.cancel(caller, ids[0] as string).expect(200);
      expect(performance.now() - started).toBeLessThan(10_000);
      await redis.restore();
      await redisIs(true);
      for (const id of ids.slice(1)) await calling.until(caller, id, 'completed');
      expect(calling.dials(numbers[0])).toEqual([]);
      for (const number of numbers.slice(1)) expect(calling.dials(number)).toHaveLength(1);
    },
  );
});
