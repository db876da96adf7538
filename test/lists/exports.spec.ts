import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { parse } from 'csv-parse/sync';
import { TeamContactsService } from '../../src/contacts/team-contacts.service.js';
import { Metrics } from '../../src/telemetry/metrics.js';
import { buildCall, buildContact } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { getBy, walkBy } from './list-client.js';

let calling: Calling;
let caller: Caller;

beforeAll(async () => {
  calling = await Calling.start();
});
afterAll(() => calling.close());
beforeEach(async () => {
  caller = await buildCaller(calling.db);
});

/** The text of an export that must be answered. */
async function exported(path: string, by = caller): Promise<{ text: string; type: string; file: string }> {
  const answer = await getBy(calling, by, path)
    .buffer(true)
    .parse((response, done) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => done(null, text));
    })
    .expect(200);
  const header = (name: string) => String(answer.headers[name]);
  return { text: String(answer.body), type: header('content-type'), file: header('content-disposition') };
}

const linesOf = ({ text }: { text: string }) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown);

/** More than one page of contacts, inserted at once. */
const buildContacts = (count: number, note = '') =>
  calling.db.query(
    `INSERT INTO contacts (team_id, phone_number, name, custom_properties)
     SELECT $1, '+1415' || 2000000 + n, 'Name ' || n, jsonb_build_object('n', n, 'note', $3::text)
     FROM generate_series(1, $2::integer) AS n`,
    [caller.teamId, count, note],
  );

test('an export has the items of the list, page after page', async () => {
  await buildContacts(450);
  const { items } = await walkBy(calling, caller, '/api/contacts', 200);
  const ndjson = await exported('/api/contacts/export?format=ndjson');
  expect(linesOf(ndjson)).toEqual(items);
  expect([ndjson.type, ndjson.file]).toEqual([
    'application/x-ndjson; charset=utf-8',
    'attachment; filename="contacts.ndjson"',
  ]);
  const csv = await exported('/api/contacts/export');
  expect([csv.type, csv.file]).toEqual(['text/csv; charset=utf-8', 'attachment; filename="contacts.csv"']);
  const rows = parse<Record<string, string>>(csv.text, { columns: true });
  expect(rows).toEqual(
    items.map((item) => ({
      ...Object.fromEntries(Object.entries(item).map(([name, value]) => [name, value ?? ''])),
      customProperties: JSON.stringify(item.customProperties),
    })),
  );
});

test('calls are exported, narrowed by the filters of the list', async () => {
  const contact = await buildContact(calling.db, caller.teamId);
  const keys = {
    team_id: caller.teamId,
    agent_id: caller.agentId,
    contact_id: contact.id,
    phone_number: contact.phone_number,
  };
  const then = new Date(0);
  const ended = { claimed_at: then, processed_at: then, caller_id: caller.callerNumber, ended_at: then };
  await buildCall(calling.db, keys, { status: 'completed', ...ended });
  await buildCall(calling.db, keys, { first_message: '=1+1 "Hello", he said' });
  const all = (await walkBy(calling, caller, '/api/calls', 10)).items;
  expect(linesOf(await exported('/api/calls/export?format=ndjson'))).toEqual(all);
  const rows = parse<Record<string, string>>((await exported('/api/calls/export')).text, { columns: true });
  expect(rows.map(({ callRequestId }) => callRequestId)).toEqual(all.map((item) => item.callRequestId));
  expect(rows[0]).toMatchObject({
    firstMessage: `'=1+1 "Hello", he said`,
    phoneNumber: contact.phone_number,
    endedAt: '',
  });
  const completed = await exported('/api/calls/export?format=ndjson&status=completed');
  expect(linesOf(completed)).toEqual(all.filter(({ status }) => status === 'completed'));
});

test('nothing to export is a header, or nothing; another team’s rows are never there', async () => {
  await buildContacts(1);
  const stranger = await buildCaller(calling.db);
  expect((await exported('/api/contacts/export?format=ndjson', stranger)).text).toBe('');
  expect((await exported('/api/contacts/export', stranger)).text).toBe(
    'contactId,phoneNumber,externalId,name,email,companyName,companyWebsite,timezone,customProperties\r\n',
  );
  for (const path of ['/api/contacts/export', '/api/calls/export']) {
    expect((await calling.http().get(path)).status).toBe(401);
  }
});

test.each([
  ['/api/contacts/export?format=xls', 'format must be one of csv, ndjson'],
  ['/api/contacts/export?limit=5', 'limit is not a parameter of an export'],
  ['/api/calls/export?status=x&agentId=y', 'status must be one of'],
  ['/api/calls/export?name=x', 'name is not a parameter'],
])('%s is 400', async (path, message) => {
  const answer = await getBy(calling, caller, path);
  expect(answer.status).toBe(400);
  expect((answer.body as { error: string }).error).toContain(message);
});

test('an export ends when its client leaves', async () => {
  // About a hundred pages, of which the connection holds a few.
  await buildContacts(2_000, 'x'.repeat(50_000));
  const list = jest.spyOn(calling.api.get(TeamContactsService, { strict: false }), 'list');
  const answered = jest.spyOn(calling.api.get(Metrics, { strict: false }), 'requestAnswered');
  try {
    const { port } = calling.api.getHttpServer().address() as { port: number };
    const asking = get({ port, path: '/api/contacts/export', headers: bearer(caller.apiKey) });
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    await once(response, 'readable');
    const over = new Promise<void>((resolve) => answered.mockImplementationOnce(() => resolve()));
    response.destroy();
    await over;
    // The page that was being read, and the pages that had been sent.
    expect(list.mock.calls.length).toBeLessThan(60);
    const [busy] = await calling.db.query<{ n: number }[]>(
      `SELECT count(*)::integer AS n FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'idle in transaction'`,
    );
    expect(busy?.n).toBe(0);
  } finally {
    list.mockRestore();
    answered.mockRestore();
  }
});
