import { type CallView } from '../../src/calls/records/calls.service.js';
import { Calling } from '../support/calling.js';
import { buildContact, nextNumber, type Row } from '../support/builders.js';
import { buildCaller } from '../support/call-builders.js';

const calling = Calling.ofFile();
const worker = calling.idleWorkerOfFile();

interface Rendering {
  agent: Row;
  contact?: Row;
  request?: object;
  /** Between the trigger and the claim. */
  change?: (teamId: string) => Promise<unknown>;
}

async function rendered({ agent, contact, request, change }: Rendering): Promise<CallView> {
  const caller = await buildCaller(calling.db, {}, agent);
  const phoneNumber = nextNumber();
  if (contact) await buildContact(calling.db, caller.teamId, { phone_number: phoneNumber, ...contact });
  const id = await calling.accepted(caller, { phoneNumber, ...request });
  const pending = (await calling.get(caller, id)).body as CallView;
  expect(pending).toMatchObject({ prompt: null, firstMessage: null, unknownPlaceholders: [] });
  await change?.(caller.teamId);
  expect(await worker.fire(id)).toEqual({ kind: 'dialed' });
  return (await calling.get(caller, id)).body as CallView;
}

test('placeholders are filled from the contact, its custom properties and the call’s variables', async () => {
  const call = await rendered({
    agent: {
      prompt_template:
        'Call {{contact.name}} ({{contact}}) of {{contact.companyName}}, {{contact.email}}, {{contact.companyWebsite}}, ' +
        '{{contact.timezone}}, about {{ topic }}, {{order.items.0.name}} and {{order}}; tier {{contact.tier}}.',
      first_message_template: 'Hello {{contact.name}}, {{count}} items, {{yes}}, [{{nothing}}]',
    },
    contact: { company_name: 'Old', custom_properties: { tier: 'gold' } },
    request: {
      name: 'Ada',
      companyName: 'Engines',
      email: 'ada@example.com',
      companyWebsite: 'e.example',
      timezone: 'UTC',
      topic: 'wheels',
      order: { items: [{ name: 'cog' }] },
      count: 3,
      yes: true,
      nothing: null,
    },
  });
  expect(call.prompt).toBe(
    'Call Ada (Ada) of Engines, ada@example.com, e.example, UTC, about wheels, cog and {"items":[{"name":"cog"}]}; tier gold.',
  );
  expect(call.firstMessage).toBe('Hello Ada, 3 items, true, []');
  expect(call.unknownPlaceholders).toEqual([]);
});

test('each field of the contract precedes a custom property of the same name', async () => {
  const call = await rendered({
    agent: {
      prompt_template: '{{contact.contactId}} {{contact.phoneNumber}} {{contact.fullName}}',
      first_message_template: '{{contact.fullName.first}}{{fullName}}',
    },
    contact: { name: 'Ada', custom_properties: { contactId: 'x', fullName: { first: 'y' } } },
  });
  const [{ id }] = await calling.db.query<[{ id: string }]>(
    'SELECT id FROM contacts WHERE phone_number = $1',
    [call.phoneNumber],
  );
  expect(call.prompt).toBe(`${id} ${call.phoneNumber} Ada`);
  expect(call.unknownPlaceholders).toEqual(['contact.fullName.first', 'fullName']);
});

test('contact and templates are read at the claim, not at the trigger', async () => {
  const call = await rendered({
    agent: { prompt_template: 'Call {{contact.name}}, {{contact.tier}}', first_message_template: 'old' },
    request: { name: 'Ada' },
    change: (teamId) =>
      calling.db.query(
        `WITH renamed AS (UPDATE contacts SET name = 'Grace', custom_properties = '{"tier": "gold"}' WHERE team_id = $1)
         UPDATE voice_agents SET first_message_template = 'new' WHERE team_id = $1`,
        [teamId],
      ),
  });
  expect([call.prompt, call.firstMessage]).toEqual(['Call Grace, gold', 'new']);
});

test('unknown placeholders become empty, and are listed once for both texts', async () => {
  const call = await rendered({
    agent: {
      prompt_template: '{{gone}}{{contact.shoeSize}}.{{gone}}',
      first_message_template: '{{gone}}{{lost}}!',
    },
  });
  expect([call.prompt, call.firstMessage]).toEqual(['.', '!']);
  expect(call.unknownPlaceholders).toEqual(['gone', 'contact.shoeSize', 'lost']);
});

test('values are not rendered again, and a variable named contact hides nothing', async () => {
  const call = await rendered({
    agent: { prompt_template: '{{contact}} {{contact.email}} {{topic}}' },
    request: {
      name: '{{topic}}',
      email: 'ada@example.com',
      topic: '{{contact.name}}',
      contact: { email: 'x' },
    },
  });
  expect(call.prompt).toBe('{{topic}} ada@example.com {{contact.name}}');
});

test('only own properties are seen', async () => {
  const template =
    '{{constructor}}{{constructor.name}}{{toString}}{{contact.constructor}}{{contact.hasOwnProperty}}';
  const call = await rendered({ agent: { prompt_template: template } });
  expect(call.prompt).toBe('');
  expect(call.unknownPlaceholders).toHaveLength(5);
  const sent = await rendered({
    agent: { prompt_template: '{{constructor}}' },
    request: { constructor: 'Boole' },
  });
  expect(sent.prompt).toBe('Boole');
});

test('a template without placeholders stays as it is, and none is empty', async () => {
  const call = await rendered({ agent: { prompt_template: 'Be kind. {{}} { {' } });
  expect([call.prompt, call.firstMessage, call.unknownPlaceholders]).toEqual(['Be kind. {{}} { {', '', []]);
});
