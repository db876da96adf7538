import { randomUUID } from 'node:crypto';
import { type CallReason, refusal, refusalBody } from '../support/call-answers.js';
import { Calling } from '../support/calling.js';
import { buildPhoneNumber, buildPool, insertRow, nextNumber, type Row } from '../support/builders.js';
import { buildCaller, type Caller, hoursOpeningIn } from '../support/call-builders.js';

const calling = Calling.ofFile();

/** A refusal that comes before anything is stored. */
interface EarlyRefusal {
  reason: CallReason;
  when: string;
  body?: (caller: Caller) => Promise<object> | object;
  agent?: (caller: Caller) => Promise<void>;
}

const EARLY: EarlyRefusal[] = [
  {
    reason: 'FROM_NUMBER_INVALID',
    when: 'fromPhoneNumber is not a number of the team',
    body: () => ({ fromPhoneNumber: '+14155550100' }),
  },
  {
    reason: 'FROM_NUMBER_INVALID',
    when: 'fromPhoneNumber is another team’s',
    body: async () => ({ fromPhoneNumber: (await buildCaller(calling.db)).callerNumber }),
  },
  {
    reason: 'FROM_NUMBER_INVALID',
    when: 'fromPhoneNumber is not active',
    body: async ({ teamId }) => ({
      fromPhoneNumber: (await buildPhoneNumber(calling.db, teamId, { active: false })).phone_number,
    }),
  },
  {
    reason: 'FROM_NUMBER_INVALID',
    when: 'fromPhoneNumber has no outbound calling',
    body: async ({ teamId }) => ({
      fromPhoneNumber: (await buildPhoneNumber(calling.db, teamId, { outbound_enabled: false })).phone_number,
    }),
  },
  {
    reason: 'FROM_NUMBER_INVALID',
    when: 'fromPhoneNumber is no phone number',
    body: () => ({ fromPhoneNumber: 'reception' }),
  },
  {
    reason: 'FROM_NUMBER_INVALID',
    when: 'fromPhoneNumber is bad and a good pool is sent beside it',
    body: async (caller) => ({ fromPhoneNumber: '+14155550100', numberPoolId: await poolOf(caller) }),
  },
  {
    reason: 'NUMBER_POOL_INVALID',
    when: 'the pool is unknown',
    body: () => ({ numberPoolId: randomUUID() }),
  },
  {
    reason: 'NUMBER_POOL_INVALID',
    when: 'the pool’s id is malformed',
    body: () => ({ numberPoolId: 'main' }),
  },
  { reason: 'NUMBER_POOL_INVALID', when: 'the pool’s id is no string', body: () => ({ numberPoolId: 7 }) },
  {
    reason: 'NUMBER_POOL_INVALID',
    when: 'the pool is another team’s',
    body: async () => ({ numberPoolId: await poolOf(await buildCaller(calling.db)) }),
  },
  {
    reason: 'NUMBER_POOL_INVALID',
    when: 'the pool is empty',
    body: async ({ teamId }) => ({ numberPoolId: (await buildPool(calling.db, teamId)).id }),
  },
  {
    reason: 'NUMBER_POOL_INVALID',
    when: 'no number of the pool is usable, though the agent’s is',
    body: async ({ teamId }) => {
      const { phone_number } = await buildPhoneNumber(calling.db, teamId, { active: false });
      const { id } = await buildPool(calling.db, teamId);
      await insertRow(calling.db, 'number_pool_members', {
        team_id: teamId,
        number_pool_id: id,
        phone_number,
      });
      return { numberPoolId: id };
    },
  },
  {
    reason: 'NO_CALLER_ID',
    when: 'the agent has neither number nor pool',
    agent: async ({ agentId }) => {
      await calling.db.query('UPDATE voice_agents SET outbound_phone_number = NULL WHERE id = $1', [agentId]);
    },
  },
  {
    reason: 'NO_CALLER_ID',
    when: 'the agent’s number is not active',
    agent: async ({ callerNumber }) => {
      await calling.db.query('UPDATE phone_numbers SET active = false WHERE phone_number = $1', [
        callerNumber,
      ]);
    },
  },
  {
    reason: 'NO_CALLER_ID',
    when: 'the agent’s pool is empty: its number is no substitute',
    agent: async ({ teamId, agentId }) => {
      const { id } = await buildPool(calling.db, teamId);
      await calling.db.query('UPDATE voice_agents SET number_pool_id = $1 WHERE id = $2', [id, agentId]);
    },
  },
];

async function poolOf({ teamId, callerNumber }: Caller): Promise<string> {
  const { id } = await buildPool(calling.db, teamId);
  await insertRow(calling.db, 'number_pool_members', {
    team_id: teamId,
    number_pool_id: id,
    phone_number: callerNumber,
  });
  return id;
}

describe.each(['inside', 'outside'])('400, %s calling hours', (where) => {
  test.each(EARLY)('$reason: $when; leaves nothing', async ({ reason, agent, body }) => {
    const caller = await buildCaller(calling.db, {}, where === 'inside' ? {} : hoursOpeningIn(2));
    await agent?.(caller);
    const extra = (await body?.(caller)) ?? {};
    const answer = await calling.trigger(caller, { phoneNumber: nextNumber(), name: 'Ada', ...extra });
    expect(refusal(answer)).toEqual([400, refusalBody(400, reason)]);
    const contacts = await calling.db.query<Row[]>('SELECT * FROM contacts WHERE team_id = $1', [
      caller.teamId,
    ]);
    expect(contacts).toEqual([]);
    expect(await calling.rows(caller.teamId)).toEqual([]);
  });
});
