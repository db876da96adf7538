import { type TeamRole } from '../../src/domain/permissions.js';
import { Receiver } from '../events/webhooks/receiver.js';
import { Webhooks } from '../events/webhooks/webhooks.js';
import { section } from '../operations/operations-client.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { signedIn } from '../support/signed-in.js';
import { Person } from './person.js';

let webhooks: Webhooks;
let receiver: Receiver;
let caller: Caller;
let path: string;

beforeAll(async () => {
  webhooks = await Webhooks.start();
  receiver = new Receiver();
  await receiver.listen();
  await webhooks.calling.startWorker();
});
afterAll(async () => {
  await webhooks.calling.close();
  await receiver.close();
});
beforeEach(async () => {
  caller = await buildCaller(webhooks.db);
  path = `/t/${caller.teamId}/webhooks`;
});

async function person(role: TeamRole = 'admin'): Promise<Person> {
  const { cookie } = await signedIn(webhooks.db, { teamId: caller.teamId, role });
  return new Person(webhooks.calling.api, cookie);
}

test('an admin adds an endpoint, whose secret is shown once, and sends a test event', async () => {
  const admin = await person();
  expect(await admin.page(path)).toContain('There is no endpoint yet.');
  const added = await admin.submit(path, path, {
    url: receiver.url,
    description: 'CRM',
    which: 'all',
    types: [],
  });
  expect(added.status).toBe(200);
  const [, secret = ''] = /<output data-secret[^>]*>(whsec_[^<]+)</.exec(added.text) ?? [];
  expect(secret).not.toBe('');
  const list = await admin.page(path);
  expect(list).not.toContain(secret);
  const [, id = ''] = /data-endpoint="([^"]+)"/.exec(list) ?? [];
  const endpoint = `${path}/${id}`;
  const tested = await admin.submit(endpoint, `${endpoint}/test`);
  expect([tested.status, tested.headers.location]).toEqual([
    303,
    expect.stringMatching(new RegExp(`^${endpoint}/deliveries/`)),
  ]);
  const delivery = await admin.after(tested);
  expect(section(delivery, 'state')).toContain('Delivered');
  expect(section(delivery, 'answer')).toContain('204');
  expect(section(delivery, 'request')).toContain('A test event');
  const [sent] = await webhooks.deliveries(caller, id);
  expect((await admin.submit(endpoint, `${endpoint}/rotate`)).text).toMatch(
    /<output data-secret[^>]*>whsec_/,
  );
  expect((await admin.get(`${endpoint}/deliveries/${caller.agentId}`)).status).toBe(404);
  expect((await admin.get(`${path}/${caller.agentId}/deliveries/${sent?.id}`)).status).toBe(404);
});

test('an event that fails is shown with its request and answer, filtered, and sent again', async () => {
  const admin = await person();
  const { id } = await webhooks.create(caller, 'http://127.0.0.1:1/hook');
  const endpoint = `${path}/${id}`;
  await webhooks.writeEvents(caller.teamId, 1);
  await webhooks.number();
  const [waiting] = await webhooks.until(caller, id, ([one]) => one !== undefined && one.error !== null);
  const page = await admin.page(`${endpoint}?status=pending`);
  expect(section(page, 'deliveries')).toContain('The host could not be reached.');
  expect(section(await admin.page(`${endpoint}?status=delivered`), 'deliveries')).toContain(
    'No delivery is in this state.',
  );
  expect((await admin.get(`${endpoint}?status=nothing`)).status).toBe(400);
  const own = `${endpoint}/deliveries/${waiting?.id}`;
  const delivery = await admin.page(own);
  expect(section(delivery, 'request')).toContain('contact.opted_out');
  const again = await admin.submit(own, `${own}/retry`);
  expect([again.status, again.headers.location]).toEqual([303, own]);
});

test('an endpoint is changed, disabled, enabled and deleted', async () => {
  const admin = await person();
  const { id } = await webhooks.create(caller, 'https://example.com/hook', { types: ['call.ended'] });
  const endpoint = `${path}/${id}`;
  const read = async () => (await webhooks.ask('get', `/api/webhook-endpoints/${id}`, caller)).body as object;
  const changed = await admin.submit(endpoint, endpoint, {
    url: 'https://example.com/other',
    description: '',
    which: 'some',
    types: ['call.result', 'call.ended'],
  });
  expect(changed.status).toBe(303);
  expect(await read()).toMatchObject({
    url: 'https://example.com/other',
    types: ['call.result', 'call.ended'],
  });
  expect((await admin.submit(endpoint, `${endpoint}/disable`)).status).toBe(303);
  expect(await read()).toMatchObject({ disabled: true, types: ['call.result', 'call.ended'] });
  const disabled = await admin.page(endpoint);
  expect(disabled).not.toContain(`${endpoint}/test`);
  expect((await admin.submit(endpoint, `${endpoint}/enable`)).status).toBe(303);
  expect(await read()).toMatchObject({ disabled: false });
  const deleted = await admin.submit(endpoint, `${endpoint}/delete`);
  expect([deleted.status, deleted.headers.location]).toEqual([303, path]);
  expect((await admin.get(endpoint)).status).toBe(404);
});

