import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ApiError,
  type Import,
  Outdial,
  verifyWebhook,
  type WebhookEvent,
} from '../../sdk/src/index.js';
import { Receiver } from '../events/webhooks/receiver.js';
import { buildCampaign, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
import { AnswerCutter } from './answer-cutter.js';
import { collected, rejection } from './played-api.js';

/* The client against a real API and a real worker. */

const calling = Calling.ofFile({ webhooksAllowPrivate: true });
const directory = mkdtempSync(join(tmpdir(), 'outdial-sdk-'));
let caller: Caller;
let outdial: Outdial;
let cutter: AnswerCutter;

const clientOf = (baseUrl: string, apiKey = caller.apiKey) => new Outdial({ baseUrl, apiKey, backoffMs: 20 });

beforeAll(async () => {
  await calling.startWorker();
  cutter = await AnswerCutter.before(await calling.api.getUrl());
});
afterAll(async () => {
  await cutter.close();
  rmSync(directory, { recursive: true });
});
beforeEach(async () => {
  caller = await buildCaller(calling.db);
  outdial = clientOf(await calling.api.getUrl());
});

test('a POST whose answers are lost is repeated, and places one call', async () => {
  const phoneNumber = nextNumber();
  cutter.cutNext(2);
  const accepted = await clientOf(cutter.url).calls.create(caller.agentId, { phoneNumber });
  expect(cutter.cut).toBe(2);
  const rows = await calling.rows(caller.teamId);
  expect(rows.map(({ id }) => id)).toEqual([accepted.callRequestId]);
  await eventually(
    () => outdial.calls.get(accepted.callRequestId),
    ({ status }) => status === 'completed',
  );
  expect(calling.dials(phoneNumber)).toHaveLength(1);
});

test('contacts and enrollments are created once, too', async () => {
  const campaign = await buildCampaign(calling.db, caller.teamId);
  const { contacts, enrollments } = clientOf(cutter.url);
  cutter.cutNext(1);
  const { contactId } = await contacts.create({ phoneNumber: nextNumber(), plan: 'gold' });
  cutter.cutNext(1);
  const { enrollmentId } = await enrollments.create({ contactId, campaignId: campaign.id });
  const listed = await collected(outdial.enrollments.list({ contactId }));
  expect(listed.map((one) => one.enrollmentId)).toEqual([enrollmentId]);
});

test('refusals have the fields of the contract', async () => {
  const campaign = await buildCampaign(calling.db, caller.teamId);
  const phoneNumber = nextNumber();
  const { contactId } = await outdial.contacts.upsert({ phoneNumber, campaignId: campaign.id });
  expect(await rejection(outdial.contacts.create({ phoneNumber }))).toMatchObject({
    status: 400,
    code: 'INVALID_REQUEST',
    message: 'Contact existed',
    contactId,
  });
  const again = await rejection(outdial.enrollments.create({ contactId, campaignId: campaign.id }));
  const [enrollment] = await collected(outdial.enrollments.list({ contactId }));
  expect(again).toMatchObject({ status: 409, enrollmentId: enrollment!.enrollmentId });
  await outdial.doNotCall.add({ phoneNumbers: [phoneNumber] });
  const refused = await rejection(outdial.calls.create(caller.agentId, { phoneNumber }));
  expect(refused).toMatchObject({ status: 500, code: 'DO_NOT_CALL', retryable: false });
  expect((refused as ApiError).requestId).toMatch(/^[0-9a-f-]{36}$/);
  const invalid = await rejection(outdial.contacts.update(contactId, { email: 'none' }));
  expect((invalid as ApiError).errors).toEqual([expect.objectContaining({ path: 'email' })]);
  const stranger = clientOf(await calling.api.getUrl(), 'od_live_unknown');
  expect(await rejection(stranger.key.get())).toMatchObject({ status: 401, code: 'INVALID_API_KEY' });
});

test('requests beyond the limit of the key wait until they are taken', async () => {
  const statuses: number[] = [];
  const counting: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    statuses.push(response.status);
    return response;
  };
  const settings = { baseUrl: await calling.api.getUrl(), apiKey: caller.apiKey, fetch: counting };
  const { key } = new Outdial({ ...settings, maxRetries: 20 });
  calling.world.config.apiRateLimit = 5;
  try {
    while (!statuses.includes(429)) await Promise.all(Array.from({ length: 12 }, () => key.get()));
  } finally {
    calling.world.config.apiRateLimit = 0;
  }
});

