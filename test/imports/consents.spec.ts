import { type INestApplicationContext } from '@nestjs/common';
import { type ConsentResource } from '../../src/consents/consent.dto.js';
import { type ImportLook } from '../../src/imports/upload/first-look.js';
import { ImportWorkerService } from '../../src/imports/work/import-worker.service.js';
import { Ledger } from '../support/consent-ledger.js';
import { buildContact } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling, NEVER_MS } from '../support/calling.js';
import { CSV, ImportClient, NDJSON, numberAt } from './import-client.js';

let calling: Calling;
let imports: ImportClient;
let ledger: Ledger;
let worker: INestApplicationContext;
let caller: Caller;

beforeAll(async () => {
  calling = await Calling.start({ erasureKey: 'erasure-key-of-the-tests' });
  imports = new ImportClient(calling);
  ledger = new Ledger(calling);
  worker = await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
  await calling.queue.pause();
});
afterAll(() => calling.close());
beforeEach(async () => {
  caller = await buildCaller(calling.db, { default_country: 'US' });
});

const work = () => worker.get(ImportWorkerService, { strict: false }).run(new AbortController().signal);
const query = 'type=consents';

async function imported(file: string, type = CSV, more = '') {
  const importId = await imports.started(caller, file, { query: query + more, type });
  await work();
  return {
    importId,
    view: await imports.get(caller, importId),
    results: await imports.results(caller, importId),
  };
}

const consents = async (): Promise<Partial<ConsentResource>[]> => {
  const all = await ledger.list(caller);
  return all
    .map(({ id: _, createdAt: __, ...consent }) => consent)
    .sort((one, other) => (one.phoneNumber < other.phoneNumber ? -1 : 1));
};

const HEADER = 'phoneNumber,level,purpose,voice,source,evidence,grantedAt,expiresAt';
const FIRST = `(415) 200-0000,expressWritten,marketing,ai,Web form,form 7,2026-03-05T10:00:00+01:00,2099-01-01T00:00:00Z`;
const SECOND = `${numberAt(1)},express,,,Letter,,2026-03-02T09:00:00Z,`;
const RECORDED = [
  {
    phoneNumber: numberAt(0),
    level: 'expressWritten',
    purpose: 'marketing',
    voice: 'ai',
    source: 'Web form',
    evidence: 'form 7',
    grantedAt: '2026-03-05T09:00:00.000Z',
    expiresAt: '2099-01-01T00:00:00.000Z',
    status: 'in_force',
    endedAt: null,
    endReason: null,
  },
  {
    phoneNumber: numberAt(1),
    level: 'express',
    purpose: null,
    voice: null,
    source: 'Letter',
    evidence: null,
    grantedAt: '2026-03-02T09:00:00.000Z',
    expiresAt: null,
    status: 'in_force',
    endedAt: null,
    endReason: null,
  },
];

test('a file of consents is recorded', async () => {
  const { view, results } = await imported([HEADER, FIRST, SECOND, ''].join('\n'));
  expect(view).toMatchObject({
    type: 'consents',
    status: 'finished',
    rows: 2,
    created: 2,
    updated: 0,
    failed: 0,
    enrolled: 0,
    columns: HEADER.split(',').map((name) => ({ header: name, field: name })),
    undo: null,
  });
  expect(results).toEqual([{ row: 1 }, { row: 2 }]);
  expect(await consents()).toEqual(RECORDED);
});

test('so are lines of JSON, and a file whose columns have other names', async () => {
  const [, second] = RECORDED;
  const line = JSON.stringify({ ...second, expiresAt: null, status: undefined });
  expect((await imported(line, NDJSON)).view).toMatchObject({ created: 1, failed: 0 });
  const file = `Mobile;Consent level;Where;Consent date;Agent\n${numberAt(0)};express;Phone;2026-01-01T00:00:00Z;x\n`;
  const { view } = await imported(file, CSV, '&map=Where:source');
  expect(view).toMatchObject({
    created: 1,
    columns: expect.arrayContaining([{ header: 'Agent', ignored: true }]) as object[],
  });
  expect(await consents()).toMatchObject([{ source: 'Phone' }, { source: 'Letter' }]);
});

