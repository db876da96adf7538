import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CarrierAccountOpener } from '../../src/carrier-accounts/carrier-account-opener.service.js';
import { DELETE_ACCOUNT, LOCK_ACCOUNT } from '../../src/carrier-accounts/carrier-accounts.sql.js';
import { CliTerminal } from '../cli/terminal.js';
import { dump } from '../secrets/support.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { type TestDatabase } from '../support/database.js';
import { LockHolder } from '../support/lock-holder.js';

const SECRETS_KEY = 'secrets-key-of-the-tests';
const NEXT_KEY = 'next-secrets-key-of-the-tests';
const API_KEY = 'key_hush_of_the_account_1';
const ROTATED_KEY = 'key_hush_of_the_account_2';
const calling = Calling.ofFile({ secretsKey: SECRETS_KEY, publicUrl: 'https://calls.example.com' });

const accounts = '/api/carrier-accounts';
const ask = (caller: Caller, method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object) =>
  calling.http()[method](path).set(bearer(caller.apiKey)).send(body);
const create = (caller: Caller, fields: object = {}) =>
  ask(caller, 'post', accounts, {
    name: 'Main',
    carrier: 'retell',
    credentials: { apiKey: API_KEY },
    ...fields,
  });
const NEW_AGENT = { name: 'Ada', timezone: 'America/New_York', callingHours: null };
const idOf = (answer: { body: unknown }) => (answer.body as { id: string }).id;

test('credentials are in no answer and in no row, also after a rotation and under a new key', async () => {
  const caller = await buildCaller(calling.db);
  const created = await create(caller);
  expect(created.status).toBe(201);
  expect(created.body).toEqual({
    id: expect.any(String) as string,
    name: 'Main',
    carrier: 'retell',
    reportUrl: `https://calls.example.com/api/carriers/retell/accounts/${idOf(created)}`,
    maxConcurrent: null,
    callsPerSecond: null,
    rotatedAt: null,
    createdAt: expect.any(String) as string,
  });
  const path = `${accounts}/${idOf(created)}`;
  const answers = [
    created,
    await ask(caller, 'patch', path, { credentials: { apiKey: ROTATED_KEY } }),
    await ask(caller, 'get', path),
    await ask(caller, 'get', accounts),
    await calling.operator('get', `/teams/${caller.teamId}/carrier-accounts`),
    await calling.operator('get', '/audit'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 200, 200, 200]);
  for (const { text } of answers) expect(text).not.toContain('key_hush');
  expect(answers.at(-1)?.text).toContain('carrier_account.credentials_rotated');
  expect(await dump(calling.db)).not.toContain('key_hush');
  const database = { url: calling.world.config.databaseUrl } as TestDatabase;
  const env = { SECRETS_KEY: NEXT_KEY, SECRETS_KEY_PREVIOUS: SECRETS_KEY };
  const said = await new CliTerminal(database, env).run('secrets', 'reencrypt');
  expect(said).toMatchObject({ code: 0, told: '' });
  const again = await new CliTerminal(database, { SECRETS_KEY, SECRETS_KEY_PREVIOUS: NEXT_KEY }).run(
    'secrets',
    'reencrypt',
  );
  expect(again).toMatchObject({ code: 0, told: '' });
});

test.each([
  [{ credentials: {} }, 'credentials.apiKey is required'],
  [{ credentials: { apiKey: 'short' } }, 'credentials.apiKey must be 8 to 500 printable ASCII characters'],
  [{ credentials: { apiKey: API_KEY, token: 'x' } }, 'it knows apiKey, webhookKey'],
  [{ credentials: 'key' }, 'credentials must be an object'],
  [{ carrier: 'simulator' }, 'carrier must be one of retell, vapi, elevenlabs'],
  [{ name: ' ' }, 'name must not be empty'],
  [{ maxConcurrent: 0 }, 'maxConcurrent must be a whole number from 1 to 1000000000'],
  [{ callsPerSecond: 0.05 }, 'callsPerSecond must be a number from 0.1 to 1000'],
])('%j is refused: %s', async (fields, message) => {
  const answer = await create(await buildCaller(calling.db), fields);
  expect(answer.status).toBe(400);
  expect(answer.text).toContain(message);
  expect(answer.text).not.toContain('key_hush');
});

