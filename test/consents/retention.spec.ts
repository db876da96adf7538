import { type INestApplicationContext } from '@nestjs/common';
import { ConsentRetention } from '../../src/consents/consent-retention.service.js';
import { buildConsent, insertRow, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling, NEVER_MS } from '../support/calling.js';

const DAY_MS = 86_400_000;

const calling = Calling.ofFile({ consentRetentionDays: 1_000 });
let worker: INestApplicationContext;
let caller: Caller;

beforeAll(async () => {
  worker = await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
});
beforeEach(async () => {
  caller = await buildCaller(calling.db);
});

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const removeOld = () =>
  worker.get(ConsentRetention, { strict: false }).removeOld(new AbortController().signal);

async function consent(phoneNumber: string, granted: number, expires: number | null = null): Promise<string> {
  const { id } = await buildConsent(calling.db, caller.teamId, {
    phone_number: phoneNumber,
    granted_at: daysAgo(granted),
    expires_at: expires === null ? null : daysAgo(expires),
    created_at: daysAgo(granted),
  });
  return id;
}

const ending = (phoneNumber: string, ended: number, consentId: string | null = null) =>
  insertRow(calling.db, 'consent_endings', {
    team_id: caller.teamId,
    phone_number: phoneNumber,
    consent_id: consentId,
    ended_at: daysAgo(ended),
    created_at: daysAgo(ended),
  });

async function left(): Promise<{ consents: string[]; endings: number }> {
  const of = [caller.teamId];
  const rows = await calling.db.query<{ id: string }[]>('SELECT id FROM consents WHERE team_id = $1', of);
  const ends = await calling.db.query<object[]>('SELECT FROM consent_endings WHERE team_id = $1', of);
  return { consents: rows.map(({ id }) => id).sort(), endings: ends.length };
}

test('a consent is removed the set number of days after its end, and not before', async () => {
  const [one, two, three] = [nextNumber(), nextNumber(), nextNumber()];
  // Ended by an expiry, a revocation and an opt-out, each before and within the retention.
  await consent(one, 2_000, 1_001);
  const kept = [await consent(one, 2_000, 999)];
  await ending(two, 1_001, await consent(two, 2_000));
  const revoked = await consent(two, 2_000);
  await ending(two, 999, revoked);
  await consent(three, 2_000);
  await ending(three, 1_001);
  kept.push(revoked, await consent(three, 1_000), await consent(nextNumber(), 5_000));
  await removeOld();
  expect(await left()).toEqual({ consents: kept.sort(), endings: 1 });
  expect(await removeOld()).toBe(0);
});

test('an opt-out is removed with all consents that it ended, so that none is revived', async () => {
  const number = nextNumber();
  for (let n = 0; n < 3; n += 1) await consent(number, 3_000 + n);
  const revoked = await consent(number, 3_500);
  await ending(number, 2_500, revoked);
  await ending(number, 2_000);
  const later = await consent(number, 1_999);
  await removeOld();
  expect(await left()).toEqual({ consents: [later], endings: 0 });
});

test('more ends than one statement takes are all removed', async () => {
  await calling.db.query(
    `INSERT INTO consent_endings (team_id, phone_number, ended_at, created_at)
     SELECT $1, '+1212' || (2000000 + n), now() - interval '1001 days', now() FROM generate_series(1, 1200) n`,
    [caller.teamId],
  );
  expect(await removeOld()).toBe(1_200);
  expect(await left()).toEqual({ consents: [], endings: 0 });
});