test('rows that are no consents have an error that names the field, and the others are recorded', async () => {
  const bad = [
    '12,express,,,x,,2026-01-01T00:00:00Z,',
    `${numberAt(2)},oral,,,x,,2026-01-01T00:00:00Z,`,
    `${numberAt(3)},express,,,,,2026-01-01T00:00:00Z,`,
    `${numberAt(4)},express,,,x,,01.02.2026,`,
    `${numberAt(5)},express,,,x,,2099-01-01T00:00:00Z,`,
    `${numberAt(6)},express,fun,robot,x,,2026-01-01T00:00:00Z,`,
    `${numberAt(7)},express,,,x,,2026-01-02T00:00:00Z,2026-01-01T00:00:00Z`,
  ];
  const { view, results, importId } = await imported([HEADER, SECOND, ...bad, ''].join('\n'));
  expect(view).toMatchObject({ rows: 8, created: 1, failed: 7 });
  const INSTANT = 'must be a date-time with an offset, such as 2027-03-28T09:00:00+02:00';
  expect(results.map(({ error }) => error)).toEqual([
    undefined,
    'phoneNumber is not a valid phone number',
    'level must be one of express, expressWritten',
    'source is required',
    `grantedAt ${INSTANT}`,
    'grantedAt must not be in the future',
    'purpose must be one of marketing, informational, debt, survey; voice must be one of ai, prerecorded, live',
    'expiresAt must be later than grantedAt',
  ]);
  expect(await consents()).toEqual([RECORDED[1]]);
  const failed = await calling
    .http()
    .get(`/api/imports/${importId}/results?failed=true&format=csv`)
    .set(bearer(caller.apiKey));
  expect(failed.text.split('\r\n')[1]).toBe(`2,phoneNumber is not a valid phone number,${bad[0]}`);
  // The file of failed rows can be corrected and sent again.
  const corrected = failed.text.replace('01.02.2026', '2026-02-01T00:00:00Z');
  expect((await imported(corrected)).view).toMatchObject({ rows: 7, created: 1, failed: 6 });
});

test('a file that is sent again records nothing twice, also within the file', async () => {
  const file = [HEADER, FIRST, SECOND, SECOND, ''].join('\n');
  expect((await imported(file)).view).toMatchObject({ created: 2, updated: 1 });
  expect((await imported(file)).view).toMatchObject({ created: 0, updated: 3 });
  expect(await consents()).toEqual(RECORDED);
});

test('a dry run says what the import would do, and records nothing', async () => {
  const bad = `${numberAt(5)},express,,,x,,2099-01-01T00:00:00Z,`;
  await imported([HEADER, SECOND, ''].join('\n'));
  const file = [HEADER, FIRST, FIRST, SECOND, bad, ''].join('\n');
  const answer = await imports.send(caller, file, { query: `${query}&dryRun=true` });
  const look: ImportLook = {
    columns: HEADER.split(',').map((name) => ({ header: name, field: name })),
    rows: 4,
    new: 1,
    known: 1,
    repeated: 1,
    failed: 1,
    failures: { 'grantedAt must not be in the future': 1 },
    warned: 0,
    withoutTimezone: 0,
    countries: {},
    firstRows: [],
    badRows: [{ row: 4, error: 'grantedAt must not be in the future', cells: bad.split(',') }],
  };
  expect([answer.status, answer.body]).toEqual([200, look]);
  expect(await consents()).toEqual([RECORDED[1]]);
});

test('a consent of a file that was given before the opt-out of its number is not in force', async () => {
  const body = { phoneNumbers: [numberAt(1)] };
  await calling.operated('post', `/teams/${caller.teamId}/do-not-call`, body);
  await calling.operated('delete', `/teams/${caller.teamId}/do-not-call/${numberAt(1)}`);
  expect((await imported([HEADER, SECOND, ''].join('\n'))).view).toMatchObject({ created: 1 });
  expect(await ledger.states(caller, numberAt(1))).toEqual(['opted_out']);
});

