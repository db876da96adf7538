import { createHash } from 'node:crypto';
import { OperationsClient } from '../operations/operations-client.js';
import { buildAgent, buildCampaign, insertRow } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';

/** What a page may hold, with room for its small fields. */
const PAGE_BYTES = 1_300_000;

const calling = Calling.ofFile();
let caller: Caller;
let team: string;

beforeEach(async () => {
  caller = await buildCaller(calling.db);
  team = `/teams/${caller.teamId}`;
});

type Item = Record<string, unknown> & { id: string };

/** All items of a list and the bytes of its largest answer, with pages as long as they may be. */
async function walk(path: string): Promise<{ items: Item[]; pages: number; largest: number }> {
  const items: Item[] = [];
  let [pages, largest] = [0, 0];
  for (let cursor: string | null = ''; cursor !== null; pages += 1) {
    const answer = await calling.operator('get', `${path}?limit=200${cursor && `&cursor=${cursor}`}`);
    expect(answer.status).toBe(200);
    const page = answer.body as { items: Item[]; nextCursor: string | null };
    expect(page.items.length).toBeGreaterThan(0);
    items.push(...page.items);
    largest = Math.max(largest, Buffer.byteLength(answer.text));
    cursor = page.nextCursor;
  }
  expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
  return { items, pages, largest };
}

/** Ended calls; `columns` are SQL for what is large in them. */
async function plantCalls(count: number, columns: Record<string, string>): Promise<void> {
  const names = Object.keys(columns);
  const contact = await insertRow(calling.db, 'contacts', {
    team_id: caller.teamId,
    phone_number: '+14155550100',
  });
  await calling.db.query(
    `INSERT INTO call_requests (id, team_id, agent_id, contact_id, phone_number, status, accepted_at, runs_at,
       expires_at, woken_at, ended_at${names.map((name) => `, ${name}`).join('')})
     SELECT new_call_id(outdial_now()), $1, $2, $3, '+14155550100', 'blocked', at, at, at, at, at
       ${Object.values(columns)
         .map((sql) => `, ${sql}`)
         .join('')}
     FROM generate_series(1, $4::integer) AS n, LATERAL (SELECT now() - n * interval '1 minute' AS at) age`,
    [caller.teamId, caller.agentId, contact.id, count],
  );
}

/** A literal of text that hardly compresses, so that Postgres keeps it out of line. */
const NOISE = `'${Array.from({ length: 700 }, (_, n) => createHash('sha256').update(String(n)).digest('base64')).join('')}'`;

const VARIABLES = `jsonb_build_object('x', ${NOISE}::text)`;
const DECISION = `jsonb_build_object('at', now(), 'allow', true, 'reason', null, 'rules', '[]'::jsonb, 'x', ${NOISE}::text)`;

/** What is large in a call of a release before 0.2.0. */
const LARGE_COLUMNS = {
  variables: VARIABLES,
  prompt: NOISE,
  first_message: NOISE,
  decisions: `jsonb_build_array(${DECISION})`,
  history: `'[]'::jsonb`,
};

/** Calls of today, which keep what is large in `call_details`. */
async function plantCallsWithDetails(count: number): Promise<void> {
  await plantCalls(count, { history: `'[]'::jsonb` });
  await calling.db.query(
    `INSERT INTO call_details (id, generation, team_id, decision, prompt, first_message, variables)
     SELECT id, generation, team_id, ${DECISION}, ${NOISE}, ${NOISE}, ${VARIABLES} FROM call_requests WHERE team_id = $1`,
    [caller.teamId],
  );
}

/**
 * Blocks that were read of the out-of-line storage of calls and their details. It ends all other connections,
 * so that they report their reads.
 */
async function outOfLineReads(): Promise<number> {
  await calling.db.query('SELECT pg_stat_force_next_flush()');
  await calling.db.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  const [row] = await calling.db.query<{ blocks: number }[]>(
    `SELECT sum(toast_blks_read + toast_blks_hit)::integer AS blocks FROM pg_statio_user_tables
     WHERE relname = 'call_requests' OR relname LIKE 'call_details%'`,
  );
  return row?.blocks ?? NaN;
}

