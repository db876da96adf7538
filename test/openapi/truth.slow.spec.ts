import { vapiNameOf } from '../../src/carriers/vapi/vapi-call.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type NestExpressApplication } from '@nestjs/platform-express';
import { REFUSALS, type RefusalReason } from '../../src/calls/trigger/refusals.js';
import { Documentation } from '../../src/openapi/documentation.js';
import { FailedAuthentications } from '../../src/http/failed-authentications.js';
import { createWorld, type World } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { refusedForFailures } from '../support/failures.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { describeBadInput } from './bad-input.js';
import { describeCallReasons } from './call-reasons.js';
import { type KnownOperation } from './conformance.js';
import { describeForbidden } from './forbidden.js';
import { describeOperatorCases } from './operator-cases.js';
import { type PlantedTeam, plantTeam } from './planted-team.js';
import { type Changed, UNKNOWN_ID, PROBED, Prober, TWILIO } from './prober.js';
import { validRequests } from './valid-requests.js';

// Every documented answer is asked for, and each answer is checked against the document: see Prober.ask.

const SUSPENSION = `
pack: acme-la
jurisdiction: US-LA
name: Louisiana, after the hurricane
extends: [us-la]
rules:
  - id: acme-la-emergency
    kind: suspension
    appliesTo: { purpose: [marketing], voice: [ai, prerecorded, live] }
    effectiveFrom: '2026-01-01'
    effectiveTo: '2099-12-31'
    what: The commission reports to the Emergency Operations Center.
    citation: La. R.S. 45:844.31
    source: { url: https://lpsc.louisiana.gov/DNC_Emergency, readOn: '2026-11-22' }
    confidence: high
`;

const packsDir = mkdtempSync(join(tmpdir(), 'outdial-packs-'));
let world: World;
let app: NestExpressApplication;
let postgres: TcpProxy;
let team: PlantedTeam;
let prober: Prober;
const reasons = new Set<unknown>();

beforeAll(async () => {
  // No pack of the release suspends calls; an operator's dated one does.
  writeFileSync(join(packsDir, 'acme-la.yaml'), SUSPENSION);
  world = await createWorld({ ...PROBED, packsDir });
  postgres = await startTcpProxy(world.config.databaseUrl);
  world.config.databaseUrl = postgres.url;
  app = await world.startApi();
  prober = new Prober(app, app.get(Documentation, { strict: false }).document);
});
afterAll(async () => {
  await world.close();
  await postgres.close();
  rmSync(packsDir, { recursive: true });
});
beforeEach(async () => {
  team = await plantTeam(world.db, 'planted', '+14155551');
});

/** By the operator and by a team's key. */
const bothDoors = (cases: Record<string, Changed>) =>
  Object.fromEntries(
    Object.entries(cases).flatMap(([id, one]) => [[id, one] as const, [`${id}ByKey`, one] as const]),
  );

const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status;
const operationsWith = (status: number) =>
  prober.operations.filter(({ operation }) => String(status) in operation.responses);
/** The API rate limit is for teams. */
const isLimited = ({ operation }: KnownOperation) => operation.security.some((choice) => 'teamKey' in choice);
const isCall = ({ operation }: KnownOperation) =>
  ['triggerCall', 'explainCall'].includes(operation.operationId);

test('the server is the public address of the deployment', () => {
  const { servers } = app.get(Documentation, { strict: false }).document;
  expect(servers).toEqual([{ url: TWILIO.publicUrl, description: 'The public address of this deployment.' }]);
});

test('each operation succeeds as documented', async () => {
  for (const operationId of Object.keys(validRequests(team))) {
    // A busy machine is not ready for a moment: a check has 1.2 seconds.
    const { status } = await eventually(
      () => prober.ask(prober.named(operationId), team),
      (answer) => answer.status !== 503,
    );
    expect([operationId, status >= 200 && status < 300]).toEqual([operationId, true]);
  }
  const created = prober.ask(prober.named('updateContactByExternalId'), team, {
    path: { externalId: 'crm/4711' },
    body: { phoneNumber: '+14155550993', name: 'Ada' },
  });
  expect(await statusOf(created)).toBe(201);
});

test('a dry run of an import answers as documented', async () => {
  const answer = await prober.ask(prober.named('createImport'), team, { query: 'dryRun=true' });
  expect([answer.status, answer.body.rows]).toEqual([200, 1]);
});

test.each(['', 'wrong'])('credentials %j are refused as documented', async (token) => {
  for (const known of prober.operations) {
    if (known.operation.security.length === 0) continue;
    const { status, body } = await prober.ask(known, team, { token });
    expect([known.path, status]).toEqual([known.path, isCall(known) ? 500 : 401]);
    reasons.add(body.reason);
  }
});