test('lists and exports give every item once', async () => {
  const numbers = Array.from({ length: 7 }, nextNumber);
  for (const phoneNumber of numbers) await outdial.contacts.create({ phoneNumber });
  const newestFirst = numbers.toReversed();
  const listed = await collected(outdial.contacts.list({ limit: 3 }));
  expect(listed.map(({ phoneNumber }) => phoneNumber)).toEqual(newestFirst);
  expect((await collected(outdial.contacts.list({ limit: 3 }).pages())).length).toBe(3);
  expect(await collected(outdial.contacts.export())).toEqual(listed);
  const csv = Buffer.concat(await collected(outdial.contacts.exportCsv({ phoneNumber: numbers[0] })));
  expect(csv.toString().trim().split('\n')).toHaveLength(2);
});

describe('imports', () => {
  const rows = 1_000;
  const file = join(directory, 'contacts.csv');
  const lines = Array.from({ length: rows }, (_, n) => `+1415${2_000_000 + n},Name ${n}\n`);

  beforeAll(() => writeFileSync(file, `phoneNumber,name\n${lines.join('')}12,Ada Byron\n`));

  const ended = (importId: string): Promise<Import> =>
    eventually(
      () => outdial.imports.get(importId),
      ({ finishedAt }) => finishedAt !== null,
    );

  test('a stream is imported, and its results are read line by line', async () => {
    const { importId } = await outdial.imports.create(createReadStream(file), { mode: 'create' });
    expect(await ended(importId)).toMatchObject({ status: 'finished', created: rows, failed: 1 });
    expect(await collected(outdial.imports.results(importId))).toHaveLength(rows + 1);
    const failed = await collected(outdial.imports.results(importId, { failed: true }));
    expect(failed).toEqual([{ row: rows + 1, error: expect.stringContaining('phoneNumber') as string }]);
  });

  test('an open file whose answer is lost is imported once', async () => {
    const opened = await open(file);
    cutter.cutNext(1);
    const { importId } = await clientOf(cutter.url).imports.create(opened);
    await opened.close();
    expect(await ended(importId)).toMatchObject({ status: 'finished', created: rows });
    expect(await collected(outdial.imports.list())).toHaveLength(1);
  });

  test('a file that is refused in the middle of its upload', async () => {
    async function* endless() {
      yield 'name\n';
      for (;;) yield await Promise.resolve(`${'x'.repeat(65_000)}\n`);
    }
    expect(await rejection(outdial.imports.create(endless()))).toMatchObject({
      status: 400,
      message: expect.stringContaining('The header must have the column phoneNumber') as string,
    });
  });
});

test('events are read in order, and arrive as webhooks that verify', async () => {
  const receiver = new Receiver();
  const url = await receiver.listen();
  const { id, secret } = await outdial.webhookEndpoints.create({ url, types: ['call.ended'] });
  const accepted = await outdial.calls.create(caller.agentId, { phoneNumber: nextNumber() });
  await eventually(
    () => Promise.resolve(receiver.received),
    ({ length }) => length > 0,
  );
  const [{ body, headers }] = receiver.received as [Receiver['received'][number]];
  const event: WebhookEvent = await verifyWebhook(body, headers, secret);
  const listed = await collected(outdial.events.list({ types: ['call.ended'] }));
  expect(listed).toEqual([event]);
  expect(event.type === 'call.ended' && event.data.callRequestId).toBe(accepted.callRequestId);

  const rotated = await outdial.webhookEndpoints.rotateSecret(id);
  const delivery = await outdial.webhookEndpoints.test(id);
  const test = await eventually(
    () => Promise.resolve(receiver.received.find((one) => one.event.id === delivery.eventId)),
    (found) => found !== undefined,
  );
  for (const one of [secret, rotated.secret]) await verifyWebhook(test!.body, test!.headers, one);
  await receiver.close();
});