test.each([
  ['of today', () => plantCallsWithDetails(220)],
  ['of an older release', () => plantCalls(220, LARGE_COLUMNS)],
])(
  'a list of calls %s contains no variables, prompts or decisions, and does not read them',
  async (_of, plant) => {
    await plant();
    const before = await outOfLineReads();
    const { items, pages, largest } = await walk(`${team}/calls`);
    expect(await outOfLineReads()).toBe(before);
    expect([items.length, pages]).toEqual([220, 2]);
    expect(largest).toBeLessThan(300_000);
    for (const name of ['variables', 'prompt', 'firstMessage', 'decisions']) {
      expect(items[0]).not.toHaveProperty(name);
    }
    const one = await calling.operator('get', `${team}/calls/${items[0]?.id}`);
    expect(await outOfLineReads()).toBeGreaterThan(before);
    expect(one.body).toMatchObject({
      ...items[0],
      variables: { x: expect.any(String) as string },
      prompt: expect.any(String) as string,
      firstMessage: expect.any(String) as string,
      decisions: [{ allow: true }],
    });
  },
);

test('a page of calls with long histories ends early, and the next one continues', async () => {
  const entry = `jsonb_build_object('at', now(), 'from', 'queued', 'to', 'queued', 'cause', 'throttled')`;
  await plantCalls(60, {
    history: `(SELECT jsonb_agg(${entry}) FROM generate_series(1, 400))`,
    unknown_placeholders: `ARRAY(SELECT 'placeholder' || i FROM generate_series(1, 1000) AS i)`,
  });
  const { items, pages, largest } = await walk(`${team}/calls`);
  expect(items).toHaveLength(60);
  expect(pages).toBeGreaterThan(2);
  expect(largest).toBeLessThan(PAGE_BYTES);
});

test('the page of a number shows as many calls as fit, with their decisions', async () => {
  const rule = `jsonb_build_object('reason', 'DO_NOT_CALL', 'allow', true, 'evidence', jsonb_build_object('x', repeat('x', 90000)))`;
  await plantCalls(40, {
    history: `'[]'::jsonb`,
    decisions: `jsonb_build_array(jsonb_build_object('at', now(), 'allow', true, 'reason', null, 'rules', jsonb_build_array(${rule})))`,
  });
  const page = await (
    await OperationsClient.signedIn(calling.api)
  ).page(`/t/${caller.teamId}/numbers?phoneNumber=%2B14155550100`);
  expect(page.match(/data-call=/g)?.length).toBeLessThan(20);
  expect(page).toContain('data-rule="DO_NOT_CALL"');
  expect(page).toContain('Older calls');
});

test('a page of agents ends early if prompts are long', async () => {
  const template = '"{{contact.name}}"\n'.repeat(3_000);
  for (let n = 0; n < 25; n += 1) {
    await buildAgent(calling.db, caller.teamId, {
      prompt_template: template,
      first_message_template: template,
    });
  }
  const { items, pages, largest } = await walk(`${team}/voice-agents`);
  expect(items).toHaveLength(26);
  expect(items.at(-1)).toMatchObject({ promptTemplate: template, firstMessageTemplate: template });
  expect(pages).toBeGreaterThan(2);
  expect(largest).toBeLessThan(PAGE_BYTES);
});

test('a page of versions ends early if definitions are large; one larger than a page comes alone', async () => {
  const campaign = await buildCampaign(calling.db, caller.teamId);
  const definition = (size: number) => JSON.stringify({ text: 'x'.repeat(size) });
  await calling.db.query(
    `INSERT INTO campaign_versions (team_id, campaign_id, number, status, definition)
     SELECT $1, $2, 1 + n, 'published', CASE WHEN n = 1 THEN $3::jsonb ELSE $4::jsonb END FROM generate_series(1, 40) AS n`,
    [caller.teamId, campaign.id, definition(2_000_000), definition(65_000)],
  );
  const { items, pages } = await walk(`${team}/campaigns/${campaign.id}/versions`);
  expect(items.map(({ number }) => number)).toEqual(Array.from({ length: 41 }, (_, index) => index + 1));
  expect(pages).toBe(5);
});

