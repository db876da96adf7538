import { type INestApplicationContext } from '@nestjs/common';
import { ImportWorkerService } from '../../src/imports/work/import-worker.service.js';
import { buildContact } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling, NEVER_MS } from '../support/calling.js';
import { LockHolder } from '../support/lock-holder.js';
import { ImportClient, NDJSON, numberAt } from './import-client.js';

let calling: Calling;
let holder: LockHolder;
let imports: ImportClient;
let worker: INestApplicationContext;
let caller: Caller;

beforeAll(async () => {
  calling = await Calling.start();
  holder = await LockHolder.connect(calling);
  calling.beforeClose(() => holder.close());
  imports = new ImportClient(calling);
  worker = await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
});
afterAll(() => calling.close());
beforeEach(async () => {
  caller = await buildCaller(calling.db);
});

const work = () => worker.get(ImportWorkerService, { strict: false }).run(new AbortController().signal);

async function imported(body: string, options: { query?: string; type?: string } = {}) {
  const importId = await imports.started(caller, body, options);
  await work();
  return {
    view: await imports.get(caller, importId),
    results: await imports.results(caller, importId),
  };
}

const rowsOf = (lines: object[]) => lines.map((line) => JSON.stringify(line)).join('\n');
const contact = (row: object) => buildContact(calling.db, caller.teamId, { ...row });
const contacts = () =>
  calling.db.query<Record<string, unknown>[]>(
    `SELECT phone_number AS number, external_id AS id, custom_properties AS properties FROM contacts
     WHERE team_id = $1 ORDER BY phone_number`,
    [caller.teamId],
  );

test.each(['externalId', 'External ID', 'external_id'])(
  'the column %s is the external id',
  async (header) => {
    const { view, results } = await imported(
      `phoneNumber,${header},plan\n${numberAt(0)}, crm-1 ,gold\n${numberAt(1)},,silver\n`,
    );
    expect(view).toMatchObject({ created: 2, failed: 0 });
    expect(await contacts()).toEqual([
      { number: numberAt(0), id: 'crm-1', properties: { plan: 'gold' } },
      { number: numberAt(1), id: null, properties: { plan: 'silver' } },
    ]);
    expect(results.map(({ externalId }) => externalId)).toEqual(['crm-1', undefined]);
  },
);

test('in NDJSON it is a field; a property of the name is below customProperties', async () => {
  const { view } = await imported(
    rowsOf([
      { phoneNumber: numberAt(0), externalId: 'crm-1', plan: 'gold' },
      { phoneNumber: numberAt(1), externalId: 'crm-2', customProperties: { externalId: 'a property' } },
      { phoneNumber: numberAt(2), externalId: null },
    ]),
    { type: NDJSON },
  );
  expect(view).toMatchObject({ created: 3, failed: 0 });
  expect(await contacts()).toEqual([
    { number: numberAt(0), id: 'crm-1', properties: { plan: 'gold' } },
    { number: numberAt(1), id: 'crm-2', properties: { externalId: 'a property' } },
    { number: numberAt(2), id: null, properties: {} },
  ]);
});

test('it is set where it is null; a row in conflict fails alone, and names the contacts', async () => {
  await contact({ phone_number: numberAt(0) });
  const one = await contact({ phone_number: numberAt(1), external_id: 'crm-1' });
  const two = await contact({ phone_number: numberAt(2), external_id: 'crm-2' });
  const { view, results } = await imported(
    rowsOf([
      { phoneNumber: numberAt(0), externalId: 'crm-0' },
      { phoneNumber: numberAt(1), externalId: 'crm-1', name: 'Ada' },
      { phoneNumber: numberAt(1), externalId: 'crm-2', name: 'Bob' },
      { phoneNumber: numberAt(2), externalId: 'other', name: 'Bob' },
      { phoneNumber: numberAt(3), externalId: 'crm-2' },
      { phoneNumber: numberAt(4), externalId: 'caf\u00e9' },
      { phoneNumber: numberAt(5), externalId: 'crm-5' },
    ]),
    { type: NDJSON },
  );
  expect(view).toMatchObject({ status: 'finished', created: 1, updated: 2, failed: 4 });
  expect(results.slice(2, 6).map(({ contactId, error }) => [contactId, error])).toEqual([
    [one.id, `externalId belongs to contact ${two.id}, and the phone number belongs to contact ${one.id}`],
    [two.id, `The phone number belongs to contact ${two.id}, which has another external id than externalId`],
    [undefined, `externalId belongs to contact ${two.id}, which has another phone number`],
    [undefined, 'externalId must be 1 to 255 printable ASCII characters'],
  ]);
  expect((await contacts()).map(({ number, id }) => [number, id])).toEqual([
    [numberAt(0), 'crm-0'],
    [numberAt(1), 'crm-1'],
    [numberAt(2), 'crm-2'],
    [numberAt(5), 'crm-5'],
  ]);
});

test.each(['upsert', 'create'])(
  'two rows of a file with one external id, %s: the first is stored',
  async (mode) => {
    const lines = Array.from({ length: 400 }, (_, n) => ({
      phoneNumber: numberAt(n),
      externalId: `crm-${n % 390}`,
    }));
    const { view, results } = await imported(rowsOf(lines), { type: NDJSON, query: `mode=${mode}` });
    expect(view).toMatchObject({ status: 'finished', created: 390, failed: 10 });
    expect(results.filter(({ error }) => error !== undefined).map(({ row }) => row)).toEqual(
      Array.from({ length: 10 }, (_, n) => 391 + n),
    );
  },
);

test('mode=create: `Contact existed` comes first', async () => {
  const one = await contact({ phone_number: numberAt(0), external_id: 'crm-0' });
  await contact({ phone_number: numberAt(1), external_id: 'crm-1' });
  const { results } = await imported(rowsOf([{ phoneNumber: numberAt(0), externalId: 'crm-1' }]), {
    type: NDJSON,
    query: 'mode=create',
  });
  expect(results).toEqual([
    expect.objectContaining({ contactId: one.id, error: 'Contact existed', externalId: 'crm-0' }),
  ]);
});

test('rows whose external ids another transaction stores meanwhile fail, and the others are stored', async () => {
  const importId = await imports.started(
    caller,
    rowsOf([0, 1, 2].map((n) => ({ phoneNumber: numberAt(n), externalId: `crm-${n}` }))),
    { type: NDJSON },
  );
  const insert = 'INSERT INTO contacts (team_id, phone_number, external_id) VALUES ($1, $2, $3)';
  await holder.query('BEGIN');
  await holder.query(insert, [caller.teamId, numberAt(9), 'crm-1']);
  const working = work();
  await holder.waited();
  await holder.query('COMMIT');
  await working;
  // A wait that was too long leaves the row to the next run.
  await work();
  const view = await imports.ended(caller, importId);
  expect(view).toMatchObject({ status: 'finished', created: 2, failed: 1 });
});
