import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AddressInfo } from 'node:net';
import {
  ELEVENLABS_AGENT,
  ELEVENLABS_KEY,
  FakeElevenLabs,
  transcriptionOf,
} from '../../tools/fake-carriers/fake-elevenlabs.js';
import { FakeRetell, RETELL_AGENT, RETELL_KEY } from '../../tools/fake-carriers/fake-retell.js';
import { FakeVapi, VAPI_ASSISTANT, VAPI_KEY } from '../../tools/fake-carriers/fake-vapi.js';
import { formFields } from '../dashboard/form-fields.js';
import { type Fields, Person } from '../dashboard/person.js';
import { Shell } from '../docs/support/shell.js';
import { section, textOf } from '../operations/operations-client.js';
import { Calling } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
import { read, root } from '../support/repository.js';
import { signedIn } from '../support/signed-in.js';
import { Front } from './front.js';

// What a new user does with a carrier's document, in a shell and on the pages, from the key to a call whose result is
// on its page. The platform is played by its fake.

const SECRETS_KEY = 'secrets-key-of-the-tests';
const FROM = '+14155550100';
const ACCOUNTS = { retell: 'Retell', vapi: 'Vapi', elevenlabs: 'ElevenLabs' };
type Name = keyof typeof ACCOUNTS;
const NAMES = Object.keys(ACCOUNTS) as Name[];
const SUMMARY = 'They will come on Tuesday.';
const SAID = 'See you on Tuesday';

/** What the user copies from the platform, and what the platform does. */
interface Platform {
  key: string;
  /** The setting that names the agent there. */
  setting: [name: string, value: string];
  dialed: (to: string) => number;
  /** Reports the end of the one call to a number. */
  end: (to: string) => Promise<void>;
}

let front: Front;
let calling: Calling;
let retell: FakeRetell;
let vapi: FakeVapi;
let elevenlabs: FakeElevenLabs;
let platforms: Record<Name, Platform>;

beforeAll(async () => {
  front = await Front.start();
  retell = await FakeRetell.start();
  vapi = await FakeVapi.start();
  elevenlabs = await FakeElevenLabs.start();
  for (const one of [retell, vapi, elevenlabs]) one.numbers.push(FROM);
  calling = await Calling.start({
    retellApiUrl: retell.url,
    vapiApiUrl: vapi.url,
    elevenlabsApiUrl: elevenlabs.url,
    publicUrl: front.url,
    secretsKey: SECRETS_KEY,
  });
  front.target = `http://127.0.0.1:${(calling.api.getHttpServer().address() as AddressInfo).port}`;
  await calling.startWorker();
  platforms = { retell: retellPlatform(), vapi: vapiPlatform(), elevenlabs: elevenLabsPlatform() };
});
afterAll(async () => {
  await calling.close();
  for (const one of [retell, vapi, elevenlabs, front]) await one.close();
});

const retellPlatform = (): Platform => ({
  key: RETELL_KEY,
  setting: ['agentId', RETELL_AGENT],
  dialed: (to) => retell.dialsTo(to).length,
  end: async (to) => {
    const call = retell.callTo(to);
    const end = { call_status: 'ended', disconnection_reason: 'user_hangup', duration_ms: 12_000 };
    expect((await retell.report(call, 'call_ended', end, front.url)).status).toBe(200);
    const found = { transcript: `User: ${SAID}`, call_analysis: { call_summary: SUMMARY } };
    expect((await retell.report(call, 'call_analyzed', found, front.url)).status).toBe(200);
  },
});

const vapiPlatform = (): Platform => ({
  key: VAPI_KEY,
  setting: ['assistantId', VAPI_ASSISTANT],
  dialed: (to) => vapi.dialsTo(to).length,
  end: async (to) => {
    const end = { status: 'ended', endedReason: 'customer-ended-call' };
    const call = Object.assign(vapi.callTo(to), end);
    const found = { analysis: { summary: SUMMARY }, artifact: { transcript: `User: ${SAID}` } };
    for (const message of [
      { type: 'status-update', ...end },
      { type: 'end-of-call-report', endedReason: end.endedReason, ...found },
    ])
      expect((await vapi.report(call, message, front.url)).status).toBe(200);
  },
});

