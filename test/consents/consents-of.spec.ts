import { type Client } from 'pg';
import fc from 'fast-check';
import { PLANNING } from '../../src/database/session.js';
import { connectRestricted, asTeam, attempt } from '../database/restricted.js';
import { buildConsent, insertRow, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { hoursAgo, Ledger } from '../support/consent-ledger.js';

const calling = Calling.ofFile();
const ledger = new Ledger(calling);
let caller: Caller;
let number: string;

beforeEach(async () => {
  caller = await buildCaller(calling.db);
  number = nextNumber();
});

test('a number without a consent has an empty array', async () => {
  expect(await ledger.facts(caller, [number])).toEqual([]);
  expect(await ledger.facts(caller, [])).toEqual([]);
});

test('the consents are facts with all their keys, the earliest first', async () => {
  const later = await ledger.recorded(caller, number, {
    level: 'expressWritten',
    purpose: 'debt',
    voice: 'live',
    grantedAt: '2026-02-03T04:05:06.789Z',
    expiresAt: '2099-01-01T00:00:00.000Z',
  });
  const first = await ledger.recorded(caller, number, { grantedAt: '2026-01-01T00:00:00.000Z' });
  expect(await ledger.facts(caller, [number, 'erased:none'])).toEqual([
    {
      id: first.id,
      level: 'express',
      purpose: null,
      voice: null,
      grantedAt: '2026-01-01T00:00:00.000Z',
      expiresAt: null,
    },
    {
      id: later.id,
      level: 'expressWritten',
      purpose: 'debt',
      voice: 'live',
      grantedAt: '2026-02-03T04:05:06.789Z',
      expiresAt: '2099-01-01T00:00:00.000Z',
    },
  ]);
});

test('a consent is in force from its instant to the one before its end', async () => {
  const [granted, expires] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'];
  const { id } = await ledger.recorded(caller, number, { grantedAt: granted, expiresAt: expires });
  const at = async (instant: string, ms = 0) =>
    (await ledger.facts(caller, [number], new Date(Date.parse(instant) + ms))).length;
  expect([await at(granted, -1), await at(granted), await at(expires, -1), await at(expires)]).toEqual([
    0, 1, 1, 0,
  ]);
  const revoked = '2026-01-15T00:00:00.000Z';
  await ledger.revoke(caller, id, { at: revoked }).expect(200);
  expect([await at(granted), await at(revoked, -1), await at(revoked)]).toEqual([1, 1, 0]);
});

test('an opt-out at the instant of a consent ends it', async () => {
  const at = new Date('2026-01-01T00:00:00.000Z');
  await ledger.recorded(caller, number, { grantedAt: at.toISOString() });
  await ledger.recorded(caller, number, { grantedAt: new Date(at.getTime() + 1).toISOString() });
  await insertRow(calling.db, 'consent_endings', {
    team_id: caller.teamId,
    phone_number: number,
    ended_at: at,
    created_at: new Date(),
  });
  expect((await ledger.facts(caller, [number])).map(({ grantedAt }) => grantedAt)).toEqual([
    '2026-01-01T00:00:00.001Z',
  ]);
});

test('any history gives the consents that its definition gives', async () => {
  const instant = fc.integer({ min: 0, max: 12 });
  const history = fc.record({
    consents: fc.array(
      fc.record({
        granted: instant,
        expires: fc.option(instant),
        revoked: fc.option(instant),
        form: fc.integer({ min: 0, max: 1 }),
      }),
      { maxLength: 4 },
    ),
    optOuts: fc.array(fc.record({ at: instant, form: fc.integer({ min: 0, max: 1 }) }), { maxLength: 3 }),
    at: instant,
  });
  const dateOf = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour));
  await fc.assert(
    fc.asyncProperty(history, async ({ consents, optOuts, at }) => {
      const forms = [nextNumber(), nextNumber()];
      const wanted: string[] = [];
      for (const { granted, expires, revoked, form } of consents) {
        const isExpiring = expires !== null && expires > granted;
        const { id } = await buildConsent(calling.db, caller.teamId, {
          phone_number: forms[form],
          granted_at: dateOf(granted),
          expires_at: isExpiring ? dateOf(expires) : null,
        });
        const isRevoked = revoked !== null && revoked >= granted;
        if (isRevoked)
          await insertRow(calling.db, 'consent_endings', {
            team_id: caller.teamId,
            phone_number: forms[form],
            consent_id: id,
            ended_at: dateOf(revoked),
            created_at: new Date(),
          });
        const isOptedOut = optOuts.some((one) => one.at >= granted && one.at <= at);
        if (granted <= at && !(isExpiring && expires <= at) && !(isRevoked && revoked <= at) && !isOptedOut)
          wanted.push(id);
      }
      for (const optOut of optOuts)
        await insertRow(calling.db, 'consent_endings', {
          team_id: caller.teamId,
          phone_number: forms[optOut.form],
          ended_at: dateOf(optOut.at),
          created_at: new Date(),
        });
      const facts = await ledger.facts(caller, forms, dateOf(at));
      expect(facts.map(({ id }) => id).sort()).toEqual(wanted.sort());
    }),
    { numRuns: 60 },
  );
});

