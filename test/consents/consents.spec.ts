import { type ConsentResource } from '../../src/consents/consent.dto.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { moveClock } from '../support/clock.js';
import { hoursAgo, Ledger } from '../support/consent-ledger.js';

const calling = Calling.ofFile();
const ledger = new Ledger(calling);
let caller: Caller;

beforeEach(async () => {
  caller = await buildCaller(calling.db, { default_country: 'US' });
});
afterEach(() => moveClock(calling.db, '0 seconds'));

const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
const ID = expect.stringMatching(/^[\da-f-]{36}$/) as string;

test('a consent is recorded, listed with its number in any notation, and revoked', async () => {
  const answer = await ledger
    .post(caller, {
      phoneNumber: '(415) 555-0142',
      level: 'expressWritten',
      purpose: 'marketing',
      voice: 'ai',
      source: '  Web form ',
      evidence: 'https://forms.example.com/7f3a',
      grantedAt: '2026-11-20T15:00:00+01:00',
      expiresAt: '2099-01-01T00:00:00Z',
    })
    .expect(201);
  const recorded = {
    id: ID,
    phoneNumber: '+14155550142',
    level: 'expressWritten',
    purpose: 'marketing',
    voice: 'ai',
    source: 'Web form',
    evidence: 'https://forms.example.com/7f3a',
    grantedAt: '2026-11-20T14:00:00.000Z',
    expiresAt: '2099-01-01T00:00:00.000Z',
    status: 'in_force',
    endedAt: null,
    endReason: null,
    createdAt: INSTANT,
  };
  expect(answer.body).toEqual(recorded);
  await ledger.recorded(caller, '+14155550143');
  expect(await ledger.list(caller, { phoneNumber: '415 555 0142' })).toEqual([answer.body]);
  const { id } = answer.body as ConsentResource;
  const revoked = await ledger
    .revoke(caller, id, { reason: 'asked', at: '2026-11-21T09:00:00Z' })
    .expect(200);
  expect(revoked.body).toEqual({
    ...recorded,
    status: 'revoked',
    endedAt: '2026-11-21T09:00:00.000Z',
    endReason: 'asked',
  });
  expect(await ledger.list(caller, { phoneNumber: '+14155550142' })).toEqual([revoked.body]);
});

test('what is not said holds for every purpose and voice, and does not expire', async () => {
  const recorded = await ledger.recorded(caller, nextNumber(), { purpose: null, evidence: '' });
  expect(recorded).toMatchObject({ purpose: null, voice: null, evidence: null, expiresAt: null });
});

test('the list has the latest recorded first, page by page', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.unshift((await ledger.recorded(caller, nextNumber())).id);
  const read: string[] = [];
  let cursor: string | null = null;
  do {
    const answer = await calling
      .http()
      .get('/api/consents')
      .query({ limit: 2, ...(cursor !== null && { cursor }) })
      .set(bearer(caller.apiKey))
      .expect(200);
    const page = answer.body as { items: ConsentResource[]; nextCursor: string | null };
    read.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(read).toEqual(ids);
});

test('both forms of an Argentinian number are one person’s', async () => {
  const [fixed, mobile] = ['+541157447711', '+5491157447711'];
  await ledger.recorded(caller, mobile);
  await ledger.recorded(caller, fixed);
  for (const phoneNumber of [fixed, mobile])
    expect(await ledger.list(caller, { phoneNumber })).toHaveLength(2);
});

test('a consent expires by the clock of the rules', async () => {
  const number = nextNumber();
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  await ledger.recorded(caller, number, { expiresAt });
  expect(await ledger.states(caller, number)).toEqual(['in_force']);
  await moveClock(calling.db, '2 hours');
  const [consent] = await ledger.list(caller, { phoneNumber: number });
  expect(consent).toMatchObject({ status: 'expired', endedAt: expiresAt, endReason: null });
});

test('of an expiry and a later revocation, the expiry counts', async () => {
  const number = nextNumber();
  const { id } = await ledger.recorded(caller, number, { grantedAt: hoursAgo(3), expiresAt: hoursAgo(2) });
  await ledger.revoke(caller, id).expect(200);
  expect(await ledger.states(caller, number)).toEqual(['expired']);
});

