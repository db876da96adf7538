import { type CallView } from '../../src/calls/records/calls.service.js';
import { acceptedId, bearer, Calling } from '../support/calling.js';
import { buildContact, nextNumber, type Row } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { postRaw } from '../support/raw-http.js';

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
  expect(await worker.fire(id)).toEqual({ kind: 'claimed' });
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

describe('the fields of a trigger', () => {
  async function contactOf(caller: Caller, phoneNumber: string): Promise<Row> {
    const rows = await calling.db.query<Row[]>(
      `SELECT name, email, company_name, company_website, timezone, custom_properties, id FROM contacts
     WHERE team_id = $1 AND phone_number = $2`,
      [caller.teamId, phoneNumber],
    );
    expect(rows).toHaveLength(1);
    return rows[0] as Row;
  }

  describe('dynamic variables', () => {
    test('are all other keys, with every JSON type, unchanged', async () => {
      const caller = await buildCaller(calling.db);
      const variables = {
        text: 'a "quoted" ü 😀 \\ text',
        empty: '',
        integer: 42,
        fraction: -1.5e-3,
        large: 9007199254740991,
        yes: true,
        no: false,
        nothing: null,
        list: [1, 'two', [3, { four: null }], {}],
        object: { nested: { deeper: ['x'] }, 'a.b': 1 },
        contact: 'shadows nothing',
        constructor: 'no class',
        toString: 'no function',
        hasOwnProperty: 1,
        campaignId: 'not of this endpoint',
        runsAt: 'nor this',
        'key with spaces': 1,
        '': 'no name',
      };
      const id = await calling.accepted(caller, { phoneNumber: nextNumber(), fullName: 'Ada', ...variables });
      expect((await calling.row(id)).variables).toEqual(variables);
    });

    test('belong only to that call: the contact does not get them', async () => {
      const caller = await buildCaller(calling.db);
      const phoneNumber = nextNumber();
      await calling.accepted(caller, { phoneNumber, topic: 'engines' });
      expect(await contactOf(caller, phoneNumber)).toMatchObject({ custom_properties: {} });
    });

    test('have at most 32 levels and 65,536 bytes of JSON in all', async () => {
      const caller = await buildCaller(calling.db);
      const deep = JSON.parse('['.repeat(31) + ']'.repeat(31)) as unknown;
      const used = Buffer.byteLength(JSON.stringify({ deep, padding: '' }));
      const padding = 'ü'.repeat((65_536 - used) / 2) + 'x'.repeat(used % 2);
      const fields = { fullName: 'Ada', companyWebsite: 'x'.repeat(2_000) };
      const id = await calling.accepted(caller, { phoneNumber: nextNumber(), ...fields, deep, padding });
      expect((await calling.row(id)).variables).toEqual({ deep, padding });
      const tooLarge = [
        400,
        {
          message: 'variables (all fields that are not named) must be at most 65536 bytes of JSON',
          reason: 'INVALID_REQUEST',
          retryable: false,
        },
      ];
      const tiny = Array(300).fill(1e-300);
      for (const variables of [{ deep, padding: `${padding}x` }, { tiny }]) {
        const answer = await calling.trigger(caller, { phoneNumber: nextNumber(), ...variables });
        expect([answer.status, answer.body]).toEqual(tooLarge);
      }
      expect(await calling.rows(caller.teamId)).toHaveLength(1);
    });
  });

  describe('the body', () => {
    async function accepted(caller: Caller, body: string | Buffer, headers = {}): Promise<string> {
      const path = `/api/voice-agents/${caller.agentId}/calls`;
      const answer = await postRaw(calling.api, path, body, { ...bearer(caller.apiKey), ...headers });
      return acceptedId(answer as Parameters<typeof acceptedId>[0]);
    }

    test('has the last value of a key that was sent twice', async () => {
      const caller = await buildCaller(calling.db);
      const phoneNumber = nextNumber();
      const body = `{"phoneNumber":"nonsense","name":"First","phoneNumber":"${phoneNumber}","name":"Last","a":1,"a":2}`;
      const id = await accepted(caller, body);
      expect(await contactOf(caller, phoneNumber)).toMatchObject({ name: 'Last' });
      expect((await calling.row(id)).variables).toEqual({ a: 2 });
    });

    test('is parsed by its content, whatever its content type', async () => {
      const caller = await buildCaller(calling.db);
      const body = () => JSON.stringify({ phoneNumber: nextNumber(), topic: 'ü' });
      const plain = await accepted(caller, body(), { 'Content-Type': 'text/plain' });
      const marked = await accepted(caller, `\uFEFF${body()}`);
      for (const id of [plain, marked]) expect((await calling.row(id)).variables).toEqual({ topic: 'ü' });
    });

    test('accepts teamId of the key’s own team in capitals; an unknown one is refused', async () => {
      const [caller, other] = [await buildCaller(calling.db), await buildCaller(calling.db)];
      const id = await calling.accepted(caller, {
        phoneNumber: nextNumber(),
        teamId: caller.teamId.toUpperCase(),
      });
      expect((await calling.row(id)).variables).toEqual({});
      const answer = await calling.trigger(caller, { phoneNumber: nextNumber(), teamId: other.teamId });
      expect([answer.status, answer.body]).toEqual([
        400,
        { message: 'teamId must be the team of the API key', reason: 'INVALID_REQUEST', retryable: false },
      ]);
      expect(await calling.rows(caller.teamId)).toHaveLength(1);
    });
  });
});
