import { DEFINITION_FORMAT } from '../../src/campaigns/definition/campaign-version.entity.js';
import {
  buildCampaign,
  buildContact,
  buildEnrollment,
  buildVersion,
  nextNumber,
} from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
import { LockHolder } from '../support/lock-holder.js';

/*
 * Requests about a contact at the same time as its erasure: nothing personal comes back, and no enrollment of
 * it stays live.
 */

const calling = Calling.ofFile({ erasureKey: 'erasure-key-of-the-tests' });
const holder = LockHolder.ofFile(calling);

const PERSON = { name: 'Ada', email: 'ada@example.com', companyName: 'Engines' };

const post = ({ apiKey }: Caller, path: string, body: object, key?: string) =>
  calling
    .http()
    .post(`/api${path}`)
    .set({ ...bearer(apiKey), ...(key !== undefined && { 'Idempotency-Key': key }) })
    .send(body);

const erase = ({ apiKey }: Caller, contactId: string) =>
  calling.http().delete(`/api/contacts/${contactId}`).set(bearer(apiKey));

/** A campaign that calls, and a stored person with an ended enrollment in another one. */
async function start() {
  const caller = await buildCaller(calling.db);
  const { id: campaignId } = await buildCampaign(calling.db, caller.teamId, { status: 'active' });
  const { id: versionId } = await buildVersion(calling.db, caller.teamId, campaignId, {
    status: 'published',
    definition_format: DEFINITION_FORMAT,
    definition: { steps: [{ key: 'first', agentId: caller.agentId, after: 'P1D' }] },
  });
  await calling.db.query('UPDATE campaigns SET current_version_id = $2 WHERE id = $1', [
    campaignId,
    versionId,
  ]);
  const phoneNumber = nextNumber();
  const { id: contactId } = await buildContact(calling.db, caller.teamId, {
    phone_number: phoneNumber,
    name: PERSON.name,
    email: PERSON.email,
    company_name: PERSON.companyName,
  });
  const other = await buildCampaign(calling.db, caller.teamId);
  const { id: enrollmentId } = await buildEnrollment(
    calling.db,
    {
      team_id: caller.teamId,
      campaign_id: other.id,
      contact_id: contactId,
      version_id: other.current_version_id,
    },
    { status: 'active', source: 'met at the fair' },
  );
  return { caller, campaignId, phoneNumber, contactId, otherId: other.id, enrollmentId };
}

type Started = Awaited<ReturnType<typeof start>>;

/** What there is of the erased contact that must not be. */
async function leftOf({ caller, contactId }: Started): Promise<object[]> {
  return calling.db.query<object[]>(
    `SELECT 'contact' AS left FROM contacts
       WHERE id = $2 AND (erased_at IS NULL OR name IS NOT NULL OR email IS NOT NULL OR company_name IS NOT NULL)
     UNION ALL SELECT 'enrollment' FROM enrollments
       WHERE contact_id = $2 AND (status IN ('active', 'paused') OR source IS NOT NULL)
     UNION ALL SELECT 'answer' FROM idempotency_keys
       WHERE team_id = $1 AND (body->>'contactId' = $2::text
         OR body->>'enrollmentId' IN (SELECT id::text FROM enrollments WHERE contact_id = $2))
     UNION ALL SELECT 'call' FROM call_requests WHERE contact_id = $2 AND phone_number NOT LIKE 'erased:%'`,
    [caller.teamId, contactId],
  );
}

async function waiting(sessions: number, withinMs?: number): Promise<void> {
  await eventually(
    () =>
      calling.db.query<{ n: number }[]>(
        `SELECT count(DISTINCT pid)::integer AS n FROM pg_locks WHERE NOT granted
           AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())`,
      ),
    ([row]) => row?.n === sessions,
    withinMs,
  );
}

/**
 * Runs a request while an erasure has locked the contact and is not over. The erasure gives up its locks from
 * time to time and tries again, so on a busy machine the request may be done before.
 */
async function duringErasure<T>(started: Started, request: () => Promise<T>): Promise<T> {
  // The erasure comes to the enrollments when it holds the contact.
  await holder.query('BEGIN');
  try {
    await holder.query('SELECT FROM enrollments WHERE id = $1 FOR UPDATE', [started.enrollmentId]);
    const erasing = erase(started.caller, started.contactId).then(({ status }) => status);
    await waiting(1);
    const asked = request();
    await waiting(2, 1_000).catch(() => undefined);
    await holder.query('COMMIT');
    expect(await erasing).toBe(204);
    return await asked;
  } catch (error) {
    await holder.query('ROLLBACK');
    throw error;
  }
}