const elevenLabsPlatform = (): Platform => ({
  key: ELEVENLABS_KEY,
  setting: ['agentId', ELEVENLABS_AGENT],
  dialed: (to) => elevenlabs.dialsTo(to).length,
  end: async (to) => {
    const webhook = elevenlabs.webhooks.at(-1);
    if (webhook === undefined) throw new Error('no webhook');
    const conversation = Object.assign(elevenlabs.conversationWith(to), {
      status: 'done',
      metadata: { start_time_unix_secs: Math.floor(Date.now() / 1_000) - 12, call_duration_secs: 12 },
      transcript: [{ role: 'user', message: SAID }],
      analysis: { transcript_summary: SUMMARY },
    });
    expect(await elevenlabs.report(webhook, transcriptionOf(conversation))).toBe(200);
  },
});

/** A new team: its id, and its pages as an admin and an operator see them. */
async function newTeam(): Promise<{ teamId: string; admin: Person; operator: Person }> {
  const made = await calling.operated('post', '/teams', { name: 'Acme', defaultCountry: 'US' });
  const { id: teamId } = made.body as { id: string };
  const [admin, operator] = [
    await signedIn(calling.db, { teamId, role: 'admin' }),
    await signedIn(calling.db, { operator: true }),
  ];
  return {
    teamId,
    admin: new Person(calling.api, admin.cookie),
    operator: new Person(calling.api, operator.cookie),
  };
}

/** The call ends at the platform once it was dialed, and its page has the result. */
async function ends(name: Name, to: string, person: Person, page: string): Promise<void> {
  const { dialed, end } = platforms[name];
  await eventually(
    () => Promise.resolve(dialed(to)),
    (dials) => dials > 0,
  );
  await end(to);
  const shown = await eventually(
    () => person.page(page),
    (text) => text.includes('id="result"'),
  );
  const result = textOf(section(shown, 'result'));
  expect(result).toContain(SUMMARY);
  expect(result).toContain(SAID);
  expect(textOf(shown)).toContain('Completed');
  expect(dialed(to)).toBe(1);
}

/** The shell lines of the document's steps. */
function blocksOf(name: Name): string[] {
  const [, steps = ''] =
    /## From nothing to a call\n(.*?)\n## /s.exec(read(`docs/carriers/${name}.md`)) ?? [];
  return [...steps.matchAll(/^ {3}```sh\n(.*?)^ {3}```/gms)].map(([, body = '']) =>
    body.replace(/^ {3}/gm, ''),
  );
}

test.each(NAMES)('%s in a shell', async (name) => {
  const { key, setting } = platforms[name];
  const { teamId, admin } = await newTeam();
  const to = `+1415555014${NAMES.indexOf(name)}`;
  const directory = mkdtempSync(join(tmpdir(), 'outdial-by-the-document-'));
  const shell = new Shell(directory, {
    DATABASE_URL: calling.world.config.databaseUrl,
    SECRETS_KEY,
    PUBLIC_URL: front.url,
    [`${name.toUpperCase()}_API_URL`]: platformUrl(name),
  });
  try {
    await shell.run('npm', NPM);
    let secret = '';
    const printed: string[] = [];
    for (const block of blocksOf(name)) {
      const script = block
        .replace('TEAM=…', `TEAM=${teamId}`)
        .replace(/"apiKey": "[^"]*…"/g, `"apiKey": "${key}"`)
        .replace('wsec_…', secret)
        .replace(/"(agentId|assistantId)": "[^"]*…"/, `"${setting[0]}": "${setting[1]}"`)
        .replace('+1…', to);
      expect(script).not.toContain('…');
      printed.push(await shell.run(script, script));
      const [reportUrl] =
        /http\S+\/api\/carriers\/elevenlabs\/accounts\/[\w-]+/.exec(printed.at(-1) ?? '') ?? [];
      if (reportUrl !== undefined && secret === '')
        ({ secret } = elevenlabs.addWebhook(ELEVENLABS_KEY, reportUrl));
    }
    expect(printed.join('\n')).toMatch(/ok +API key/);
    expect(printed.join('\n')).not.toContain('FAILED');
    const [row] = await calling.rows(teamId);
    await ends(name, to, admin, `/t/${teamId}/calls/${row?.id}`);
    const shown = await shell.run('the last line', 'npm run cli -- call show $CALL --team $TEAM');
    expect(shown).toContain(SUMMARY);
  } finally {
    shell.close();
    rmSync(directory, { recursive: true });
  }
});

