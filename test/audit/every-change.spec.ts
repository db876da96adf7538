import { type NestExpressApplication } from '@nestjs/platform-express';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import supertest from 'supertest';
import { COMMANDS } from '../../src/cli/commands.js';
import { PageAccess, SESSION_COOKIE } from '../../src/dashboard/frame/page-access.service.js';
import { FORM_TOKEN } from '../../src/dashboard/frame/form.js';
import { Documentation } from '../../src/openapi/documentation.js';
import { SessionsService } from '../../src/people/sessions.service.js';
import { CliTerminal } from '../cli/terminal.js';
import { type PlantedTeam, plantTeam } from '../openapi/planted-team.js';
import { PROBED, Prober } from '../openapi/prober.js';
import { pathOf, type Valid, validRequests } from '../openapi/valid-requests.js';
import { createWorld, type World } from '../support/app.js';
import { insertRow } from '../support/builders.js';
import { signedIn } from '../support/signed-in.js';
import { type TestDatabase } from '../support/database.js';
import { changingRoutes, validForms } from './changing-pages.js';

/** The actions of operations. The operation with a team's key has the same name with `ByKey`. */
const ACTIONS: Record<string, string> = {
  cancelCall: 'call.canceled',
  hangUpCall: 'call.hung_up',
  createImport: 'import.created',
  cancelImport: 'import.canceled',
  startImport: 'import.started',
  undoImport: 'import.undoing',
  addToDoNotCall: 'do_not_call.added',
  removeFromDoNotCall: 'do_not_call.removed',
  recordConsent: 'consent.added',
  revokeConsent: 'consent.revoked',
  addToWhitelist: 'whitelist.added',
  removeFromWhitelist: 'whitelist.removed',
  createVoiceAgent: 'voice_agent.created',
  updateVoiceAgent: 'voice_agent.changed',
  deleteVoiceAgent: 'voice_agent.removed',
  createPhoneNumber: 'phone_number.created',
  updatePhoneNumber: 'phone_number.changed',
  createNumberPool: 'number_pool.created',
  updateNumberPool: 'number_pool.changed',
  createCarrierAccount: 'carrier_account.created',
  updateCarrierAccount: 'carrier_account.credentials_rotated',
  deleteCarrierAccount: 'carrier_account.removed',
  createWebhookEndpoint: 'webhook_endpoint.created',
  updateWebhookEndpoint: 'webhook_endpoint.changed',
  rotateWebhookSecret: 'webhook_endpoint.secret_rotated',
  testWebhookEndpoint: 'webhook_endpoint.tested',
  replayWebhookEvents: 'webhook_endpoint.replayed',
  retryWebhookDelivery: 'webhook_delivery.retried',
  deleteWebhookEndpoint: 'webhook_endpoint.removed',
  createCampaign: 'campaign.created',
  archiveCampaign: 'campaign.archived',
  createCampaignVersion: 'campaign_version.created',
  updateCampaignVersion: 'campaign_version.changed',
  publishCampaignVersion: 'campaign_version.published',
  migrateCampaignVersion: 'campaign_version.migrated',
  pauseEnrollment: 'enrollment.paused',
  resumeEnrollment: 'enrollment.resumed',
  exitEnrollment: 'enrollment.exited',
  pauseCampaignEnrollment: 'enrollment.paused',
  resumeCampaignEnrollment: 'enrollment.resumed',
  exitCampaignEnrollment: 'enrollment.exited',
  createTeam: 'team.created',
  updateTeam: 'team.changed',
  pauseTeam: 'team.paused',
  resumeTeam: 'team.resumed',
  stopTeam: 'team.stopped',
  stopOwnTeam: 'team.stopped',
  resumeOwnTeam: 'team.resumed',
  addToPlatformDoNotCall: 'platform_do_not_call.added',
  removeFromPlatformDoNotCall: 'platform_do_not_call.removed',
  updatePlatform: 'platform.changed',
  pausePlatform: 'platform.paused',
  stopPlatform: 'platform.stopped',
  resumePlatform: 'platform.resumed',
  createApiKey: 'api_key.created',
  revokeApiKey: 'api_key.revoked',
  updateCampaign: 'campaign.changed',
  updateCampaignByKey: 'campaign.paused',
  cancelTeamCall: 'call.canceled',
  hangUpTeamCall: 'call.hung_up',
  resolveCall: 'call.resolved',
  cancelCalls: 'call.canceled',
  eraseContact: 'contact.erased',
  eraseContactOfTeam: 'contact.erased',
  // Exports change nothing, but have a row.
  exportCalls: 'call.exported',
  exportContacts: 'contact.exported',
  exportContact: 'contact.exported',
  getCampaignResults: 'campaign.results_exported',
  getImportResults: 'import.results_exported',
};

