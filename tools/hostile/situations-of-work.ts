import { OPERATOR_TOKEN } from '../builds/deployment.js';
import { asOperator } from '../builds/tenant.js';
import { type Answers, count, nameOf } from '../bench/answers.js';
import { type Attack, firstOf, type Situation } from './situation.js';

/** So many requests are in flight. */
const IN_PARALLEL = 10;
const EVENTS = 55_000;
const CONTACTS = 50_000;
const ROWS = 20_000;
/** Events that were numbered together, and rows of an import with results together. */
const TOGETHER = 1_000;

/** Keeps requests in flight until the attack is over; each answer is read to its end. */
async function inParallel({ until }: Attack, ask: (n: number) => Promise<Response>): Promise<Answers> {
  const answers: Answers = {};
  let asked = 0;
  const one = async () => {
    while (performance.now() < until) {
      asked += 1;
      try {
        const response = await ask(asked);
        count(answers, nameOf(response.status, await response.text()));
      } catch {
        count(answers, 'none');
      }
    }
  };
  await Promise.all(Array.from({ length: IN_PARALLEL }, one));
  return answers;
}

function asTeam({ url, tenants }: Attack, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: `Bearer ${firstOf(tenants).apiKey}`, ...init.headers };
  return fetch(url + path, { ...init, headers });
}

const posted = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Kept events with numbers, of which no endpoint has deliveries. */
async function keepEvents({ db, tenants }: Attack): Promise<void> {
  const { teamId } = firstOf(tenants);
  await db.query(
    `WITH kept AS (
       INSERT INTO events (id, team_id, type, at, data)
       SELECT uuidv7(), $1, 'enrollment.created', now(), jsonb_build_object('id', gen_random_uuid())
       FROM generate_series(1, $2::integer)
       RETURNING position
     ), numbered AS (
       SELECT position, row_number() OVER (ORDER BY position) AS n FROM kept
     ), batches AS (
       INSERT INTO event_batches (team_id, last, positions)
       SELECT $1, max(n), array_agg(position ORDER BY position) FROM numbered GROUP BY (n - 1) / $3::integer
     )
     INSERT INTO event_sequences (team_id, last, removed_through) VALUES ($1, $2, 0)
     ON CONFLICT (team_id) DO UPDATE SET last = excluded.last`,
    [teamId, EVENTS, TOGETHER],
  );
}

async function addContacts({ db, tenants }: Attack): Promise<void> {
  await db.query(
    `INSERT INTO contacts (team_id, phone_number, name, custom_properties)
     SELECT $1, '+1917' || (2000000 + n), 'Eve ' || n, jsonb_build_object('plan', 'gold', 'n', n)
     FROM generate_series(1, $2::integer) n`,
    [firstOf(tenants).teamId, CONTACTS],
  );
}

/** An import that has ended, with a result of each row. */
async function addImport({ db, tenants }: Attack): Promise<void> {
  await db.query(
    `WITH one AS (
       INSERT INTO imports (team_id, status, mode, rows, next_row, created, created_at, finished_at)
       VALUES ($1, 'finished', 'upsert', $2, $2 + 1, $2, now(), now())
       RETURNING id
     )
     INSERT INTO import_results (import_id, first_row, team_id, failed, results)
     SELECT one.id, part * $3::integer + 1, $1, 0,
       (SELECT json_agg(json_build_object('contactId', gen_random_uuid())) FROM generate_series(1, $3::integer))
     FROM one, generate_series(0, $2::integer / $3::integer - 1) part`,
    [firstOf(tenants).teamId, ROWS, TOGETHER],
  );
}

async function replays(attack: Attack): Promise<Answers> {
  const url = 'https://example.com/hook';
  const created = await asTeam(attack, '/api/webhook-endpoints', posted({ url }));
  const { id } = (await created.json()) as { id: string };
  return inParallel(attack, () =>
    asTeam(attack, `/api/webhook-endpoints/${id}/replay`, posted({ after: 0 })),
  );
}

async function results(attack: Attack): Promise<Answers> {
  const listed = await asTeam(attack, '/api/imports');
  const { items } = (await listed.json()) as { items: { importId: string }[] };
  return inParallel(attack, () => asTeam(attack, `/api/imports/${items[0]?.importId}/results`));
}

function uploads(attack: Attack): Promise<Answers> {
  const rows = Array.from({ length: 5_000 }, (_, n) => `+1646${2_000_000 + n},Eve ${n}`);
  const body = `phoneNumber,name\n${rows.join('\n')}\n`;
  return inParallel(attack, () =>
    asTeam(attack, '/api/imports', { method: 'POST', headers: { 'content-type': 'text/csv' }, body }),
  );
}

/** Filters that find nothing, or whose rows are far apart. */
function lists(attack: Attack): Promise<Answers> {
  const { agentId, campaignId } = firstOf(attack.tenants);
  const paths = [
    '/api/contacts?updatedSince=2020-01-01T00:00:00Z&limit=200',
    '/api/contacts?email=none@example.com&updatedSince=2020-01-01T00:00:00Z',
    `/api/calls?status=failed&agentId=${agentId}&limit=200`,
    `/api/calls?status=scheduled&campaignId=${campaignId}`,
    `/api/campaigns/enrollments?campaignId=${campaignId}&limit=200`,
    '/api/events?after=0&types=campaign.paused',
  ];
  return inParallel(attack, (n) => asTeam(attack, paths[n % paths.length] as string));
}

async function forecasts(attack: Attack): Promise<Answers> {
  const { teamId, campaignId, agentId } = firstOf(attack.tenants);
  const path = `/api/admin/teams/${teamId}/campaigns/${campaignId}/versions`;
  const version = await asOperator(attack.url, 'POST', path, {
    definition: { steps: [{ key: 'first', agentId, retry: { busy: ['PT1H'] } }] },
  });
  const body = {
    from: new Date().toISOString(),
    until: new Date(Date.now() + 7 * 86_400_000).toISOString(),
    concurrency: 10,
    seed: 7,
    assume: { completed: 0.35, no_answer: 0.4, busy: 0.1, voicemail: 0.1, seconds: 90 },
    contacts: 5_000,
    zones: ['America/New_York'],
  };
  const { method, headers, body: text } = posted(body);
  return inParallel(attack, () =>
    fetch(`${attack.url}${path}/${String(version.id)}/forecast`, {
      method,
      body: text,
      headers: { ...headers, authorization: `Bearer ${OPERATOR_TOKEN}` },
    }),
  );
}

const ONE: object[] = [{}];
const beside = { bystander: 'trigger', attackers: ONE, failsOn5xx: true } as const;

/** Requests of one team that read or write much, ten at a time. */
export const WORK_SITUATIONS: Situation[] = [
  { ...beside, name: 'replays: 10 of 55,000 events in flight', prepare: keepEvents, attack: replays },
  {
    ...beside,
    name: 'exports: 10 of 50,000 contacts in flight',
    prepare: addContacts,
    attack: (attack) => inParallel(attack, () => asTeam(attack, '/api/contacts/export?format=csv')),
  },
  {
    ...beside,
    name: 'results: 10 of an import of 20,000 rows in flight',
    prepare: addImport,
    attack: results,
  },
  { ...beside, name: 'imports: 10 uploads of 5,000 rows in flight', attack: uploads },
  {
    ...beside,
    name: 'lists: 10 with filters that find little among 50,000 contacts and events',
    prepare: async (attack) => {
      await addContacts(attack);
      await keepEvents(attack);
    },
    attack: lists,
  },
  { ...beside, name: 'forecasts: 10 of 5,000 contacts in flight', attack: forecasts },
];