test('a form that is refused names its field and keeps what was typed', async () => {
  const admin = await person();
  const { id } = await webhooks.create(caller, 'https://example.com/hook');
  for (const form of [path, `${path}/${id}`]) {
    for (const [typed, field, fault] of [
      [{ url: 'ftp://example.com' }, 'url', 'URL must'],
      [{ url: ' ' }, 'url', 'Enter the URL'],
      [{ url: 'https://example.com', types: [] }, 'types', 'Tick at least one event'],
      [{ url: 'https://example.com', description: 'x'.repeat(501) }, 'description', 'Description must'],
    ] as const) {
      const answer = await admin.submit(form, form, {
        description: 'Kept',
        which: 'some',
        types: ['call.ended'],
        ...typed,
      });
      expect([form, typed, answer.status]).toEqual([form, typed, 400]);
      expect(answer.text).toContain(`href="#field-${field}">${fault}`);
      if (field !== 'description') expect(answer.text).toContain('value="Kept"');
    }
  }
});

test('only admins see webhooks', async () => {
  const manager = await person('manager');
  expect((await manager.get(path)).status).toBe(403);
  expect(await manager.page(`/t/${caller.teamId}`)).not.toContain(`href="${path}"`);
  expect(await (await person()).page(`/t/${caller.teamId}`)).toContain(`href="${path}"`);
});

test('kept events are sent again by their numbers; a range that is refused keeps what was typed', async () => {
  const admin = await person();
  await webhooks.writeEvents(caller.teamId, 3);
  await webhooks.number();
  const { id } = await webhooks.create(caller, receiver.url);
  const endpoint = `${path}/${id}`;
  for (const [typed, fault, field] of [
    [{ after: '' }, 'Enter the number of an event', 'after'],
    [{ after: 'all', until: '7' }, 'After event must be a sequence', 'after'],
    [{ after: '0', until: '-1' }, 'Up to event must be a sequence', 'until'],
  ] as const) {
    const answer = await admin.submit(endpoint, `${endpoint}/replay`, typed);
    expect([typed, answer.status]).toEqual([typed, 400]);
    expect(answer.text).toContain(fault);
    expect(answer.text).toContain(`href="#field-${field}"`);
    expect(answer.text).toMatch(/<details id="replay" open/);
    if ('until' in typed) expect(answer.text).toContain(`value="${typed.until}"`);
  }
  expect(await webhooks.deliveries(caller, id)).toEqual([]);

  const sent = await admin.submit(endpoint, `${endpoint}/replay`, { after: '0' });
  expect([sent.status, sent.headers.location]).toEqual([303, endpoint]);
  expect(await admin.after(sent)).toContain('The kept events of the range are sent again.');
  const deliveries = await webhooks.until(
    caller,
    id,
    (all) => all.length === 3 && all.every(({ status }) => status === 'delivered'),
  );
  const [last] = deliveries.map(({ sequence }) => sequence).sort((a, b) => b - a);
  const once = { after: String((last ?? 0) - 1), until: String(last) };
  expect((await admin.submit(endpoint, `${endpoint}/replay`, once)).status).toBe(303);
  const audited = await webhooks.db.query<object[]>(
    `SELECT actor_kind, after FROM audit_log
     WHERE team_id = $1 AND action = 'webhook_endpoint.replayed' ORDER BY id`,
    [caller.teamId],
  );
  expect(audited).toMatchObject([
    { actor_kind: 'user', after: { after: 0 } },
    { actor_kind: 'user', after: { after: (last ?? 0) - 1, until: last } },
  ]);

  // A long range is sent in parts: the form has the rest of it.
  const rest = await admin.page(`${endpoint}?after=4711&until=4720`);
  expect(rest).toMatch(/<details id="replay" open/);
  expect(rest).toContain('value="4711"');
  await admin.submit(endpoint, `${endpoint}/disable`);
  expect(await admin.page(endpoint)).not.toContain('id="replay"');
});