describe('an agent', () => {
  const holder = LockHolder.ofFile(calling);
  const agent = (caller: Caller, fields: object) =>
    ask(caller, 'patch', `/api/voice-agents/${caller.agentId}`, fields);
  const RETELL = { carrier: 'retell', carrierSettings: { agentId: 'agent_1' } };

  test('names an account of its team at its carrier, and no other', async () => {
    const [caller, stranger] = [await buildCaller(calling.db), await buildCaller(calling.db)];
    const [account, foreign] = [idOf(await create(caller)), idOf(await create(stranger))];
    const refused = await agent(caller, { ...RETELL, carrierAccountId: foreign });
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('carrierAccountId is not a carrier account of the team'),
    ]);
    expect((await agent(caller, RETELL)).text).toContain(
      'carrierAccountId is required, because the deployment has no account at the carrier retell',
    );
    expect((await agent(caller, { carrier: 'simulator', carrierAccountId: account })).text).toContain(
      'carrierAccountId is an account at retell, and the carrier of the agent is simulator',
    );
    const taken = await agent(caller, { ...RETELL, carrierAccountId: account });
    expect(taken.body).toMatchObject({ carrier: 'retell', carrierAccountId: account });
    const listed = await ask(caller, 'get', '/api/voice-agents');
    expect(listed.body).toMatchObject({ items: [{ carrierAccountId: account }] });
  });

  test('keeps its account from being deleted', async () => {
    const caller = await buildCaller(calling.db);
    const account = idOf(await create(caller));
    await agent(caller, { ...RETELL, carrierAccountId: account });
    const refused = await ask(caller, 'delete', `${accounts}/${account}`);
    expect([refused.status, refused.body]).toEqual([
      409,
      { error: 'The carrier account is in use by 1 voice agent(s)', reason: 'ACCOUNT_IN_USE' },
    ]);
    await agent(caller, { carrier: null, carrierAccountId: null, carrierSettings: {} });
    expect((await ask(caller, 'delete', `${accounts}/${account}`)).status).toBe(204);
    expect((await ask(caller, 'get', `${accounts}/${account}`)).status).toBe(404);
    const [row] = await calling.db.query<object[]>(
      'SELECT credentials, previous_credentials FROM carrier_accounts WHERE id = $1',
      [account],
    );
    expect(row).toEqual({ credentials: '', previous_credentials: null });
  });

  test.each([
    ['patch', (caller: Caller) => `/api/voice-agents/${caller.agentId}`, {}],
    ['post', () => '/api/voice-agents', NEW_AGENT],
  ] as const)(
    'does not name an account that is deleted while it is saved (%s)',
    async (method, path, more) => {
      const caller = await buildCaller(calling.db);
      const account = idOf(await create(caller));
      await holder.query('BEGIN');
      await holder.query(LOCK_ACCOUNT, [caller.teamId, account]);
      const fields = { ...RETELL, ...more, carrierAccountId: account };
      const saving = ask(caller, method, path(caller), fields).then((answer) => answer);
      await holder.waited();
      await holder.query(DELETE_ACCOUNT, [caller.teamId, account]);
      await holder.query('COMMIT');
      const answer = await saving;
      expect([answer.status, answer.body]).toEqual([
        400,
        { error: 'carrierAccountId is not a carrier account of the team' },
      ]);
      const named = 'SELECT id FROM voice_agents WHERE carrier_account_id = $1';
      expect(await calling.db.query(named, [account])).toEqual([]);
    },
  );
});

test('the check of an account that is deleted meanwhile does not check the deployment’s', async () => {
  const caller = await buildCaller(calling.db);
  const account = idOf(await create(caller));
  const open = jest.spyOn(CarrierAccountOpener.prototype, 'open');
  try {
    open.mockImplementationOnce(async function (this: CarrierAccountOpener, ...asked) {
      await calling.db.query(DELETE_ACCOUNT, [caller.teamId, account]);
      return this.open(...asked);
    });
    const answer = await ask(caller, 'post', `${accounts}/${account}/check`);
    expect([answer.status, answer.body]).toEqual([404, { error: 'Carrier account not found' }]);
  } finally {
    open.mockRestore();
  }
});

test('a team sees and changes only its own accounts', async () => {
  const [caller, stranger] = [await buildCaller(calling.db), await buildCaller(calling.db)];
  const path = `${accounts}/${idOf(await create(caller))}`;
  expect((await ask(stranger, 'get', path)).status).toBe(404);
  expect((await ask(stranger, 'patch', path, { name: 'Mine' })).status).toBe(404);
  expect((await ask(stranger, 'post', `${path}/check`)).status).toBe(404);
  expect((await ask(stranger, 'delete', path)).status).toBe(404);
  expect((await ask(stranger, 'get', accounts)).body).toMatchObject({ items: [] });
});

test('commands create, list, rotate and delete an account', async () => {
  const { teamId } = await buildCaller(calling.db);
  const folder = mkdtempSync(join(tmpdir(), 'outdial-account-'));
  const file = join(folder, 'credentials.json');
  writeFileSync(file, JSON.stringify({ apiKey: API_KEY }));
  const cli = new CliTerminal({ url: calling.world.config.databaseUrl } as TestDatabase, { SECRETS_KEY });
  const fields = ['--name', 'Main', '--carrier', 'retell', '--credentials', `@${file}`];
  const { id } = await cli.json<{ id: string }>('carrier-account', 'create', '--team', teamId, ...fields);
  expect((await cli.run('carrier-account', 'list', '--team', teamId)).out).toContain(id);
  const rotated = await cli.json(
    'carrier-account',
    'update',
    id,
    '--team',
    teamId,
    '--credentials',
    `@${file}`,
  );
  expect(rotated).toMatchObject({ id, rotatedAt: expect.any(String) as string });
  expect(await cli.run('carrier-account', 'delete', id, '--team', teamId)).toMatchObject({ code: 0 });
  expect(await cli.run('carrier-account', 'show', id, '--team', teamId)).toMatchObject({ code: 1 });
  rmSync(folder, { recursive: true });
});

test('without SECRETS_KEY there are no accounts', async () => {
  const { teamId } = await buildCaller(calling.db);
  const cli = new CliTerminal({ url: calling.world.config.databaseUrl } as TestDatabase);
  const fields = ['--name', 'Main', '--carrier', 'retell', '--credentials', `{"apiKey":"${API_KEY}"}`];
  const said = await cli.run('carrier-account', 'create', '--team', teamId, ...fields);
  expect(said.code).not.toBe(0);
  expect(said.told).toContain('Carrier accounts need SECRETS_KEY');
  expect(said.told).not.toContain('key_hush');
});