test('unknown ids are refused as documented', async () => {
  for (const known of operationsWith(404)) {
    for (const [, name = ''] of known.path.matchAll(/{(\w+)}/g)) {
      // Without an account there is no key that could have signed.
      const expected = name === 'accountId' && known.path.startsWith('/api/carriers/') ? 401 : 404;
      expect([known.path, name, await statusOf(prober.askWithUnknownId(known, team, name))]).toEqual([
        known.path,
        name,
        expected,
      ]);
    }
  }
  const enroll = prober.named('enrollContact');
  const body = { contactId: UNKNOWN_ID, campaignId: team.campaignId };
  expect(await statusOf(prober.ask(enroll, team, { body }))).toBe(404);
  const report = {
    callRequestId: UNKNOWN_ID,
    carrierCallId: null,
    status: 'busy',
    at: '2026-11-20T14:00:33Z',
  };
  const reporting = prober.ask(prober.named('reportHttpCarrierEvent'), team, { body: report });
  expect(await statusOf(reporting)).toBe(404);
  const call = { call_id: 'another', metadata: { outdial_call_request_id: UNKNOWN_ID } };
  for (const id of ['reportRetellCall', 'reportRetellCallOfAccount']) {
    const unknown = prober.ask(prober.named(id), team, { body: { event: 'call_ended', call } });
    expect(await statusOf(unknown)).toBe(404);
  }
  const message = {
    type: 'status-update',
    status: 'ended',
    call: { id: 'another', name: vapiNameOf(UNKNOWN_ID, 0) },
  };
  for (const id of ['reportVapiCall', 'reportVapiCallOfAccount']) {
    const unknown = prober.ask(prober.named(id), team, { body: { message } });
    expect(await statusOf(unknown)).toBe(404);
  }
  const data = { conversation_id: 'another', user_id: UNKNOWN_ID };
  for (const id of ['reportElevenLabsCall', 'reportElevenLabsCallOfAccount']) {
    const body = { type: 'post_call_transcription', data };
    expect(await statusOf(prober.ask(prober.named(id), team, { body }))).toBe(404);
  }
});

describeBadInput(() => ({ app, world, prober, team, reasons }));

test('conflicts are refused as documented', async () => {
  const { numbers, campaignId, contactId, publishedVersionId, exitedEnrollmentId } = team;
  const published = { campaignId, versionId: publishedVersionId };
  const conflicts: Record<string, Changed> = {
    cancelCall: { path: { callRequestId: team.completedCallId } },
    hangUpCall: { path: { callRequestId: team.completedCallId } },
    resumeOwnTeam: {},
    reportCallResult: { path: { callRequestId: team.pendingCallId } },
    enrollContact: { body: { contactId, campaignId } },
    createContact: { headers: { 'External-Id': team.externalId }, body: { phoneNumber: numbers.free } },
    createContactAndEnroll: {
      headers: { 'External-Id': 'another' },
      body: { phoneNumber: numbers.contact },
    },
    updateContact: { path: { contactId: team.looseContactId }, body: { externalId: team.externalId } },
    updateContactByExternalId: { body: { phoneNumber: numbers.free } },
    reportHttpCarrierEvent: {
      body: { ...validRequests(team).reportHttpCarrierEvent?.body, disposition: 'another' },
    },
    createWebhookEndpoint: {},
    createPhoneNumber: { body: { phoneNumber: numbers.used } },
    updatePhoneNumber: { body: { phoneNumber: '+14155550996' } },
    ...bothDoors({
      deleteVoiceAgent: { path: { id: team.agentId } },
      createCampaignVersion: { path: { campaignId } },
      updateCampaignVersion: { path: published },
      publishCampaignVersion: { path: published },
    }),
    ...Object.fromEntries(
      ['pauseEnrollment', 'resumeEnrollment', 'exitEnrollment'].flatMap((id) =>
        [id, `${id}ByKey`, `${id.replace('Enrollment', 'CampaignEnrollment')}ByKey`].map((one) => [
          one,
          { path: { enrollmentId: exitedEnrollmentId } },
        ]),
      ),
    ),
    cancelTeamCall: { path: { id: team.completedCallId } },
    hangUpTeamCall: { path: { id: team.completedCallId } },
    resolveCall: { path: { id: team.completedCallId } },
    cancelImport: { path: { importId: team.endedImportId } },
    startImport: { path: { importId: team.endedImportId } },
    undoImport: { path: { importId: team.heldImportId } },
    resumePlatform: { query: '' },
  };
  await world.db.query(
    `INSERT INTO webhook_endpoints (team_id, url, secret) SELECT $1, 'https://example.com/', '' FROM generate_series(1, 19)`,
    [team.teamId],
  );
  await world.db.query('UPDATE teams SET paused = true WHERE id = $1', [team.teamId]);
  await world.db.query(`UPDATE database_identity SET database_oid = '1'`);
  for (const [operationId, changed] of Object.entries(conflicts)) {
    const answer = prober.ask(prober.named(operationId), team, changed);
    expect([operationId, await statusOf(answer)]).toEqual([operationId, 409]);
  }
  const unknown = prober.ask(prober.named('createImport'), team, { query: `campaignId=${UNKNOWN_ID}` });
  expect(await statusOf(unknown)).toBe(404);
  const body = { contactId, campaignId: team.pausedCampaignId };
  expect(await statusOf(prober.ask(prober.named('enrollContact'), team, { body }))).toBe(422);
});