describe('a revocation', () => {
  test('that is repeated changes nothing; an earlier instant counts', async () => {
    const number = nextNumber();
    const { id } = await ledger.recorded(caller, number, { grantedAt: hoursAgo(5) });
    const first = await ledger.revoke(caller, id, { reason: 'first' }).expect(200);
    expect((await ledger.revoke(caller, id, { reason: 'second' }).expect(200)).body).toEqual(first.body);
    const at = hoursAgo(2);
    const earlier = await ledger.revoke(caller, id, { reason: 'third', at }).expect(200);
    expect(earlier.body).toMatchObject({ status: 'revoked', endedAt: at, endReason: 'third' });
    const [rows] = await calling.db.query<{ n: number }[]>(
      'SELECT count(*)::integer AS n FROM consent_endings WHERE consent_id = $1',
      [id],
    );
    expect(rows).toEqual({ n: 2 });
  });

  test('of concurrent requests is one row', async () => {
    const { id } = await ledger.recorded(caller, nextNumber());
    const answers = await Promise.all(Array.from({ length: 6 }, () => ledger.revoke(caller, id)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    const rows = await calling.db.query<object[]>('SELECT FROM consent_endings WHERE consent_id = $1', [id]);
    expect(rows).toHaveLength(1);
  });

  test.each([
    [{ at: '2099-01-01T00:00:00Z' }, 'at must not be in the future'],
    [{ at: '2001-01-01T00:00:00Z' }, 'at must not be earlier than grantedAt of the consent'],
    [{ at: 'yesterday' }, 'at must be a date-time with an offset'],
    [{ reason: 7 }, 'reason must be a string'],
    [{ why: 'x' }, 'why is not a field'],
  ])('with %j is 400: %s', async (body, message) => {
    const { id } = await ledger.recorded(caller, nextNumber());
    const answer = await ledger.revoke(caller, id, body);
    expect([answer.status, (answer.body as { error: string }).error]).toEqual([
      400,
      expect.stringContaining(message),
    ]);
    expect((await ledger.list(caller))[0]).toMatchObject({ status: 'in_force' });
  });

  test('of an unknown consent, or that of another team, is 404', async () => {
    const other = await buildCaller(calling.db);
    const { id } = await ledger.recorded(other, nextNumber());
    for (const unknown of [id, '0b0f7a0e-6f0a-4a5e-9d2c-1f6a3f0f5b11', 'none'])
      await ledger.revoke(caller, unknown).expect(404, { error: 'Consent not found' });
    expect(await ledger.list(other)).toMatchObject([{ id, status: 'in_force' }]);
    expect(await ledger.list(caller)).toEqual([]);
  });
});

const VALID = {
  phoneNumber: '+14155550142',
  level: 'express',
  source: 'x',
  grantedAt: '2026-01-05T10:00:00Z',
};

test.each([
  [{ ...VALID, phoneNumber: undefined }, 'phoneNumber', 'phoneNumber is required'],
  [{ ...VALID, phoneNumber: 'x' }, 'phoneNumber', 'phoneNumber must be one phone number and nothing else'],
  [{ ...VALID, level: 'oral' }, 'level', 'level must be one of express, expressWritten'],
  [{ ...VALID, purpose: 'fun' }, 'purpose', 'purpose must be one of marketing, informational, debt, survey'],
  [{ ...VALID, voice: 'robot' }, 'voice', 'voice must be one of ai, prerecorded, live'],
  [{ ...VALID, source: ' ' }, 'source', 'source must not be empty'],
  [{ ...VALID, evidence: 'x'.repeat(2_001) }, 'evidence', 'evidence must be at most 2000 characters'],
  [{ ...VALID, grantedAt: '2026-01-05' }, 'grantedAt', 'grantedAt must be a date-time with an offset'],
  [{ ...VALID, grantedAt: '2099-01-05T10:00:00Z' }, 'grantedAt', 'grantedAt must not be in the future'],
  [{ ...VALID, expiresAt: VALID.grantedAt }, 'expiresAt', 'expiresAt must be later than grantedAt'],
  [{ ...VALID, status: 'in_force' }, 'status', 'status is not a field'],
])('POST %j is 400 and names %s', async (body, path, message) => {
  const answer = await ledger.post(caller, body);
  const { error, errors } = JSON.parse(answer.text) as { error: string; errors: { path: string }[] };
  expect([answer.status, error, errors.map((one) => one.path)]).toEqual([
    400,
    expect.stringContaining(message),
    [path],
  ]);
  expect(await ledger.list(caller)).toEqual([]);
});

test('a filter that is no number is 400', async () => {
  const answer = await calling
    .http()
    .get('/api/consents?phoneNumber=x&limit=0')
    .set(bearer(caller.apiKey))
    .expect(400);
  expect((answer.body as { error: string }).error).toMatch(/^limit must be .*; phoneNumber must be/);
});

test('a request with an Idempotency-Key records one consent', async () => {
  const key = { 'Idempotency-Key': 'form-7f3a' };
  const first = await ledger.post(caller, VALID, key).expect(201);
  const again = await ledger.post(caller, VALID, key).expect(201);
  expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true']);
  expect(await ledger.list(caller)).toHaveLength(1);
  const other = await ledger.post(caller, { ...VALID, source: 'another' }, key);
  expect(other.status).toBe(422);
  // A refused request leaves the key free.
  await ledger.post(caller, { ...VALID, level: 'oral' }, { 'Idempotency-Key': 'free' }).expect(400);
  await ledger.post(caller, VALID, { 'Idempotency-Key': 'free' }).expect(201);
  await ledger.post(caller, VALID, { 'Idempotency-Key': 'ä' }).expect(400);
});

test('the key needs the scope suppressions, or read for the list', async () => {
  const keyWith = async (scopes: string[]) => {
    const made = await calling.operated('post', `/teams/${caller.teamId}/api-keys`, {
      name: 'k',
      scopes,
    });
    return { apiKey: (made.body as { key: string }).key };
  };
  const [read, contacts, suppressions] = [
    await keyWith(['read']),
    await keyWith(['contacts']),
    await keyWith(['suppressions']),
  ];
  await ledger.post(suppressions, VALID).expect(201);
  await ledger.post(read, VALID).expect(403);
  expect(await ledger.list(read)).toHaveLength(1);
  const list = calling.http().get('/api/consents').set(bearer(contacts.apiKey));
  await list.expect(403, { error: 'The API key lacks the scope suppressions or read' });
});

test('the operator does the same for a team', async () => {
  const path = `/teams/${caller.teamId}/consents`;
  const recorded = (await calling.operated('post', path, VALID)).body as ConsentResource;
  const { id } = recorded;
  expect((await calling.operator('get', path).expect(200)).body).toEqual({
    items: [recorded],
    nextCursor: null,
  });
  const revoked = await calling.operated('post', `${path}/${id}/revoke`, { reason: 'by phone' });
  expect(revoked.body).toMatchObject({ id, status: 'revoked', endReason: 'by phone' });
  await calling.operator('get', '/teams/0b0f7a0e-6f0a-4a5e-9d2c-1f6a3f0f5b11/consents').expect(404);
});

test('the audit log tells each change, without the number and the texts', async () => {
  const { id } = await ledger.recorded(caller, '+14155550142', { source: 'secret source' });
  await ledger.revoke(caller, id, { reason: 'secret reason' }).expect(200);
  const rows = await calling.db.query<object[]>(
    `SELECT actor_kind, action, target_type, target_id, after FROM audit_log
     WHERE team_id = $1 AND action LIKE 'consent%' ORDER BY id`,
    [caller.teamId],
  );
  expect(rows).toEqual([
    {
      actor_kind: 'key',
      action: 'consent.added',
      target_type: 'consent',
      target_id: null,
      after: { entries: 1 },
    },
    {
      actor_kind: 'key',
      action: 'consent.revoked',
      target_type: 'consent',
      target_id: id,
      after: { ended_at: expect.any(String) as string },
    },
  ]);
});