describe('the processes', () => {
  let restricted: Client;

  beforeAll(async () => {
    restricted = await connectRestricted(calling.world.config.databaseUrl);
  });
  afterAll(() => restricted.end());

  test('read the consents of the teams whose rows they see, and of no other', async () => {
    await ledger.recorded(caller, number);
    const ask = () =>
      attempt(restricted, 'SELECT jsonb_array_length(consents_of($1, $2, now())) AS n', [
        caller.teamId,
        [number],
      ]);
    const { teamId: other } = await buildCaller(calling.db);
    expect(await asTeam(restricted, caller.teamId, ask)).toEqual([{ n: 1 }]);
    expect(await asTeam(restricted, `${other},${caller.teamId}`, ask)).toEqual([{ n: 1 }]);
    expect(await asTeam(restricted, other, ask)).toEqual([{ n: 0 }]);
    expect(await asTeam(restricted, null, ask)).toEqual([{ n: 0 }]);
  });

  test('look each number up in the index, also among many', async () => {
    await calling.db.query(
      `INSERT INTO consents (team_id, phone_number, level, source, granted_at, created_at)
       SELECT $1, '+1212' || (2000000 + n), 'express', 'x', now(), now() FROM generate_series(1, 500) n`,
      [caller.teamId],
    );
    await calling.db.query(
      `INSERT INTO consent_endings (team_id, phone_number, ended_at, created_at)
       SELECT $1, '+1213' || (2000000 + n), now(), now() FROM generate_series(1, 20000) n`,
      [caller.teamId],
    );
    // Of a hundred teams with few people each, Postgres would rather read a team than look a number up.
    const others = Array.from({ length: 100 }, () => buildCaller(calling.db));
    for (const { teamId } of await Promise.all(others)) {
      await calling.db.query(
        `INSERT INTO consents (team_id, phone_number, level, source, granted_at, created_at)
         SELECT $1, '+1212' || (3000000 + n), 'express', 'x', now(), now() FROM generate_series(1, 100) n`,
        [teamId],
      );
    }
    await calling.db.query('ANALYZE consents, consent_endings');
    await ledger.recorded(caller, number, { grantedAt: hoursAgo(2) });
    const read = await asTeam(restricted, caller.teamId, async () => {
      for (const [name, value] of Object.entries(PLANNING)) {
        await restricted.query('SELECT set_config($1, $2, true)', [name, value]);
      }
      const { rows: found } = await restricted.query<{ n: number }>(
        'SELECT jsonb_array_length(consents_of($1, $2, now())) AS n',
        [caller.teamId, [number, 'erased:x']],
      );
      expect(found).toEqual([{ n: 1 }]);
      const { rows } = await restricted.query<{ read: number }>(
        `SELECT sum(seq_tup_read + idx_tup_fetch)::integer AS read FROM pg_stat_xact_user_tables
         WHERE relname IN ('consents', 'consent_endings')`,
      );
      return rows[0]?.read;
    });
    // Not those of the people of the team.
    expect(read).toBeLessThan(10);
  });
});