const TRAFFIC = 'contract traffic, which calls and events tell';
const NOTHING = 'changes nothing';
const SIGN_IN = 'its rows are in test/people/sign-in.spec.ts';

/** Operations without a row, and why. */
const EXCEPTED: Record<string, string> = {
  triggerCall: TRAFFIC,
  explainCall: NOTHING,
  reportCallResult: TRAFFIC,
  createContact: TRAFFIC,
  createContactAndEnroll: TRAFFIC,
  updateContact: TRAFFIC,
  updateContactByExternalId: TRAFFIC,
  enrollContact: TRAFFIC,
  forecastCampaignVersion: NOTHING,
  checkCarrierAccount: NOTHING,
};
/** Carriers report with signatures of their own. */
const OF_CARRIERS = /^\w+ \/api\/carriers\//;

const SECOND_FACTOR = 'needs a code of an authenticator; test/people/second-factor.spec.ts reads its rows';

/** Routes of pages without a row, and why. */
const EXCEPTED_PAGES: Record<string, string> = {
  'post /t/{teamId}/campaigns/{campaignId}/versions/{versionId}/forecast': NOTHING,
  'post /t/{teamId}/campaigns/{campaignId}/versions/{versionId}/check': NOTHING,
  'post /t/{teamId}/agents/{agentId}/check': NOTHING,
  'post /t/{teamId}/settings/carriers/check': NOTHING,
  'post /t/{teamId}/settings/carriers/accounts/{accountId}/check': NOTHING,
  'post /platform/carriers/check': NOTHING,
  'post /t/{teamId}/imports/new': 'needs a file; its row is in test/dashboard/import-pages.spec.ts',
  'post /login': SIGN_IN,
  'post /logout': SIGN_IN,
  'post /logout/everywhere': SIGN_IN,
  'post /account/password': SIGN_IN,
  'post /welcome/{token}': SIGN_IN,
  'post /invite/{token}': SIGN_IN,
  'post /reset/{token}': SIGN_IN,
  'post /login/code': SECOND_FACTOR,
  // Makes a secret that is stored nowhere.
  'post /account/second-factor': NOTHING,
  'post /account/second-factor/confirm': SECOND_FACTOR,
  'post /account/second-factor/recovery-codes': SECOND_FACTOR,
  'post /account/second-factor/off': SECOND_FACTOR,
  'post /login/forgotten': 'its row is in test/people/forgotten-password.spec.ts',
  'post /account/oidc/disconnect': 'needs a provider; its row is in test/people/oidc.spec.ts',
  'post /account/oidc': 'leads to the OpenID provider; the return from there has the row',
};

/** Requests that would change nothing on a planted team as they are. */
const OTHERWISE: Record<string, Partial<Valid>> = {
  updateNumberPool: { body: { name: 'Renamed again' } },
  updatePhoneNumber: { body: { outboundEnabled: false } },
};

const directory = mkdtempSync(join(tmpdir(), 'outdial-audit-'));
let world: World;
let app: NestExpressApplication;
let prober: Prober;
const planted: PlantedTeam[] = [];
const secrets: string[] = [];

beforeAll(async () => {
  world = await createWorld(PROBED);
  app = await world.startApi();
  prober = new Prober(app, app.get(Documentation, { strict: false }).document);
});
afterAll(async () => {
  rmSync(directory, { recursive: true });
  await world.close();
});

async function plant(mark: string, prefix: string): Promise<PlantedTeam> {
  const team = await plantTeam(world.db, mark, prefix);
  planted.push(team);
  return team;
}

interface Row {
  id: string;
  action: string;
  actor_kind: string;
  actor_name: string | null;
  address: string | null;
  team_id: string | null;
}

