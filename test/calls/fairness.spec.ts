import { randomUUID } from 'node:crypto';
import { buildContact, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { LockHolder } from '../support/lock-holder.js';
import { buildStoredCall } from '../support/number-history.js';
import { triggerDirectly } from '../support/trigger-directly.js';

// One team's requests wait for a lock that a test holds, or come by the hundred; another team's are answered
// before.
const calling = Calling.ofFile();
const holder = LockHolder.ofFile(calling);

const MANY = 30;
const times = <T>(count: number, act: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)));

/**
 * While `hold` is held: starts `blocked`, waits until one of them waits, and expects `others` before any of
 * their answers.
 */
async function answeredBefore(
  hold: () => Promise<unknown>,
  blocked: () => Promise<{ status: number }>[],
  others: () => Promise<{ status: number }[]>,
): Promise<void> {
  await holder.query('BEGIN');
  let answered = 0;
  let running: Promise<unknown>[] = [];
  let statuses: number[];
  let before: number;
  try {
    await hold();
    running = blocked().map((request) => request.then(() => (answered += 1)));
    await holder.waited();
    statuses = (await others()).map(({ status }) => status);
    before = answered;
  } finally {
    await holder.query('ROLLBACK');
    await Promise.all(running);
  }
  expect(statuses.filter((status) => status >= 300)).toEqual([]);
  expect(before).toBe(0);
}

const trigger = (caller: Caller, phoneNumber: string, key?: string) => {
  const request = calling.trigger(caller, { phoneNumber });
  return (key === undefined ? request : request.set('Idempotency-Key', key)).then((answer) => answer);
};
const write = (
  { apiKey }: Pick<Caller, 'apiKey'>,
  path: string,
  body: object,
  key?: string,
): Promise<{ status: number }> => {
  const request = calling.http().post(`/api/${path}`).set(bearer(apiKey)).send(body);
  return (key === undefined ? request : request.set('Idempotency-Key', key)).then((answer) => answer);
};
const upsert = (caller: Pick<Caller, 'apiKey'>, phoneNumber: string, key?: string) =>
  write(caller, 'campaigns/contact-enrollments', { phoneNumber, name: randomUUID() }, key);

/** One request of each kind of another team. */
async function everyKind(caller: Caller): Promise<{ status: number }[]> {
  const { id } = await buildStoredCall(calling.db, caller, nextNumber());
  const { id: contactId } = await buildContact(calling.db, caller.teamId);
  const campaign = await activeCampaign(caller);
  return Promise.all([
    trigger(caller, nextNumber()),
    trigger(caller, nextNumber(), randomUUID()),
    upsert(caller, nextNumber()),
    upsert(caller, nextNumber(), randomUUID()),
    write(caller, 'campaigns/enrollments', { contactId, campaignId: campaign }),
    calling.cancel(caller, id).then((answer) => answer),
  ]);
}

async function activeCampaign({ teamId }: Caller): Promise<string> {
  const campaign = { name: 'C', status: 'active' };
  const created = await calling.operated('post', `/teams/${teamId}/campaigns`, campaign);
  return (created.body as { id: string }).id;
}

describe('while a number’s lock is held', () => {
  test.each([
    ['with keys', true],
    ['without keys', false],
  ])('triggers to it, %s, delay no other team', async (_, keyed) => {
    const [caller, other] = [await buildCaller(calling.db), await buildCaller(calling.db)];
    const number = nextNumber();
    await answeredBefore(
      () => holder.number(caller, number),
      () => Array.from({ length: MANY }, () => trigger(caller, number, keyed ? randomUUID() : undefined)),
      () => everyKind(other),
    );
  });

  test('cancellations delay no other team', async () => {
    const [caller, other] = [await buildCaller(calling.db), await buildCaller(calling.db)];
    const number = nextNumber();
    const calls = await times(MANY, () => buildStoredCall(calling.db, caller, number));
    await answeredBefore(
      () => holder.number(caller, number),
      () => calls.map(({ id }) => calling.cancel(caller, id).then((answer) => answer)),
      () => everyKind(other),
    );
  });

  test('requests of several teams, each to its own number, delay no other team', async () => {
    const callers = await times(4, () => buildCaller(calling.db));
    const other = await buildCaller(calling.db);
    const number = nextNumber();
    await answeredBefore(
      () => Promise.all(callers.map((caller) => holder.number(caller, number))),
      () =>
        callers.flatMap((caller) => Array.from({ length: 8 }, () => trigger(caller, number, randomUUID()))),
      () => everyKind(other),
    );
  });

  test('requests to the team’s other numbers are answered', async () => {
    const caller = await buildCaller(calling.db, { monthly_call_limit: 1_000 });
    const number = nextNumber();
    await answeredBefore(
      () => holder.number(caller, number),
      () => Array.from({ length: MANY }, () => trigger(caller, number, randomUUID())),
      () => times(10, () => trigger(caller, nextNumber())),
    );
  });

  test('a repeated keyed trigger is 409 at once while the first one waits', async () => {
    const caller = await buildCaller(calling.db);
    const number = nextNumber();
    await holder.query('BEGIN');
    await holder.number(caller, number);
    const first = trigger(caller, number, 'once');
    await holder.waited();
    const repeated = await trigger(caller, number, 'once');
    await holder.query('ROLLBACK');
    expect([repeated.status, (await first).status]).toEqual([409, 200]);
  });
});