const contactOf = ({ body }: { body: unknown }) => (body as { contactId: string }).contactId;

test('an unchanged contact that is enrolled during its erasure becomes a new contact, or is stored without the enrollment', async () => {
  const started = await start();
  const { caller, campaignId, phoneNumber, contactId } = started;
  const answer = await duringErasure(started, async () =>
    post(caller, '/campaigns/contact-enrollments', { phoneNumber, campaignId, ...PERSON }),
  );
  expect(answer.status).toBe(200);
  expect(await leftOf(started)).toEqual([]);
  const enrolled = await calling.db.query<object[]>(
    'SELECT contact_id, status FROM enrollments WHERE campaign_id = $1',
    [campaignId],
  );
  const isNew = contactOf(answer) !== contactId;
  // The enrollment is best effort: it waits for the row for a moment only. One from before the erasure has
  // ended.
  const ended = enrolled.length === 0 ? [] : [{ contact_id: contactId, status: 'exited' }];
  expect(enrolled).toEqual(isNew ? [{ contact_id: contactOf(answer), status: 'active' }] : ended);
});

test('the answer to a keyed request for an unchanged contact does not outlast the erasure', async () => {
  const started = await start();
  const { caller, phoneNumber } = started;
  const answer = await duringErasure(started, async () =>
    post(caller, '/campaigns/contact-enrollments', { phoneNumber, ...PERSON }, `store ${phoneNumber}`),
  );
  expect(answer.status).toBe(200);
  expect(await leftOf(started)).toEqual([]);
});

test('a contact that is enrolled by its id during its erasure is not found, or the enrollment ends', async () => {
  const started = await start();
  const { caller, campaignId, contactId } = started;
  const body = { contactId, campaignId, source: 'met at the fair' };
  const answer = await duringErasure(started, async () => post(caller, '/campaigns/enrollments', body));
  expect([201, 404]).toContain(answer.status);
  expect(await leftOf(started)).toEqual([]);
});

test('an enrollment that ends while it is erased keeps no label', async () => {
  const started = await start();
  const { caller, contactId, enrollmentId } = started;
  await holder.query('BEGIN');
  await holder.query(
    `UPDATE enrollments SET status = 'exited', end_reason = 'manual', ended_at = outdial_now() WHERE id = $1`,
    [enrollmentId],
  );
  const erasing = erase(caller, contactId).then(({ status }) => status);
  await waiting(1);
  await holder.query('COMMIT');
  expect(await erasing).toBe(204);
  expect(await leftOf(started)).toEqual([]);
  const rows = await calling.db.query<object[]>('SELECT status, end_reason FROM enrollments WHERE id = $1', [
    enrollmentId,
  ]);
  expect(rows).toEqual([{ status: 'exited', end_reason: 'manual' }]);
});

test('of many requests at the same time as erasures, none leaves anything of the erased contacts', async () => {
  for (let round = 0; round < 12; round += 1) {
    const started = await start();
    const { caller, campaignId, phoneNumber, contactId, otherId, enrollmentId } = started;
    const enrollment = `/teams/${caller.teamId}/campaigns/${otherId}/enrollments/${enrollmentId}`;
    const contact = { phoneNumber, ...PERSON };
    const requests: (() => PromiseLike<{ status: number }>)[] = [
      () => post(caller, '/campaigns/contact-enrollments', { ...contact, campaignId }),
      () =>
        post(caller, '/campaigns/contact-enrollments', { ...contact, campaignId }, `enroll ${phoneNumber}`),
      () => post(caller, '/campaigns/contact-enrollments', contact, `store ${phoneNumber}`),
      () => post(caller, '/campaigns/contact-enrollments', { ...contact, name: `Ada ${round}` }),
      () => post(caller, '/campaigns/enrollments', { contactId, campaignId, source: 'met at the fair' }),
      () => calling.trigger(caller, contact),
      () => calling.operator('post', `${enrollment}/exit`),
    ];
    // Another request goes with the erasure in each round, the others before or behind.
    const first = requests.splice(round % requests.length, 1);
    const answers = await Promise.all([
      ...first.map((ask) => ask()),
      erase(caller, contactId),
      ...requests.map((ask) => ask()),
    ]);
    expect(answers.filter(({ status }) => status >= 500 && status !== 500)).toEqual([]);
    expect(answers[1]?.status).toBe(204);
    expect(await leftOf(started)).toEqual([]);
  }
});