/** What an action has written. */
async function rowsOf(work: () => Promise<unknown>): Promise<Row[]> {
  const [last] = await world.db.query<{ id: string }[]>('SELECT coalesce(max(id), 0) AS id FROM audit_log');
  await work();
  return world.db.query<Row[]>('SELECT * FROM audit_log WHERE id > $1 ORDER BY id', [last?.id]);
}

const actionOf = (id: string) => ACTIONS[id] ?? ACTIONS[id.replace(/ByKey$/, '')];
const exceptionOf = (id: string) => EXCEPTED[id] ?? EXCEPTED[id.replace(/ByKey$/, '')];

const PLATFORM = /^(?:(?:update|pause|stop|resume)Platform|(?:addTo|removeFrom)PlatformDoNotCall)$/;

test('each operation that changes something has a row with its actor, action and team', async () => {
  const team = await plant('planted', '+14155551');
  const other = await plant('other', '+14155552');
  const missing: unknown[] = [];
  for (const operationId of Object.keys(validRequests(team))) {
    const known = prober.named(operationId);
    const action = actionOf(operationId);
    const isCarriers = OF_CARRIERS.test(`${known.method} ${known.path}`);
    const of = operationId === 'cancelCalls' ? other : team;
    const changed =
      operationId === 'cancelCalls' ? { body: { status: 'scheduled' } } : OTHERWISE[operationId];
    const rows = await rowsOf(async () => {
      const { status, body } = await prober.ask(known, of, changed);
      expect([operationId, status < 300]).toEqual([operationId, true]);
      for (const name of ['key', 'secret']) if (typeof body[name] === 'string') secrets.push(body[name]);
    });
    if (isCarriers || exceptionOf(operationId) !== undefined) continue;
    if (action === undefined) {
      // What only reads writes nothing.
      if (known.method !== 'get' || rows.length > 0) missing.push([operationId, rows]);
      continue;
    }
    const isKey = known.operation.security.some((choice) => 'teamKey' in choice);
    const teamId = PLATFORM.test(operationId) ? null : of.teamId;
    const found = rows.find((row) => row.action === action);
    const isRight =
      found !== undefined &&
      rows.every((row) => row.actor_kind === (isKey ? 'key' : 'token')) &&
      found.address === '127.0.0.1' &&
      found.actor_name === (isKey ? 'planted' : null) &&
      (operationId === 'createTeam' || found.team_id === teamId);
    if (!isRight) missing.push([operationId, action, rows]);
  }
  expect(missing).toEqual([]);
}, 120_000);

test('each form of the pages that changes something has a row with the person, action and team', async () => {
  const team = await plant('formed', '+14155553');
  const user = await insertRow<{ id: string }>(world.db, 'users', {
    email: 'op@example.com',
    operator: true,
  });
  const token = await app.get(SessionsService, { strict: false }).begin(user.id);
  secrets.push(token);
  const viewer = await app.get(SessionsService, { strict: false }).viewerOf(token);
  const formToken = app.get(PageAccess, { strict: false }).formToken(viewer?.formKey ?? '');
  const [member, operator] = [
    await signedIn(world.db, { teamId: team.teamId, role: 'viewer' }),
    await signedIn(world.db, { operator: true }),
  ];
  const people = { member: member.userId, operator: operator.userId };
  const missing: unknown[] = [];
  for (const { route, path = {}, fields = {}, action, of, status = 303 } of validForms(team, people)) {
    const address = pathOf(route.replace('post ', ''), team, { path });
    const rows = await rowsOf(async () => {
      const answer = await supertest(app.getHttpServer())
        .post(address)
        .set('Cookie', `${SESSION_COOKIE}=${token}`)
        .type('form')
        .send({ ...fields, [FORM_TOKEN]: formToken });
      expect([address, answer.status]).toEqual([address, status]);
    });
    const found = rows.find((row) => row.action === action);
    const isRight =
      found?.actor_kind === 'user' &&
      found.actor_name === 'op@example.com' &&
      found.address === '127.0.0.1' &&
      (of === 'new team' || found.team_id === (of === 'platform' ? null : team.teamId));
    if (!isRight) missing.push([route, action, rows]);
  }
  expect(missing).toEqual([]);
}, 120_000);

