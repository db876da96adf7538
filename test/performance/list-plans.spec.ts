import { type Client } from 'pg';
import { COUNT_PENDING_CALLS, LISTED_CALLS, LISTS } from '../../src/calls/records/list.sql.js';
import { CAMPAIGN_RESULTS, WALK_RESULTS } from '../../src/campaigns/results/campaign-results.sql.js';
import { CAMPAIGNS_OF_TEAM } from '../../src/campaigns/records/team-campaigns.sql.js';
import {
  COUNT_CHANGED_CONTACTS,
  LIST_CHANGED_CONTACTS,
  LIST_CONTACT_OF_EXTERNAL_ID,
  LIST_CONTACT_OF_NUMBER,
  LIST_CONTACTS,
  LIST_CONTACTS_OF_EMAIL,
  LISTED_CONTACTS,
} from '../../src/contacts/sql/list.sql.js';
import { RESTRICTED_ROLE } from '../../src/database/restricted-role.js';
import { MOST_SORTED } from '../../src/lists/newest-first.js';
import { type Statement } from '../../src/database/transactions.js';
import { LIST_DO_NOT_CALL } from '../../src/suppression/team-do-not-call.service.js';
import { LIST_PHONE_NUMBERS } from '../../src/phone-numbers/team-phone-numbers.service.js';
import { LIST_VOICE_AGENTS } from '../../src/voice-agents/team-voice-agents.service.js';
import { buildCampaign, buildContact, buildEnrollment } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { buildDials } from '../support/enrollment-builders.js';
import { indexesOf, type Node, planningClient, planOf, readWhole } from './plan-node.js';

/*
 * The lists of a team with many calls and contacts: which indexes they read, and what they find far behind.
 */

// More than two windows of a walk.
const MANY = 45_000;

let calling: Calling;
let caller: Caller;
let client: Client;

beforeAll(async () => {
  calling = await Calling.start();
  caller = await buildCaller(calling.db);
  const { db } = calling;
  await db.query(
    `INSERT INTO contacts (team_id, phone_number, email, created_at, updated_at)
     SELECT $1, '+1646' || 2000000 + n, 'c' || n || '@example.com', at, CASE WHEN n <= 3 THEN now() ELSE at END
     FROM generate_series(1, $2::integer) AS n, LATERAL (SELECT timestamptz '2026-01-01' + n * interval '1 second' AS at) t`,
    [caller.teamId, MANY],
  );
  await db.query(
    `INSERT INTO call_requests (id, team_id, agent_id, contact_id, phone_number, status, phase, accepted_at, runs_at, expires_at,
       woken_at, claimed_at, processed_at, caller_id, ended_at, history)
     SELECT gen_random_uuid(), $1, $2, id, phone_number, CASE WHEN rank <= 3 THEN 'busy' ELSE 'completed' END, 2, created_at,
       created_at, created_at, created_at, created_at, created_at, $3, created_at, '[]'
     FROM (SELECT *, row_number() OVER (ORDER BY created_at) AS rank FROM contacts WHERE team_id = $1) c`,
    [caller.teamId, caller.agentId, caller.callerNumber],
  );
  await db.query(
    `INSERT INTO do_not_call (team_id, phone_number, created_at)
     SELECT team_id, phone_number, created_at FROM contacts WHERE team_id = $1`,
    [caller.teamId],
  );
  await db.query('ANALYZE');
  // As the API reads: with row-level security.
  client = await planningClient(calling.world.config.databaseUrl);
  await client.query(`SET ROLE ${RESTRICTED_ROLE}`);
});
afterAll(async () => {
  await client.end();
  await calling.close();
});

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

const open = (status: 'queued' | 'scheduled' | 'dialing') => LISTS.open.get(status) as Statement;

/** `walk` reads an index in the order of the list, and `sort` the few rows that an index leads to. */
test.each([
  [LISTS.team, 'ix_call_requests_listing', 'walk'],
  [LISTS.agent, 'ix_call_requests_agent', 'walk'],
  [LISTS.numbers, 'ix_call_requests_numbers', 'sort'],
  [LISTS.campaign, 'ix_enrollment_dials_campaign', 'sort'],
  [open('queued'), 'ix_call_requests_pending', 'sort'],
  [open('scheduled'), 'ix_call_requests_pending', 'sort'],
  [open('dialing'), 'ix_call_requests_under_way', 'sort'],
  [COUNT_PENDING_CALLS, 'ix_call_requests_pending', 'sort'],
  [LISTED_CALLS, 'pk_call_requests', 'sort'],
  [LIST_CONTACTS, 'ix_contacts_listing', 'walk'],
  [LIST_CONTACTS_OF_EMAIL, 'ix_contacts_email', 'sort'],
  [LIST_CONTACT_OF_EXTERNAL_ID, 'uq_contacts_external_id', 'sort'],
  [LIST_CHANGED_CONTACTS, 'ix_contacts_changed', 'sort'],
  [COUNT_CHANGED_CONTACTS, 'ix_contacts_changed', 'sort'],
  [LIST_CONTACT_OF_NUMBER, 'uq_contacts_team_number', 'sort'],
  [LISTED_CONTACTS, 'pk_contacts', 'sort'],
  [LIST_DO_NOT_CALL, 'ix_do_not_call_listing', 'walk'],
  [LIST_VOICE_AGENTS, 'ix_voice_agents_name', 'sort'],
  [LIST_PHONE_NUMBERS, 'uq_phone_numbers_team_number', 'sort'],
  [CAMPAIGNS_OF_TEAM, 'ix_campaigns_name', 'sort'],
  [WALK_RESULTS, 'uq_enrollments_entry', 'walk'],
] as const)('$name reads its index', async (statement, index, kind) => {
  const plan = await planOf(client, statement.text);
  const types = nodesOf(plan).map((node) => node['Node Type']);
  expect(indexesOf(plan)).toContain(index);
  expect(types).not.toContain('Seq Scan');
  if (kind === 'walk') expect(types).not.toContain('Sort');
});