test('the key needs the scopes imports and suppressions', async () => {
  const keyWith = async (scopes: string[]) => {
    const made = await calling.operated('post', `/teams/${caller.teamId}/api-keys`, {
      name: 'k',
      scopes,
    });
    return { apiKey: (made.body as { key: string }).key };
  };
  const file = [HEADER, FIRST, ''].join('\n');
  const refused = await imports.send(await keyWith(['imports']), file, { query });
  expect([refused.status, refused.body]).toMatchObject([
    403,
    { error: 'The API key lacks the scope suppressions' },
  ]);
  const taken = await imports.send(await keyWith(['imports', 'suppressions']), file, { query });
  expect(taken.status).toBe(202);
});

test('an import of consents can be held, and is not undone', async () => {
  const file = [HEADER, FIRST, ''].join('\n');
  const importId = await imports.started(caller, file, { query: `${query}&hold=true` });
  await work();
  expect(await consents()).toEqual([]);
  await imports.start(caller, importId).expect(200);
  for (const other of ['take_import', 'take_suppressions'])
    expect(await calling.db.query(`SELECT * FROM ${other}(interval '5 seconds')`)).toEqual([]);
  await work();
  expect(await consents()).toHaveLength(1);
  const undo = await imports.undo(caller, importId);
  expect([undo.status, undo.body]).toMatchObject([409, { error: 'An import of consents cannot be undone' }]);
  expect(await consents()).toHaveLength(1);
});

test('the erasure of a contact removes its rows from a file that waits', async () => {
  const contact = await buildContact(calling.db, caller.teamId, { phone_number: numberAt(0) });
  const importId = await imports.started(caller, [HEADER, FIRST, SECOND, ''].join('\n'), { query });
  await calling.http().delete(`/api/contacts/${contact.id}`).set(bearer(caller.apiKey)).expect(204);
  await work();
  expect(await imports.get(caller, importId)).toMatchObject({ created: 1, failed: 1 });
  expect(await consents()).toEqual([RECORDED[1]]);
});

test('many rows are recorded once each, though two workers process the file', async () => {
  const rows = Array.from(
    { length: 700 },
    (_, n) => `${numberAt(n)},express,,,Letter,,2026-03-02T09:00:00Z,`,
  );
  const importId = await imports.started(caller, [HEADER, ...rows, ''].join('\n'), { query });
  await Promise.all([work(), work()]);
  await work();
  expect(await imports.get(caller, importId)).toMatchObject({ status: 'finished', created: 700, updated: 0 });
  const [row] = await calling.db.query<{ n: number }[]>(
    'SELECT count(*)::integer AS n FROM consents WHERE team_id = $1',
    [caller.teamId],
  );
  expect(row).toEqual({ n: 700 });
});

test.each([
  ['type=consents&mode=create&strict=true', 'mode is only for imports of contacts; strict is only'],
  ['type=consents&map=level:name', 'map must end with one of phoneNumber, level, purpose, voice, source'],
  ['type=consents&map=x:level', 'The header has no column "x", which map names'],
  [
    'type=consents&map=level:ignore',
    'The header must have the column level; map=Column:level names another one',
  ],
  ['type=consents&dryRun=true&hold=true', 'hold needs an import'],
])('?%s is 400', async (asked, message) => {
  const answer = await imports.send(caller, [HEADER, FIRST, ''].join('\n'), { query: asked });
  expect([answer.status, (answer.body as { error: string }).error]).toEqual([
    400,
    expect.stringContaining(message),
  ]);
});

test('a file without a header is refused, because its columns are not known', async () => {
  const answer = await imports.send(caller, `${FIRST}\n${SECOND}\n`, { query });
  expect([answer.status, (answer.body as { error: string }).error]).toEqual([
    400,
    expect.stringMatching(/^The header must have the column phoneNumber|has no name/) as string,
  ]);
});