test('every route of the application that changes something was exercised, or is excepted with a reason', () => {
  const [team] = planted;
  const exercised = [
    ...Object.keys(validRequests(team as PlantedTeam)).map((id) => {
      const { method, path } = prober.named(id);
      return `${method} ${path}`;
    }),
    ...validForms(team as PlantedTeam, { member: '', operator: '' }).map(({ route }) => route),
    ...Object.keys(EXCEPTED_PAGES),
  ];
  expect(changingRoutes(app).filter((route) => !exercised.includes(route))).toEqual([]);
  for (const id of Object.keys(ACTIONS)) {
    expect([
      id,
      prober.operations.some(
        ({ operation }) => operation.operationId.replace(/ByKey$/, '') === id.replace(/ByKey$/, ''),
      ),
    ]).toEqual([id, true]);
  }
});

test('commands write rows of the command line', async () => {
  const cli = new CliTerminal({ url: world.config.databaseUrl } as TestDatabase, {
    ERASURE_KEY: PROBED.erasureKey,
  });
  const team = await plant('commanded', '+14155554');
  const of = ['--team', team.teamId];
  const fileNamed = (name: string) => join(directory, name);
  const commands: [string, string[], string | null][] = [
    ['team.created', ['team', 'create', '--name', 'New'], 'new'],
    ['team.paused', ['team', 'pause', team.teamId], team.teamId],
    ['team.stopped', ['team', 'stop', team.teamId], team.teamId],
    ['api_key.revoked', ['key', 'revoke', team.spareKeyId, ...of], team.teamId],
    ['do_not_call.added', ['dnc', 'add', '+14155550124', ...of], team.teamId],
    ['whitelist.added', ['whitelist', 'add', '+14155550124', ...of], team.teamId],
    ['call.canceled', ['call', 'cancel', team.pendingCallId, ...of], team.teamId],
    ['contact.erased', ['contact', 'erase', team.looseContactId, ...of], team.teamId],
    ['call.exported', ['call', 'export', fileNamed('calls.csv'), ...of], team.teamId],
    ['contact.exported', ['contact', 'export', fileNamed('contacts.csv'), ...of], team.teamId],
    [
      'campaign.results_exported',
      ['campaign', 'results', team.campaignId, fileNamed('results.csv'), ...of],
      team.teamId,
    ],
    ['import.results_exported', ['import', 'show', team.endedImportId, ...of], team.teamId],
    ['platform.paused', ['pause'], null],
    ['platform.resumed', ['resume'], null],
  ];
  const exporting = COMMANDS.map(({ name }) => name).filter((name) => / (?:export|results)$/.test(name));
  expect(exporting.filter((name) => !commands.some(([, argv]) => argv.join(' ').startsWith(name)))).toEqual(
    [],
  );
  await world.db.query('UPDATE platform_settings SET paused = false');
  const missing: unknown[] = [];
  for (const [action, argv, teamId] of commands) {
    const rows = await rowsOf(async () => expect(await cli.run(...argv)).toMatchObject({ code: 0 }));
    const found = rows.find((row) => row.action === action);
    const isRight =
      found?.actor_kind === 'cli' &&
      found.actor_name !== null &&
      (teamId === 'new' || found.team_id === teamId);
    if (!isRight) missing.push([argv, rows]);
  }
  expect(missing).toEqual([]);
}, 60_000);

test('no row has a secret, a phone number, a name of a person or a free text about one', async () => {
  const rows = await world.db.query<{ text: string }[]>('SELECT to_jsonb(a)::text AS text FROM audit_log a');
  const all = rows.map(({ text }) => text).join('\n');
  expect(rows.length).toBeGreaterThan(80);
  expect(secrets.length).toBeGreaterThan(3);
  const forbidden = [
    ...secrets,
    ...planted.flatMap(({ apiKey, numbers }) => [apiKey, ...Object.values(numbers)]),
    '+1415555',
    'Ada',
    'ada@example.com',
    'asked',
    'secret reason',
    'whsec_',
    'planted name',
    'formed name',
  ];
  expect(forbidden.filter((text) => all.includes(text))).toEqual([]);
  // No hash of a key, nor of a token.
  expect(all).not.toMatch(/\\x[\da-f]{64}/);
});