const platformUrl = (name: Name) => ({ retell, vapi, elevenlabs })[name].url;

/** `npm run cli --` of this repository, in the directory of the shell. */
const NPM = `npm() { while [ "$1" != -- ]; do shift; done; shift; node '${root}/tools/bootstrap.cjs' tools/cli "$@"; }`;

test.each(NAMES)('%s on the pages', async (name) => {
  const { key, setting } = platforms[name];
  const { teamId, admin, operator } = await newTeam();
  const to = `+1415555015${NAMES.indexOf(name)}`;
  const base = `/t/${teamId}`;
  const done = async (person: Person, page: string, action: string, fields: Fields) => {
    const answer = await person.submit(page, action, fields);
    expect([action, answer.status]).toEqual([action, 303]);
    return String(answer.headers.location);
  };
  const carriers = `${base}/settings/carriers`;
  const fields = { carrier: name, name: ACCOUNTS[name], 'credentials.apiKey': key };
  await done(admin, carriers, `${carriers}/accounts`, fields);
  const withAccount = await admin.page(carriers);
  const [, account = ''] = /data-account="([^"]*)"/.exec(withAccount) ?? [];
  if (name === 'elevenlabs') {
    const [reportUrl = ''] =
      /http[^<\s]+\/api\/carriers\/elevenlabs\/accounts\/[\w-]+/.exec(withAccount) ?? [];
    const { secret } = elevenlabs.addWebhook(key, reportUrl);
    const rotate = `${carriers}/accounts/${account}/credentials`;
    await done(admin, carriers, rotate, { 'credentials.apiKey': key, 'credentials.webhookSecret': secret });
  }
  await done(operator, `${base}/numbers`, `${base}/numbers`, { phoneNumber: FROM });

  const first = formFields(await admin.page(`${base}/agents/new`), 'settingsOf');
  const chosen = { name: 'Reminders', callingHours: 'any', outboundPhoneNumber: FROM, carrier: name };
  const shown = await admin.post(first.action, { ...first.fields, ...chosen, edit: 'carrier:show' });
  expect(shown.status).toBe(200);
  expect(shown.text).not.toContain('JSON object');
  const second = formFields(shown.text, 'settingsOf');
  const made = await admin.post(second.action, {
    ...second.fields,
    carrierAccountId: account,
    [`carrierSettings.${setting[0]}`]: setting[1],
    ...(name !== 'retell' && { 'carrierSettings.phoneNumberIds': `${FROM} ${idOf(name)}` }),
  });
  expect(made.status).toBe(303);
  const agent = String(made.headers.location);

  const checked = await admin.submit(agent, `${agent}/check`);
  expect(textOf(section(checked.text, 'check'))).not.toContain('does not work');
  const call = await done(admin, agent, `${agent}/test-call`, { phoneNumber: to });
  await ends(name, to, admin, call);
});

/** The platform's id of the number. */
const idOf = (name: Name) => `${name === 'vapi' ? 'number-' : 'phnum_'}${FROM.slice(1)}`;
