// Runs as a spec file in the extended copy (`extended-copy.ts`), where a contact has a `jobTitle`.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../../src/database/migrate.js';
import { ImportWorkerService } from '../../../src/imports/work/import-worker.service.js';
import { CliTerminal } from '../../cli/terminal.js';
import { FeedReader } from '../../events/feed-client.js';
import { ImportClient } from '../../imports/import-client.js';
import { nextNumber } from '../../support/builders.js';
import { buildCaller, type Caller } from '../../support/call-builders.js';
import { bearer, Calling, NEVER_MS } from '../../support/calling.js';

const TITLE = 'Keeper of the engines';
const directory = mkdtempSync(join(tmpdir(), 'outdial-job-title-'));

let calling: Calling;
let caller: Caller;

beforeAll(async () => {
  calling = await Calling.start({ erasureKey: 'erasure-key-of-the-tests' }, async ({ config }) => {
    await migrate(config.databaseUrl);
  });
  caller = await buildCaller(calling.db, {}, { prompt_template: 'Ask the {{contact.jobTitle}}.' });
});
afterAll(async () => {
  await calling.close();
  rmSync(directory, { recursive: true });
});

const ask = async (method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object) =>
  (await calling.http()[method](path).set(bearer(caller.apiKey)).send(body)).body as Record<string, unknown>;
const created = async (fields: object) => (await ask('post', '/api/contacts', fields)).contactId as string;

test('the API stores, returns, changes and clears it', async () => {
  const phoneNumber = nextNumber();
  const id = await created({ phoneNumber, jobTitle: TITLE });
  const get = () => ask('get', `/api/contacts/${id}`);
  expect(await get()).toMatchObject({ jobTitle: TITLE, companyName: null, customProperties: {} });
  await ask('post', '/api/campaigns/contact-enrollments', { phoneNumber, name: 'Ada' });
  expect(await get()).toMatchObject({ jobTitle: TITLE, name: 'Ada' });
  await ask('patch', `/api/contacts/${id}`, { jobTitle: 'Countess' });
  expect(await get()).toMatchObject({ jobTitle: 'Countess', name: 'Ada' });
  await ask('patch', `/api/contacts/${id}`, { jobTitle: null });
  expect(await get()).toMatchObject({ jobTitle: null, name: 'Ada' });
  expect(
    await ask('post', '/api/contacts', { phoneNumber: nextNumber(), jobTitle: 'x'.repeat(201) }),
  ).toEqual({
    error: 'jobTitle must be at most 200 characters',
  });
});

test('a prompt contains it', async () => {
  const phoneNumber = nextNumber();
  await created({ phoneNumber, jobTitle: TITLE });
  const path = `/api/voice-agents/${caller.agentId}/calls/explain`;
  expect(await ask('post', path, { phoneNumber })).toMatchObject({ prompt: `Ask the ${TITLE}.` });
});

test('an import reads it, and the exports of the API and of the CLI have it', async () => {
  const worker = await calling.startWorker({ sweeperIntervalMs: NEVER_MS });
  const imports = new ImportClient(calling);
  const phoneNumber = nextNumber();
  const importId = await imports.started(caller, `Phone,Job Title\n${phoneNumber},${TITLE}\n`);
  await worker.get(ImportWorkerService, { strict: false }).run(new AbortController().signal);
  expect(await imports.ended(caller, importId)).toMatchObject({ failed: 0, rows: 1 });
  const csv = (await calling.http().get('/api/contacts/export?format=csv').set(bearer(caller.apiKey))).text;
  const file = join(directory, 'contacts.csv');
  const cli = new CliTerminal({ url: calling.world.config.databaseUrl, drop: () => Promise.resolve() });
  await cli.json('contact', 'export', file, '--team', caller.teamId);
  for (const text of [csv, readFileSync(file, 'utf8')]) {
    expect(text).toContain('companyWebsite,jobTitle,timezone');
    expect(text).toMatch(new RegExp(`${phoneNumber.slice(1)}.*${TITLE}`));
  }
});

test('the event of an opt-out has it, until the contact is erased', async () => {
  const phoneNumber = nextNumber();
  const id = await created({ phoneNumber, jobTitle: TITLE });
  await ask('post', '/api/do-not-call', { phoneNumbers: [phoneNumber] });
  const events = () => new FeedReader(calling, caller).news();
  expect((await events()).at(-1)?.data).toMatchObject({ phoneNumber, jobTitle: TITLE });
  expect(await ask('get', `/api/contacts/${id}/export`)).toMatchObject({ contact: { jobTitle: TITLE } });
  await ask('delete', `/api/contacts/${id}`);
  expect((await events()).at(-1)?.data).toMatchObject({ contactId: id, jobTitle: null });
  const sql = 'SELECT job_title FROM contacts WHERE id = $1';
  expect(await calling.db.query(sql, [id])).toEqual([{ job_title: null }]);
});
