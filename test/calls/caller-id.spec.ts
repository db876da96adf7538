import { Calling } from '../support/calling.js';
import { buildPhoneNumber, buildPool, insertRow, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';

// The worker takes no jobs of its own here: each wake-up is a test's.
const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();

async function addNumber({ teamId }: Caller): Promise<string> {
  return (await buildPhoneNumber(calling.db, teamId)).phone_number;
}

async function addPool(caller: Caller, ...numbers: string[]): Promise<string> {
  const { id } = await buildPool(calling.db, caller.teamId);
  for (const phone_number of numbers) {
    const keys = { team_id: caller.teamId, number_pool_id: id };
    await insertRow(calling.db, 'number_pool_members', { ...keys, phone_number });
  }
  return id;
}

const setAgent = ({ agentId }: Caller, column: string, value: string | null) =>
  calling.db.query(`UPDATE voice_agents SET ${column} = $1 WHERE id = $2`, [value, agentId]);
const deactivate = (number: string, column = 'active') =>
  calling.db.query(`UPDATE phone_numbers SET ${column} = false WHERE phone_number = $1`, [number]);

/** Triggers and fires a call; gives the number that the carrier was told to show. */
async function shown(caller: Caller, request: object = {}): Promise<string | undefined> {
  const phoneNumber = nextNumber();
  const id = await calling.accepted(caller, { phoneNumber, ...request });
  expect(await worker.fire(id)).toEqual({ kind: 'claimed' });
  const call = (await calling.get(caller, id)).body as { callerId: string };
  const [dial] = calling.dials(phoneNumber);
  expect(dial?.from).toBe(call.callerId);
  return dial?.from;
}

describe('contract rule 3: the caller ID is', () => {
  test('the agent’s number', async () => {
    const caller = await buildCaller(calling.db);
    await addNumber(caller);
    expect(await shown(caller)).toBe(caller.callerNumber);
  });

  test('the agent’s pool before the agent’s number', async () => {
    const caller = await buildCaller(calling.db);
    const pooled = await addNumber(caller);
    await setAgent(caller, 'number_pool_id', await addPool(caller, pooled));
    expect(await shown(caller)).toBe(pooled);
  });

  test('the request’s number before both', async () => {
    const caller = await buildCaller(calling.db);
    await setAgent(caller, 'number_pool_id', await addPool(caller, await addNumber(caller)));
    const own = await addNumber(caller);
    expect(await shown(caller, { fromPhoneNumber: own })).toBe(own);
    expect(
      await shown(caller, { fromPhoneNumber: `${own.slice(0, 2)} (${own.slice(2, 5)}) ${own.slice(5)}` }),
    ).toBe(own);
  });

  test('the request’s pool before all, also when a number is sent beside it', async () => {
    const caller = await buildCaller(calling.db);
    await setAgent(caller, 'number_pool_id', await addPool(caller, await addNumber(caller)));
    const [own, pooled] = [await addNumber(caller), await addNumber(caller)];
    const numberPoolId = await addPool(caller, pooled);
    expect(await shown(caller, { numberPoolId })).toBe(pooled);
    expect(await shown(caller, { numberPoolId, fromPhoneNumber: own })).toBe(pooled);
    expect(await shown(caller, { numberPoolId: numberPoolId.toUpperCase() })).toBe(pooled);
    expect(await shown(caller, { numberPoolId: null, fromPhoneNumber: own })).toBe(own);
  });

  test('an agent without a number and a pool uses what the request sends', async () => {
    const caller = await buildCaller(calling.db);
    await setAgent(caller, 'outbound_phone_number', null);
    expect(await shown(caller, { fromPhoneNumber: caller.callerNumber })).toBe(caller.callerNumber);
    expect(await shown(caller, { numberPoolId: await addPool(caller, caller.callerNumber) })).toBe(
      caller.callerNumber,
    );
  });
});

describe('a pool', () => {
  test('assigns its numbers in turn, the least recently used first', async () => {
    const caller = await buildCaller(calling.db);
    const numbers = [await addNumber(caller), await addNumber(caller), await addNumber(caller)];
    const numberPoolId = await addPool(caller, ...numbers);
    const round = async () => [
      await shown(caller, { numberPoolId }),
      await shown(caller, { numberPoolId }),
      await shown(caller, { numberPoolId }),
    ];
    const first = await round();
    expect([...first].sort()).toEqual([...numbers].sort());
    expect(await round()).toEqual(first);
    // Use outside the pool is use.
    await shown(caller, { fromPhoneNumber: first[0] });
    expect(await round()).toEqual([first[1], first[2], first[0]]);
  });

  test('skips numbers that may not be used', async () => {
    const caller = await buildCaller(calling.db);
    const [inactive, inboundOnly, usable] = [
      await addNumber(caller),
      await addNumber(caller),
      await addNumber(caller),
    ];
    const numberPoolId = await addPool(caller, inactive, inboundOnly, usable);
    await deactivate(inactive);
    await deactivate(inboundOnly, 'outbound_enabled');
    expect([await shown(caller, { numberPoolId }), await shown(caller, { numberPoolId })]).toEqual([
      usable,
      usable,
    ]);
  });

  test('does not count a call that the carrier refused as a use', async () => {
    const caller = await buildCaller(calling.db);
    const numberPoolId = await addPool(caller, await addNumber(caller), await addNumber(caller));
    const first = await shown(caller, { numberPoolId });
    calling.setRules({ match: '*', outcome: 'refuse' });
    const refused = await shown(caller, { numberPoolId });
    calling.setRules();
    expect(refused).not.toBe(first);
    expect(await shown(caller, { numberPoolId })).toBe(refused);
  });

  test('distributes its numbers over the calls that are claimed at one instant', async () => {
    const caller = await buildCaller(calling.db);
    const numbers = [await addNumber(caller), await addNumber(caller), await addNumber(caller)];
    const numberPoolId = await addPool(caller, ...numbers);
    // The least recently used one is the third.
    for (const number of numbers.slice(0, 2)) await shown(caller, { fromPhoneNumber: number });
    const ids = [];
    for (let call = 0; call < 13; call += 1) {
      ids.push(await calling.accepted(caller, { phoneNumber: nextNumber(), numberPoolId }));
    }
    expect(await Promise.all(ids.map((id) => worker.fire(id)))).toEqual(Array(13).fill({ kind: 'claimed' }));
    const rows = await Promise.all(ids.map((id) => calling.row(id)));
    const picks = numbers.map((number) => rows.filter((row) => row.caller_id === number).length);
    expect(picks).toEqual([4, 4, 5]);
  });

  test('assigns a number to each call, also when calls fire at one instant', async () => {
    const caller = await buildCaller(calling.db);
    const numbers = [await addNumber(caller), await addNumber(caller)];
    const numberPoolId = await addPool(caller, ...numbers);
    const from = await Promise.all(Array.from({ length: 10 }, () => shown(caller, { numberPoolId })));
    for (const number of from) expect(numbers).toContain(number);
  });
});

describe('the caller ID is chosen at the claim', () => {
  /** A call that is accepted, and then fired once `change` was made. */
  async function firedAfter(caller: Caller, request: object, change: () => Promise<unknown>) {
    const phoneNumber = nextNumber();
    const id = await calling.accepted(caller, { phoneNumber, ...request });
    await change();
    const fired = await worker.fire(id);
    return { fired, row: await calling.row(id), dials: calling.dials(phoneNumber) };
  }

  test('from the pool and the agent as they are then', async () => {
    const caller = await buildCaller(calling.db);
    const [old, fresh] = [await addNumber(caller), await addNumber(caller)];
    const numberPoolId = await addPool(caller, old);
    const pooled = await firedAfter(caller, { numberPoolId }, async () => {
      const keys = { team_id: caller.teamId, number_pool_id: numberPoolId };
      await insertRow(calling.db, 'number_pool_members', { ...keys, phone_number: fresh });
      await deactivate(old);
    });
    expect(pooled.dials).toMatchObject([{ from: fresh }]);
    const agents = await firedAfter(caller, {}, () => setAgent(caller, 'outbound_phone_number', fresh));
    expect(agents.dials).toMatchObject([{ from: fresh }]);
  });

  test.each<[string, (caller: Caller) => Promise<object>]>([
    ['the agent’s number', () => Promise.resolve({})],
    ['the request’s number', async (caller) => ({ fromPhoneNumber: await addNumber(caller) })],
    [
      'the request’s pool',
      async (caller) => ({ numberPoolId: await addPool(caller, await addNumber(caller)) }),
    ],
    [
      'the agent’s pool',
      async (caller) => {
        await setAgent(caller, 'number_pool_id', await addPool(caller, await addNumber(caller)));
        return {};
      },
    ],
  ])('%s was deactivated since: blocked, without falling through', async (source, prepare) => {
    const caller = await buildCaller(calling.db);
    const request = await prepare(caller);
    const { fired, row, dials } = await firedAfter(caller, request, () =>
      calling.db.query(
        `UPDATE phone_numbers SET active = false WHERE team_id = $1 AND ($2 OR phone_number <> $3)`,
        [caller.teamId, source === 'the agent’s number', caller.callerNumber],
      ),
    );
    expect(fired).toEqual({ kind: 'blocked' });
    expect(row).toMatchObject({
      status: 'blocked',
      reason: 'NO_CALLER_ID',
      caller_id: null,
      claimed_at: null,
    });
    expect(row.history.at(-1)).toMatchObject({ from: 'queued', to: 'blocked', cause: 'NO_CALLER_ID' });
    expect(row.decisions.at(-1)).toMatchObject({ allow: true });
    expect(dials).toEqual([]);
  });

  test('a guardrail’s refusal precedes a missing caller ID', async () => {
    const caller = await buildCaller(calling.db);
    const { row } = await firedAfter(caller, {}, async () => {
      await deactivate(caller.callerNumber);
      await calling.db.query('UPDATE teams SET whitelist_only = true WHERE id = $1', [caller.teamId]);
    });
    expect(row).toMatchObject({ status: 'blocked', reason: 'NOT_WHITELISTED' });
  });
});
