import { randomUUID } from 'node:crypto';
import { type AddressInfo } from 'node:net';
import { type CarrierAccountResource } from '../../src/carrier-accounts/carrier-account.dto.js';
import { ELEVENLABS_AGENT, FakeElevenLabs } from '../../tools/fake-carriers/fake-elevenlabs.js';
import { FakeRetell, RETELL_AGENT } from '../../tools/fake-carriers/fake-retell.js';
import { FakeVapi, VAPI_ASSISTANT } from '../../tools/fake-carriers/fake-vapi.js';
import { CliTerminal } from '../cli/terminal.js';
import { Person } from '../dashboard/person.js';
import { section, textOf } from '../operations/operations-client.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { signedIn } from '../support/signed-in.js';
import { Front } from './front.js';

// Each fault of an account is found by each of its checks: the command, the page of the agent and that of the team's
// carriers. Without the fault, the same checks pass.

const SECRETS_KEY = 'secrets-key-of-the-tests';
const CARRIERS = ['retell', 'vapi', 'elevenlabs'] as const;
type Name = (typeof CARRIERS)[number];
const AGENT_FIELD = { retell: 'agentId', vapi: 'assistantId', elevenlabs: 'agentId' };
const AGENTS = { retell: RETELL_AGENT, vapi: VAPI_ASSISTANT, elevenlabs: ELEVENLABS_AGENT };

let front: Front;
let calling: Calling;
let retell: FakeRetell;
let vapi: FakeVapi;
let elevenlabs: FakeElevenLabs;
const fakeOf = (name: Name) => ({ retell, vapi, elevenlabs })[name];

beforeAll(async () => {
  front = await Front.start();
  [retell, vapi, elevenlabs] = [
    await FakeRetell.start(),
    await FakeVapi.start(),
    await FakeElevenLabs.start(),
  ];
  calling = await Calling.start({
    retellApiUrl: retell.url,
    vapiApiUrl: vapi.url,
    elevenlabsApiUrl: elevenlabs.url,
    publicUrl: front.url,
    secretsKey: SECRETS_KEY,
  });
  front.target = `http://127.0.0.1:${(calling.api.getHttpServer().address() as AddressInfo).port}`;
});
afterAll(async () => {
  await calling.close();
  for (const one of [retell, vapi, elevenlabs, front]) await one.close();
});
beforeEach(() => {
  front.isDown = false;
  front.path = (path) => path;
});

/** A team with an account in which nothing is wrong, and an agent that names it. */
interface Subject {
  name: Name;
  key: string;
  caller: Caller;
  account: CarrierAccountResource;
}

/** From now on, the platform has this key. */
function know(name: Name, key: string): void {
  if (name === 'retell') retell.keys.set(key, key);
  if (name === 'vapi') vapi.keys.add(key);
  if (name === 'elevenlabs') elevenlabs.keys.set(key, '');
}

async function subject(name: Name): Promise<Subject> {
  const key = `key_of_${name}_${randomUUID()}`;
  know(name, key);
  const caller = await buildCaller(calling.db);
  fakeOf(name).numbers.push(caller.callerNumber);
  const path = `/teams/${caller.teamId}/carrier-accounts`;
  const answer = await calling.operated('post', path, {
    name: 'Main',
    carrier: name,
    credentials: { apiKey: key },
  });
  const account = answer.body as CarrierAccountResource;
  const made: Subject = { name, key, caller, account };
  if (name === 'elevenlabs') {
    const { secret } = elevenlabs.addWebhook(key, account.reportUrl ?? '');
    await rotate(made, { apiKey: key, webhookSecret: secret });
  }
  await settings(made, { [AGENT_FIELD[name]]: AGENTS[name] });
  return made;
}

const rotate = ({ caller, account }: Subject, credentials: object) =>
  calling.operated('patch', `/teams/${caller.teamId}/carrier-accounts/${account.id}`, { credentials });

const settings = ({ caller, name, account }: Subject, carrierSettings: object) =>
  calling.operated('patch', `/teams/${caller.teamId}/voice-agents/${caller.agentId}`, {
    carrier: name,
    carrierAccountId: account.id,
    carrierSettings,
  });

