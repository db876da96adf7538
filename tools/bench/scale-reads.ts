import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { hashOfToken, newToken } from '../../src/people/secret-token.js';
import { SESSION_COOKIE } from '../../src/people/session-cookie.js';
import { type Deployment, OPERATOR_TOKEN } from '../builds/deployment.js';
import { apiKeyOf, phoneOf, SQL } from './data.js';

/** Something that is read; {@link ask} gives the milliseconds that it took. */
export interface Read {
  name: string;
  /** How often a round asks for it, where not as often as for the others. */
  times?: number;
  ask(): Promise<number>;
}

/** Metrics are measured again at most this often. */
const METRICS_AGE_MS = 3_200;

/**
 * Pages, lists and metrics.
 * @param team and contact: their numbers in the data; the contact has been called before.
 */
export async function readsOf({ url, db }: Deployment, team: number, contact: number): Promise<Read[]> {
  const { rows } = await db.query<{ team: string; contact: string; call: string; agent: string }>(
    `SELECT team_id AS team, contact_id AS contact, id AS call, agent_id AS agent FROM call_requests
     WHERE team_id = ${SQL.team(String(team))} AND phone_number = $1 LIMIT 1`,
    [phoneOf(contact)],
  );
  const [found] = rows;
  if (found === undefined) throw new Error(`contact ${contact} has no call`);
  const operator = { authorization: `Bearer ${OPERATOR_TOKEN}` };
  const customer = { authorization: `Bearer ${apiKeyOf(team)}` };
  const pages = { cookie: `${SESSION_COOKIE}=${await sessionOfOperator(db)}` };
  const number = encodeURIComponent(phoneOf(contact));
  const today = new Date().toISOString().slice(0, 10);
  const calls = `/api/t/${found.team}/calls`;
  const read = (name: string, path: string, headers: Record<string, string>): Read => ({
    name,
    ask: () => timeOf(url + path, headers),
  });
  const midnight = `${today}T00:00:00Z`;
  const lists = {
    'by key, calls': 'calls',
    'by key, calls: scheduled': 'calls?status=scheduled',
    'by key, calls: completed': 'calls?status=completed',
    'by key, calls: dial_unknown': 'calls?status=dial_unknown',
    'by key, calls: to a number': `calls?phoneNumber=${number}`,
    'by key, calls: of a contact': `calls?contactId=${found.contact}`,
    'by key, calls: of an agent': `calls?agentId=${found.agent}`,
    'by key, calls: accepted today': `calls?acceptedFrom=${midnight}`,
    'by key, calls: accepted before today': `calls?acceptedTo=${midnight}`,
    'by key, contacts': 'contacts',
    'by key, contacts: of a number': `contacts?phoneNumber=${number}`,
    'by key, contacts: of an address': 'contacts?email=none@example.com',
    'by key, contacts: changed today': `contacts?updatedSince=${midnight}`,
    'by key, contacts: changed this year': `contacts?updatedSince=${today.slice(0, 4)}-01-01T00:00:00Z`,
  };
  return [
    read('overview page, all teams', '/platform', pages),
    read('overview page, one team', `/t/${found.team}`, pages),
    read('calls page, all teams', '/platform/calls', pages),
    read('calls page, scheduled of all teams', '/platform/calls?status=scheduled', pages),
    read('calls page, blocked today of all teams', `/platform/calls?status=blocked&day=${today}`, pages),
    read('a number’s history page', `/t/${found.team}/numbers?phoneNumber=${number}`, pages),
    read('a call’s page', `/t/${found.team}/calls/${found.call}`, pages),
    read('calls of a team', calls, operator),
    read('calls of a team: scheduled', `${calls}?status=scheduled`, operator),
    read('calls of a team: completed', `${calls}?status=completed`, operator),
    read('calls of a team: busy', `${calls}?status=busy`, operator),
    read('calls of a team: dial_unknown', `${calls}?status=dial_unknown`, operator),
    read('calls of a team to a number', `${calls}?phoneNumber=${number}`, operator),
    ...Object.entries(lists).map(([name, path]) => read(name, `/api/${path}`, customer)),
    read('a call, by the team', `/api/calls/${found.call}`, customer),
    read('a contact, by the team', `/api/contacts/${found.contact}`, customer),
    {
      name: '`/metrics`',
      times: 1,
      ask: async () => {
        await pause(METRICS_AGE_MS);
        return timeOf(`${url}/metrics`, {});
      },
    },
  ];
}

/** A new operator's session. @returns the token of its cookie. */
async function sessionOfOperator(db: Deployment['db']): Promise<string> {
  const token = newToken();
  await db.query(
    `WITH person AS (INSERT INTO users (email, operator) VALUES ($1, true) RETURNING id)
     INSERT INTO sessions (token_hash, user_id) SELECT $2, id FROM person`,
    [`${randomUUID()}@example.com`, hashOfToken(token)],
  );
  return token;
}

async function timeOf(url: string, headers: Record<string, string>): Promise<number> {
  const started = performance.now();
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`GET ${url}: ${response.status} ${text.slice(0, 200)}`);
  return performance.now() - started;
}
