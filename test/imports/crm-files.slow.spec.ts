import { parse } from 'csv-parse/sync';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
import { ImportClient } from './import-client.js';

/*
 * From the file of another system to the results of its people, by the team's key alone: the file is looked at and
 * imported into a campaign, the campaign is published, paused and resumed, and its results are joined with the rows
 * of the file by their ids.
 */

const ROWS = 120;
const MOVING_MS = 60_000;

interface CrmFile {
  header: readonly string[];
  row: (n: number) => string[];
  /** The column of the ids. */
  id: string;
  query: string;
}

const NAMES = ['Ada', 'José', 'Zoë', 'Mary Ann', 'Nguyễn', 'O’Neil'];
const national = (n: number) => `(206) 201-${String(1000 + n)}`;
/** Every twentieth row has no number. */
const phone = (n: number, written: string) => (n % 20 === 7 ? 'n/a' : written);
const isCalled = (n: number) => n % 20 !== 7;
const nameOf = (n: number) => NAMES[n % NAMES.length] ?? '';

const FILES: Record<string, CrmFile> = {
  HubSpot: {
    header: [
      'Record ID',
      'First Name',
      'Last Name',
      'Email',
      'Phone Number',
      'Company name',
      'Time Zone',
      'Lifecycle Stage',
    ],
    row: (n) => [
      String(90_000 + n),
      nameOf(n),
      'de la Cruz',
      `x.${n}@example.com `,
      phone(n, n % 2 === 0 ? national(n) : `+1206201${1000 + n}`),
      'Engines, Inc.',
      n % 3 === 0 ? 'America/New_York' : '',
      'lead',
    ],
    id: 'Record ID',
    query: '&map=Record%20ID:externalId',
  },
  Salesforce: {
    header: [
      'Contact ID',
      'Salutation',
      'First Name',
      'Last Name',
      'Title',
      'Phone',
      'Mobile',
      'Email',
      'Account Name',
    ],
    row: (n) => [
      `003${n}`,
      'Ms.',
      nameOf(n),
      'Smith, Jr.',
      '',
      '',
      phone(n, national(n)),
      `x.${n}@example.com`,
      'ACME "Best"',
    ],
    id: 'Contact ID',
    query: '&map=Contact%20ID:externalId&map=Mobile:phoneNumber&map=Phone:property',
  },
  VICIdial: {
    header: [
      'vendor_lead_code',
      'phone_code',
      'phone_number',
      'title',
      'first_name',
      'last_name',
      'state',
      'postal_code',
      'email',
      'comments',
    ],
    row: (n) => [String(n), '1', phone(n, `206201${1000 + n}`), '', nameOf(n), 'Müller', 'WA', '', '', ''],
    id: 'vendor_lead_code',
    query: '&map=vendor_lead_code:externalId',
  },
};

const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const line = (cells: readonly string[]) => `${cells.map(cell).join(',')}\r\n`;

function textOf({ header, row }: CrmFile): string {
  return `\uFEFF${line(header)}${Array.from({ length: ROWS }, (_, n) => line(row(n))).join('')}`;
}

let calling: Calling;
let imports: ImportClient;
let caller: Caller;

beforeAll(async () => {
  calling = await Calling.start();
  imports = new ImportClient(calling);
  await calling.startWorker({ sweeperIntervalMs: 200 });
});
afterAll(() => calling.close());
beforeEach(async () => {
  caller = await buildCaller(calling.db, { default_country: 'US', max_concurrent_calls: null });
});

const asked = async <T>(method: 'get' | 'post' | 'patch', path: string, body?: object): Promise<T> => {
  const answer = await calling.http()[method](path).set(bearer(caller.apiKey)).send(body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body as T;
};

interface ResultRow {
  externalId: string;
  lastOutcome: string;
  status: string;
}

async function resultsOf(campaignId: string): Promise<ResultRow[]> {
  const answer = await calling
    .http()
    .get(`/api/campaigns/${campaignId}/results?format=csv`)
    .set(bearer(caller.apiKey))
    .expect(200);
  return parse(answer.text, { columns: true, bom: true });
}

test.each(Object.entries(FILES))(
  'a file of %s becomes calls, and its results are joined with its rows by their ids',
  async (_, file) => {
    const text = textOf(file);
    const campaign = await asked<{ id: string }>('post', '/api/campaigns', {
      name: 'Spring',
      status: 'active',
      pacing: { callsPerMinute: null },
    });
    const path = `/api/campaigns/${campaign.id}`;
    const version = await asked<{ id: string }>('post', `${path}/versions`, {
      definition: { steps: [{ key: 'first', agentId: caller.agentId }] },
    });
    await asked('post', `${path}/versions/${version.id}/publish`);
    await asked('patch', path, { status: 'paused' });

    const query = `campaignId=${campaign.id}${file.query}`;
    const look = await imports.send(caller, text, { query: `dryRun=true&${query}` });
    const called = Array.from({ length: ROWS }, (_, n) => n).filter(isCalled);
    expect([look.status, look.body]).toMatchObject([
      200,
      { new: called.length, known: 0, failed: ROWS - called.length },
    ]);
    const importId = await imports.started(caller, text, { query });
    const done = await eventually(
      () => imports.get(caller, importId),
      ({ status }) => status === 'finished',
      MOVING_MS,
    );
    expect(done).toMatchObject({
      created: called.length,
      enrolled: called.length,
      failed: ROWS - called.length,
    });
    // Nobody is called while the campaign is paused.
    expect((await resultsOf(campaign.id)).map(({ lastOutcome }) => lastOutcome)).toEqual(
      called.map(() => ''),
    );
    await asked('patch', path, { status: 'active' });
    const results = await eventually(
      () => resultsOf(campaign.id),
      (all) => all.every(({ status }) => status !== 'active'),
      MOVING_MS,
    );
    expect(results.map(({ lastOutcome }) => lastOutcome)).toEqual(called.map(() => 'completed'));

    const rows: Record<string, string>[] = parse(text, { columns: true, bom: true });
    const outcomeOf = new Map(results.map(({ externalId, lastOutcome }) => [externalId, lastOutcome]));
    const joined = rows.map((row) => outcomeOf.get(row[file.id] ?? ''));
    expect(joined).toEqual(rows.map((_, n) => (isCalled(n) ? 'completed' : undefined)));
  },
);
