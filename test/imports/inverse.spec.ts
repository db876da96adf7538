import { type INestApplicationContext } from '@nestjs/common';
import fc from 'fast-check';
import { ImportWorkerService } from '../../src/imports/work/import-worker.service.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling, NEVER_MS } from '../support/calling.js';
import { CSV, ImportClient, NDJSON, numberAt } from './import-client.js';

/* An export of contacts, imported by another team, makes the same contacts. */

let calling: Calling;
let imports: ImportClient;
let worker: INestApplicationContext;

beforeAll(async () => {
  calling = await Calling.start();
  imports = new ImportClient(calling);
  worker = await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
});
afterAll(() => calling.close());

const work = () => worker.get(ImportWorkerService, { strict: false }).run(new AbortController().signal);

async function exported({ apiKey }: Caller, format: string): Promise<string> {
  const answer = await calling
    .http()
    .get(`/api/contacts/export?${format}`)
    .set(bearer(apiKey))
    .buffer(true)
    .parse((response, done) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => done(null, Buffer.concat(pieces).toString('utf8')));
    })
    .expect(200);
  return String(answer.body);
}

/** The contacts by their numbers, without their ids. */
async function contactsOf(caller: Caller): Promise<unknown[]> {
  const lines = (await exported(caller, 'format=ndjson')).split('\n').filter((line) => line !== '');
  return lines
    .map((line) => ({ ...(JSON.parse(line) as { phoneNumber: string }), contactId: null }))
    .sort((one, two) => (one.phoneNumber < two.phoneNumber ? -1 : 1));
}

async function stored(caller: Caller, contacts: readonly object[]): Promise<void> {
  const lines = contacts.map((contact, n) => JSON.stringify({ ...contact, phoneNumber: numberAt(n) }));
  const importId = await imports.started(caller, lines.join('\n'), { type: NDJSON });
  await work();
  expect(await imports.get(caller, importId)).toMatchObject({ failed: 0, rows: contacts.length });
}

const text = fc.oneof(
  fc.constantFrom(
    '=1+1',
    "'=x",
    '＝1',
    ' a ',
    'a;=b',
    'a\t@b',
    '"',
    ',',
    'two\r\nlines',
    '-5',
    '1.50',
    'true',
    'é🎈',
    '',
  ),
  fc.string({ maxLength: 20, unit: 'grapheme' }),
);
const key = fc.oneof(
  fc.constantFrom(
    'customProperties',
    'contactId',
    'name',
    'phoneNumber',
    'email',
    'timezone',
    'First Name',
    '',
  ),
  fc.string({ maxLength: 8, unit: 'grapheme' }),
);
const storable = (one: string) => !one.includes('\0') && one !== '__proto__' && !/\p{Surrogate}/u.test(one);
const value = fc.letrec((tie) => ({
  one: fc.oneof(
    { depthSize: 'small' },
    text.filter(storable),
    fc.integer(),
    fc
      .double({ noNaN: true, noDefaultInfinity: true, min: -1e15, max: 1e15 })
      .map((n) => Math.round(n * 100) / 100 + 0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('one'), { maxLength: 3 }),
    fc.dictionary(key.filter(storable), tie('one'), { maxKeys: 3 }),
  ),
})).one;

test('as NDJSON and as CSV, with every kind of value', async () => {
  const contact = fc.record({
    name: text.filter(storable),
    companyName: text.filter(storable),
    companyWebsite: text.filter(storable),
    email: fc.constantFrom('ada@example.com', null, "o'neil@example.com"),
    timezone: fc.constantFrom('Europe/Berlin', null),
    customProperties: fc.dictionary(key.filter(storable), value, { maxKeys: 5 }),
  });
  const contacts = fc.sample(contact, { seed: 20261127, numRuns: 300 });
  const first = await buildCaller(calling.db);
  await stored(first, contacts);
  const wanted = await contactsOf(first);
  expect(wanted).toHaveLength(300);
  for (const [query, type] of [
    ['format=ndjson', NDJSON],
    ['format=csv', CSV],
    ['format=csv&bom=true', CSV],
  ] as const) {
    const file = await exported(first, query);
    expect(file.startsWith('\uFEFF')).toBe(query.includes('bom'));
    const second = await buildCaller(calling.db);
    const importId = await imports.started(second, file, { type });
    await work();
    expect(await imports.get(second, importId)).toMatchObject({ created: 300, failed: 0, warned: 0 });
    expect(await contactsOf(second)).toEqual(wanted);
  }
});

test('failed rows come as CSV with their cells and the reason, and can be imported again', async () => {
  const caller = await buildCaller(calling.db);
  const file = `Phone;E-mail;Time zone;=note\n${numberAt(0)};x;;a\n${numberAt(1)};;Mars;"=1, ""b"""\n12;;;\n${numberAt(1)};"q"x;;\n`;
  const importId = await imports.started(caller, file);
  await work();
  const view = await imports.get(caller, importId);
  expect(view).toMatchObject({
    rows: 4,
    created: 1,
    failed: 3,
    warned: 1,
    withoutTimezone: 1,
    countries: { US: 1 },
  });
  const [kept] = await imports.results(caller, importId);
  expect(kept?.warnings).toEqual([{ key: 'email', text: 'email must be an email address; it was left out' }]);
  const answer = await calling
    .http()
    .get(`/api/imports/${importId}/results?failed=true&format=csv`)
    .set(bearer(caller.apiKey))
    .expect(200);
  const lines = answer.text.split('\r\n');
  expect(lines[0]).toBe("row,error,Phone,E-mail,Time zone,'=note");
  expect(lines[1]).toMatch(/^2,"?timezone must be .*\+14152000001,,Mars,"'=1, ""b"""$/);
  expect(lines[2]).toMatch(/^3,.*,12,,,$/);
  expect(lines[3]).toMatch(
    /^4,The row is not valid CSV: its quotation marks do not match,\+14152000001,"""q""x",,$/,
  );
  const again = await imports.started(caller, answer.text.replace('Mars', 'Europe/Berlin'));
  await work();
  expect(await imports.get(caller, again)).toMatchObject({
    rows: 3,
    created: 1,
    failed: 1,
    updated: 1,
    repeatedNumbers: 1,
  });
});