test('a page of number pools ends early if pools are large', async () => {
  const { teamId } = caller;
  await calling.db.query(
    `INSERT INTO phone_numbers (team_id, phone_number) SELECT $1, '+1646' || 2000000 + n FROM generate_series(1, 1000) AS n`,
    [teamId],
  );
  for (let n = 0; n < 12; n += 1) {
    await calling.db.query(
      `WITH pools AS (INSERT INTO number_pools (team_id, name) SELECT $1, 'Pool' FROM generate_series(1, 5) RETURNING id)
       INSERT INTO number_pool_members (team_id, number_pool_id, phone_number)
       SELECT $1, id, '+1646' || 2000000 + n FROM pools, generate_series(1, 1000) AS n`,
      [teamId],
    );
  }
  const { items, pages, largest } = await walk(`${team}/number-pools`);
  expect(items).toHaveLength(60);
  expect(items[0]?.phoneNumbers).toHaveLength(1_000);
  expect(pages).toBe(2);
  expect(largest).toBeLessThan(PAGE_BYTES);
});

test('the few calls of a status or a reason are found behind very many others', async () => {
  const many = 12_000;
  await plantCalls(many, { history: `'[]'::jsonb` });
  await calling.db.query(
    `UPDATE call_requests SET status = 'canceled', reason = 'RARE' WHERE id IN (
       SELECT id FROM (SELECT id, row_number() OVER (ORDER BY accepted_at DESC) AS place FROM call_requests WHERE team_id = $1) o
       WHERE place > $2::integer - 3)`,
    [caller.teamId, many],
  );
  for (const filter of ['status=canceled', 'reason=RARE', 'reason=RARE&status=canceled']) {
    const read = async (query: string) =>
      (await calling.operator('get', `${team}/calls?${filter}${query}`)).body as {
        items: Item[];
        nextCursor: string | null;
      };
    const first = await read('&limit=2');
    const second = await read(`&limit=2&cursor=${first.nextCursor}`);
    expect([first.items.length, second.items.length, second.nextCursor]).toEqual([2, 1, null]);
  }
});

test('the operator’s list is narrowed by agent, campaign, reason and the time of acceptance', async () => {
  await plantCalls(3, { history: `'[]'::jsonb`, reason: `CASE WHEN n = 1 THEN 'DO_NOT_CALL' END` });
  const ids = async (query: string) => {
    const answer = await calling.operator('get', `${team}/calls?${query}`);
    return (answer.body as { items: Item[] }).items.map(({ id }) => id);
  };
  const [newest, second, oldest] = await ids('');
  const other = await buildAgent(calling.db, caller.teamId);
  await calling.db.query('UPDATE call_requests SET agent_id = $1 WHERE id = $2', [other.id, second]);
  expect(await ids(`agentId=${other.id}`)).toEqual([second]);
  expect(await ids('reason=DO_NOT_CALL')).toEqual([newest]);
  expect(await ids('reason=-')).toEqual([second, oldest]);
  const call = await calling.operator('get', `${team}/calls/${second}`);
  const { acceptedAt } = call.body as { acceptedAt: string };
  const at = new Date(Date.parse(acceptedAt) + 1).toISOString();
  expect(await ids(`acceptedFrom=${at}`)).toEqual([newest]);
  expect(await ids(`acceptedTo=${at}`)).toEqual([second, oldest]);
  const { id: campaignId } = await buildCampaign(calling.db, caller.teamId);
  expect(await ids(`campaignId=${campaignId}`)).toEqual([]);
  const refused = await calling.operator('get', `${team}/calls?agentId=x&status=lost`);
  expect([refused.status, refused.text]).toEqual([
    400,
    expect.stringMatching(/status must be one of .*agentId must be a UUID/) as string,
  ]);
});