function without(list: string[], one: string): void {
  list.splice(list.indexOf(one), 1);
}

const environment = () => ({
  DATABASE_URL: calling.world.config.databaseUrl,
  SECRETS_KEY,
  PUBLIC_URL: front.url,
  RETELL_API_URL: retell.url,
  VAPI_API_URL: vapi.url,
  ELEVENLABS_API_URL: elevenlabs.url,
});

/** What each of the checks says. */
async function checks({
  caller,
  account,
}: Subject): Promise<Record<string, { works: boolean; text: string }>> {
  const { teamId, agentId } = caller;
  const cli = await new CliTerminal(null, environment()).run(
    'carrier-account',
    'check',
    account.id,
    '--team',
    teamId,
  );
  const { cookie } = await signedIn(calling.db, { teamId, role: 'manager' });
  const person = new Person(calling.api, cookie);
  const agent = `/t/${teamId}/agents/${agentId}`;
  const carriers = `/t/${teamId}/settings/carriers`;
  const pageOf = async (page: string, action: string, id: string) => {
    const answer = await person.submit(page, action);
    expect(answer.status).toBe(200);
    const text = textOf(section(answer.text, id));
    return { works: !text.includes('does not work'), text };
  };
  return {
    command: { works: cli.code === 0, text: cli.out },
    agent: await pageOf(agent, `${agent}/check`, 'check'),
    carriers: await pageOf(carriers, `${carriers}/accounts/${account.id}/check`, 'checked-account'),
  };
}

interface Fault {
  /** Makes it. */
  make: (of: Subject) => unknown;
  /** What is wrong, and what to do. */
  said: RegExp;
}

const other = { path: (path: string) => path.replace(/[^/]+$/, randomUUID()) };
const down: Fault = {
  make: () => (front.isDown = true),
  said: /reports .* cannot be reached \(.*\): set PUBLIC_URL to the address at which the platform reaches the API/,
};
/** The address leads to a deployment that does not have the key. */
const elsewhere: Fault = {
  make: () => (front.path = other.path),
  said: /reports .* refuses the signature: give the API the same key as this process, and set PUBLIC_URL/,
};
const unknownAgent = (said: RegExp): Fault => ({
  make: (of) => settings(of, { [AGENT_FIELD[of.name]]: 'agent_of_nobody' }),
  said,
});
const notTheirs = (said: RegExp): Fault => ({
  make: ({ name, caller }) => without(fakeOf(name).numbers, caller.callerNumber),
  said,
});
const revoked = (said: RegExp): Fault => ({ make: ({ name, key }) => fakeOf(name).keys.delete(key), said });