test('a disabled webhook endpoint is neither tested, retried nor replayed', async () => {
  await world.db.query(`UPDATE webhook_endpoints SET disabled_at = now(), disabled_reason = 'gone'`);
  for (const operationId of ['testWebhookEndpoint', 'retryWebhookDelivery', 'replayWebhookEvents']) {
    expect([operationId, await statusOf(prober.ask(prober.named(operationId), team))]).toEqual([
      operationId,
      409,
    ]);
  }
});

describeOperatorCases(() => ({ app, world, prober, team, reasons }));

describeForbidden(() => ({ app, world, prober, team, reasons }));

test('idempotency keys are replayed, refused for another body, and refused while active', async () => {
  const idempotent = prober.operations.filter(({ operation }) =>
    operation.parameters?.some(({ name }) => name === 'Idempotency-Key'),
  );
  expect(idempotent).toHaveLength(6);
  for (const known of idempotent) {
    const key = known.operation.operationId;
    const headers = { 'Idempotency-Key': key };
    const first = await prober.ask(known, team, { headers });
    expect(await prober.ask(known, team, { headers })).toEqual(first);
    const other = { phoneNumber: '+14155550995', contactId: team.contactId, campaignId: team.campaignId };
    // A consent that is malformed is refused as such.
    const consent = { ...validRequests(team).recordConsentByKey?.body, source: 'another' };
    const body = key === 'recordConsentByKey' ? consent : other;
    const reused = await prober.ask(known, team, { headers, body });
    expect([key, reused.status]).toEqual([key, 422]);

    const runner = world.db.createQueryRunner();
    await runner.startTransaction();
    await runner.query('SELECT pg_advisory_xact_lock(idempotency_lock_key($1, $2))', [team.teamId, 'held']);
    const inFlight = await prober.ask(known, team, { headers: { 'Idempotency-Key': 'held' } });
    await runner.rollbackTransaction();
    await runner.release();
    expect([key, inFlight.status]).toEqual([key, 409]);
    for (const { body } of [reused, inFlight]) reasons.add(body.reason);
  }
});

describeCallReasons(() => ({ app, world, prober, team, reasons }));

test('requests beyond the rate limit are refused as documented', async () => {
  // A bucket holds one second's tokens. At this rate that is never a whole one, however slow the requests are.
  world.config.apiRateLimit = 0.4;
  try {
    for (const known of operationsWith(429).filter(isLimited)) {
      const { status, body } = await prober.ask(known, team);
      expect([known.path, status]).toEqual([known.path, 429]);
      reasons.add(body.reason);
    }
  } finally {
    world.config.apiRateLimit = 0;
  }
});

test('too many wrong credentials from one address are refused as documented', async () => {
  for (const known of prober.operations) {
    if (known.operation.security.length === 0) continue;
    const { status } = await refusedForFailures(app.get(FailedAuthentications), () =>
      prober.ask(known, team, { token: 'wrong' }),
    );
    expect([known.path, status]).toEqual([known.path, 429]);
  }
});

test('bodies beyond the memory limit are refused as documented', async () => {
  const { bodyMemoryMb } = world.config;
  world.config.bodyMemoryMb = 0;
  try {
    for (const known of operationsWith(429).filter(({ operation }) => operation.requestBody !== undefined))
      expect([known.path, await statusOf(prober.ask(known, team))]).toEqual([known.path, 429]);
  } finally {
    world.config.bodyMemoryMb = bodyMemoryMb;
  }
});

test('answers without Postgres are as documented', async () => {
  await postgres.cut();
  // A readiness probe may have looked a moment ago.
  await new Promise((resolve) => setTimeout(resolve, 300));
  try {
    for (const known of operationsWith(503))
      expect([known.path, await statusOf(prober.ask(known, team))]).toEqual([known.path, 503]);
    const { status, body } = await prober.ask(prober.named('triggerCall'), team);
    expect([status, body.reason]).toEqual([500, 'SERVICE_UNAVAILABLE']);
    reasons.add(body.reason);
  } finally {
    await postgres.restore();
  }
});

test('unexpected errors are as documented', async () => {
  await world.db.query('ALTER SCHEMA public RENAME TO elsewhere');
  try {
    for (const known of operationsWith(500)) {
      const { status, body } = await prober.ask(known, team);
      expect([known.path, status]).toEqual([known.path, 500]);
      reasons.add(body.reason);
    }
  } finally {
    await world.db.query('ALTER SCHEMA elsewhere RENAME TO public');
  }
});

test('the tests have seen every documented answer and every reason', () => {
  expect(prober.conformance.unseen()).toEqual([]);
  const all = Object.keys(REFUSALS) as RefusalReason[];
  expect(all.filter((reason) => !reasons.has(reason))).toEqual([]);
});