test('the results of a campaign look up each last call by its dial', async () => {
  const plan = await planOf(client, CAMPAIGN_RESULTS.text);
  const [calls, dials] = ['call_requests', 'enrollment_dials'].map((table) =>
    nodesOf(plan).filter((node) => node['Relation Name'] === table),
  );
  expect(calls?.map((node) => node['Index Name'])).toEqual(['pk_call_requests']);
  expect(dials?.map((node) => node['Index Name'])).toEqual(['pk_enrollment_dials']);
  expect(indexesOf(plan)).toEqual(
    expect.arrayContaining(['pk_enrollments', 'pk_contacts', 'pk_campaign_versions', 'pk_call_results']),
  );
  // One row.
  expect(readWhole(plan).filter((table) => table !== 'platform_settings')).toEqual([]);
});

const get = async (path: string) => {
  const answer = await calling.http().get(path).set(bearer(caller.apiKey));
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
  return answer.body as { items: Record<string, unknown>[]; nextCursor: string | null };
};

test('the few calls in a state are found behind very many others', async () => {
  const page = await get('/api/calls?status=busy&limit=2');
  expect(page.items.map(({ status }) => status)).toEqual(['busy', 'busy']);
  const next = await get(`/api/calls?status=busy&limit=2&cursor=${page.nextCursor}`);
  expect([next.items.length, next.nextCursor]).toEqual([1, null]);
});

test('the few contacts that were changed are found behind very many others', async () => {
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const page = await get(`/api/contacts?updatedSince=${since}`);
  expect([page.items.length, page.nextCursor]).toEqual([3, null]);
});

test('very many changed contacts are walked, the newest first', async () => {
  const page = await get('/api/contacts?updatedSince=2026-01-01T00:00:00Z&limit=2');
  expect(page.items.map(({ email }) => email)).toEqual([`c${MANY}@example.com`, `c${MANY - 1}@example.com`]);
  const next = await get(`/api/contacts?updatedSince=2026-01-01T00:00:00Z&limit=1&cursor=${page.nextCursor}`);
  expect(next.items[0]?.email).toBe(`c${MANY - 2}@example.com`);
});

test('very many scheduled calls are walked, the newest first', async () => {
  await calling.db.query(
    `INSERT INTO call_requests (id, team_id, agent_id, contact_id, phone_number, status, phase, accepted_at, runs_at,
       expires_at, woken_at, history)
     SELECT gen_random_uuid(), $1, $2, (SELECT id FROM contacts WHERE team_id = $1 LIMIT 1), '+1917' || 2000000 + n, 'scheduled', -1, timestamptz '2027-01-01' + n * interval '1 second',
       timestamptz '2027-02-01', timestamptz '2027-02-02', now(), '[]' FROM generate_series(1, ${MOST_SORTED + 1}) n`,
    [caller.teamId, caller.agentId],
  );
  const numbers = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await get(`/api/calls?status=scheduled&limit=200${cursor && `&cursor=${cursor}`}`);
    numbers.push(...page.items.map(({ phoneNumber }) => phoneNumber));
    cursor = page.nextCursor;
  }
  const all = Array.from({ length: MOST_SORTED + 1 }, (_, n) => `+1917${2_000_000 + MOST_SORTED + 1 - n}`);
  expect(numbers).toEqual(all);
});

test('a campaign’s calls are found behind very many others', async () => {
  const { teamId } = caller;
  const campaign = await buildCampaign(calling.db, teamId);
  const { id: contactId } = await buildContact(calling.db, teamId);
  const keys = { team_id: teamId, campaign_id: campaign.id, contact_id: contactId };
  const enrollment = await buildEnrollment(calling.db, { ...keys, version_id: campaign.current_version_id });
  await buildDials(calling.db, { id: enrollment.id, team: teamId, campaignId: campaign.id, contactId }, [
    'no_answer',
    'busy',
  ]);
  const page = await get(`/api/calls?campaignId=${campaign.id}`);
  expect(page.items.map(({ enrollmentId }) => enrollmentId)).toEqual([enrollment.id, enrollment.id]);
  expect(page.items.map(({ campaignId }) => campaignId)).toEqual([campaign.id, campaign.id]);
  const busy = await get(`/api/calls?campaignId=${campaign.id}&status=busy`);
  expect(busy.items.map(({ status }) => status)).toEqual(['busy']);
});