const FAULTS: Record<Name, Record<string, Fault>> = {
  retell: {
    'a wrong key': revoked(
      /API key Retell refuses the key: copy a key .* and replace the credentials of the account/,
    ),
    'an unknown agent': unknownAgent(/agent agent_of_nobody Retell has no such agent: copy its id/),
    'a number of others': notTheirs(
      /neither bought at Retell nor imported: do so there, or call from another number/,
    ),
    'a number that cannot call out': {
      make: ({ caller }) => {
        without(retell.numbers, caller.callerNumber);
        retell.silentNumbers.push(caller.callerNumber);
      },
      said: /imported without a termination URI, so it cannot call out: set one in Retell’s dashboard/,
    },
    'an unreachable address': down,
    'an address of another deployment': elsewhere,
    'a wrong signing key': {
      make: (of) => rotate(of, { apiKey: of.key, webhookKey: 'key_that_retell_never_had' }),
      said: /webhook key Retell refuses the key: copy the key that signs; it must have the webhook badge/,
    },
  },
  vapi: {
    'a wrong key': revoked(
      /API key Vapi refuses the key: copy the private key .* and replace the credentials/,
    ),
    'an unknown agent': unknownAgent(/assistant agent_of_nobody Vapi has no such assistant: copy its id/),
    'a number of others': notTheirs(
      /neither bought at Vapi nor imported: do so there, or call from another number/,
    ),
    'a number that cannot call out': {
      make: ({ caller }) => vapi.blocked.push(caller.callerNumber),
      said: /Vapi has blocked it, so it cannot call out: see Vapi’s dashboard/,
    },
    'an unreachable address': down,
    // Vapi signs nothing: the signing key is the account's, and Outdial makes the secrets.
    'a wrong signing key': elsewhere,
  },
  elevenlabs: {
    'a wrong key': revoked(/API key ElevenLabs refuses the key: copy a key .* and replace the credentials/),
    'an unknown agent': unknownAgent(/agent agent_of_nobody ElevenLabs has no such agent: copy its id/),
    'a number of others': notTheirs(
      /not imported into the workspace: import it there, or call from another number/,
    ),
    'a number that cannot call out': {
      make: ({ caller }) => elevenlabs.silentNumbers.push(caller.callerNumber),
      said: /cannot call out: allow it in ElevenLabs’ dashboard, or call from another number/,
    },
    'an unreachable address': down,
    'an address of another deployment': elsewhere,
    'a wrong signing key': {
      make: async (of) => {
        // Twice, because reports that are signed with the previous secret are taken for a day.
        for (const webhookSecret of ['wsec_of_another_webhook', 'wsec_of_yet_another'])
          await rotate(of, { apiKey: of.key, webhookSecret });
        const webhook = elevenlabs.webhooks.find(({ key }) => key === of.key);
        if (webhook === undefined) throw new Error('no webhook');
        expect(await elevenlabs.report(webhook, { type: 'post_call_transcription', data: {} })).toBe(401);
      },
      said: /webhook its report of .* signed with another secret: replace the webhook secret here/,
    },
    'a webhook that was not created': {
      make: ({ key }) =>
        elevenlabs.webhooks.splice(
          elevenlabs.webhooks.findIndex((one) => one.key === key),
          1,
        ),
      said: /webhook ElevenLabs has none with the address http.*: create it, and choose it as the post-call webhook/,
    },
    'a webhook that is turned off': {
      make: ({ key }) => {
        for (const one of elevenlabs.webhooks) one.isDisabled ||= one.key === key;
      },
      said: /webhook is turned off: turn it on in ElevenLabs’ dashboard/,
    },
  },
};

const DOORS = ['command', 'agent', 'carriers'];
const CASES = CARRIERS.flatMap((name) =>
  Object.entries(FAULTS[name]).map(([fault, { make, said }]) => [name, fault, make, said] as const),
);

test.each(CASES)('%s: each check finds %s, and says what to do', async (name, _, make, said) => {
  const of = await subject(name);
  const before = await checks(of);
  expect(Object.entries(before).map(([door, { works }]) => [door, works])).toEqual(
    DOORS.map((door) => [door, true]),
  );
  await make(of);
  const after = await checks(of);
  for (const door of DOORS) {
    expect([door, after[door]?.works]).toEqual([door, false]);
    expect(after[door]?.text.replace(/\s+/g, ' ')).toMatch(said);
    expect(after[door]?.text).not.toContain(of.key);
  }
  expect(fakeOf(name).dials).toEqual([]);
});

test.each(CARRIERS)(
  'the check of the deployment’s account at %s finds the agents’ faults, and that the API has another key',
  async (name) => {
    const key = `key_of_the_deployment_${randomUUID()}`;
    know(name, key);
    const { agentId, callerNumber } = await buildCaller(calling.db);
    fakeOf(name).numbers.push(callerNumber);
    await calling.db.query(
      `UPDATE voice_agents SET carrier = $2, carrier_account_id = NULL, carrier_settings = $3 WHERE id = $1`,
      [agentId, name, JSON.stringify({ [AGENT_FIELD[name]]: 'agent_without_account' })],
    );
    const variable = name.toUpperCase();
    const env = {
      ...environment(),
      [`${variable}_API_KEY`]: key,
      ...(name === 'elevenlabs' && { ELEVENLABS_WEBHOOK_SECRET: 'wsec_of_the_deployment' }),
    };
    const { code, out } = await new CliTerminal(null, env).run('carrier', 'check', name);
    expect(code).toBe(1);
    expect(out).toMatch(/FAILED +(?:agent|assistant) agent_without_account/);
    expect(out).toMatch(
      /FAILED +reports .* refuses the signature: give the API the same key as this process/,
    );
    expect(out).not.toContain(key);
  },
);