test('while a team’s lock is held, triggers of the team delay no other team', async () => {
  const [caller, other] = [
    await buildCaller(calling.db, { monthly_call_limit: 1_000 }),
    await buildCaller(calling.db, { monthly_call_limit: 1_000 }),
  ];
  await answeredBefore(
    () => holder.team(caller),
    () =>
      Array.from({ length: MANY }, (_, n) => trigger(caller, nextNumber(), n % 2 ? randomUUID() : undefined)),
    () => everyKind(other),
  );
});

describe('while the row of a contact is locked', () => {
  test('writes of the contact, with and without keys, delay no other team’s writes of the same number', async () => {
    const [caller, other] = [await buildCaller(calling.db), await buildCaller(calling.db)];
    const number = nextNumber();
    await upsert(caller, number);
    await answeredBefore(
      () => holder.contact(caller, number),
      () => Array.from({ length: MANY }, (_, n) => upsert(caller, number, n % 2 ? randomUUID() : undefined)),
      async () => [...(await times(5, () => upsert(other, number))), ...(await everyKind(other))],
    );
  });

  test('enrollments of the contact delay no other team’s enrollments', async () => {
    const [caller, other] = [await buildCaller(calling.db), await buildCaller(calling.db)];
    const number = nextNumber();
    const { id: contactId } = await buildContact(calling.db, caller.teamId, { phone_number: number });
    const campaigns = await times(MANY, () => activeCampaign(caller));
    await answeredBefore(
      () => holder.contact(caller, number),
      () => campaigns.map((campaignId) => write(caller, 'campaigns/enrollments', { contactId, campaignId })),
      () => everyKind(other),
    );
  });

  test('requests with invented keys do not wait', async () => {
    const caller = await buildCaller(calling.db);
    const number = nextNumber();
    await upsert(caller, number);
    await answeredBefore(
      () => holder.contact(caller, number),
      () => [upsert(caller, number)],
      async () => {
        const answers = await times(MANY, () => upsert({ apiKey: randomUUID() }, number));
        expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
        return [];
      },
    );
  });
});

/** A trigger without the route: several of one iteration of the event loop share a batch. */
const ask = (caller: Caller) => triggerDirectly(calling, caller, { phoneNumber: nextNumber() });

describe('a burst of requests of a team near its plan’s limit', () => {
  test('is answered and counted completely, and another such team is answered meanwhile', async () => {
    const [caller, other] = [
      await buildCaller(calling.db, { monthly_call_limit: 990 }),
      await buildCaller(calling.db, { monthly_call_limit: 1_500 }),
    ];
    let answered = 0;
    const burst = times(1_000, async () => {
      const { kind } = await ask(caller);
      answered += 1;
      return kind;
    });
    const others = await times(5, () => ask(other));
    const before = answered;
    const kinds = await burst;
    expect(others.map(({ kind }) => kind)).toEqual(others.map(() => 'accepted'));
    expect(before).toBeLessThan(500);
    expect(kinds.filter((kind) => kind === 'accepted')).toHaveLength(990);
    expect(kinds.filter((kind) => kind === 'refused')).toHaveLength(10);
    expect(Object.values(await calling.usage(caller.teamId))).toEqual([990]);
  });

  test('needs far fewer transactions than requests', async () => {
    const caller = await buildCaller(calling.db, { monthly_call_limit: 1_000 });
    const kinds = await times(320, async () => (await ask(caller)).kind);
    expect(new Set(kinds)).toEqual(new Set(['accepted']));
    const [row] = await calling.db.query<{ n: number }[]>(
      'SELECT count(DISTINCT xmin::text)::integer AS n FROM call_requests WHERE team_id = $1',
      [caller.teamId],
    );
    expect(row?.n).toBeLessThan(100);
  });
});

test('a burst of one team does not delay another team’s request beyond the next batch', async () => {
  const [caller, other] = [await buildCaller(calling.db), await buildCaller(calling.db)];
  let answered = 0;
  const burst = times(600, async () => {
    const { kind } = await ask(caller);
    answered += 1;
    return kind;
  });
  await ask(other);
  expect(answered).toBeLessThan(300);
  expect(new Set(await burst)).toEqual(new Set(['accepted']));
});
