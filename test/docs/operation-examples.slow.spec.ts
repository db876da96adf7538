import { join } from 'node:path';
import { CLIENT_METHODS } from '../../src/openapi/client-methods.js';
import { curlOf } from '../../src/openapi/examples/curl.js';
import { type ExampleRequest, exampleRequestOf } from '../../src/openapi/examples/example-request.js';
import { SENT_BY_OTHERS } from '../../src/openapi/examples/other-examples.js';
import { typescriptOf } from '../../src/openapi/examples/typescript.js';
import { CUSTOMER_VARIABLES, OPERATOR_VARIABLES } from '../../src/openapi/examples/variables.js';
import { Documentation } from '../../src/openapi/documentation.js';
import { GUIDE_NAMES } from '../../src/openapi/guides/guides.js';
import { Conformance } from '../openapi/conformance.js';
import { type PlantedTeam, plantTeam } from '../openapi/planted-team.js';
import { CALLBACK_TOKEN, METRICS_TOKEN, PROBED } from '../openapi/prober.js';
import { validRequests } from '../openapi/valid-requests.js';
import { createWorld, OPERATOR_TOKEN, type World } from '../support/app.js';
import { ClientWorkspace } from './support/client-workspace.js';
import { filesOf, programOf } from './support/guide-blocks.js';
import { Shell } from './support/shell.js';

// Each operation's examples run as they stand, with the variables that the page explains.

let world: World;
let url: string;
let conformance: Conformance;
const workspace = new ClientWorkspace();

beforeAll(async () => {
  world = await createWorld(PROBED);
  const api = await world.startApi();
  url = `http://127.0.0.1:${new URL(await api.getUrl()).port}`;
  conformance = new Conformance(api.get(Documentation, { strict: false }).document);
});
afterAll(async () => {
  await world.close();
  workspace.remove();
});

/** The example of every operation that has one, in an order in which none spoils another. */
function requestsInOrder(team: PlantedTeam): ExampleRequest[] {
  return Object.keys(validRequests(team)).flatMap((operationId) => {
    const known = conformance.operations.find(({ operation }) => operation.operationId === operationId);
    if (known === undefined) throw new Error(`no operation ${operationId}`);
    return exampleRequestOf(known.method, known.path, known.operation) ?? [];
  });
}

/** Operations with a key on the planted campaign that is not the operator's. */
const OF_TWIN = [
  'updateCampaignByKey',
  'archiveCampaignByKey',
  'getCampaignStatsByKey',
  ...['get', 'update', 'publish', 'migrate', 'forecast'].map((change) => `${change}CampaignVersionByKey`),
];

/** The variables of the page, for one operation: its resource is in the state that the operation needs. */
function variablesFor(operationId: string, team: PlantedTeam): Record<string, string> {
  const { numbers } = team;
  const twin = {
    CAMPAIGN_ID: team.twin.campaignId,
    VERSION_ID: team.twin.draftVersionId,
    OTHER_VERSION_ID: team.twin.publishedVersionId,
  };
  const own: Record<string, Record<string, string>> = {
    cancelCall: { CALL_REQUEST_ID: team.pendingCallId },
    cancelTeamCall: { CALL_REQUEST_ID: team.scheduledCallId },
    hangUpCall: { CALL_REQUEST_ID: team.simulatedCallId },
    hangUpTeamCall: { CALL_REQUEST_ID: team.otherSimulatedCallId },
    reportCallResult: { CALL_REQUEST_ID: team.unknownCallId },
    resolveCall: { CALL_REQUEST_ID: team.unknownCallId },
    enrollContact: { CONTACT_ID: team.looseContactId },
    eraseContact: { CONTACT_ID: team.looseContactId },
    // Added by the example before it.
    removeFromDoNotCallByKey: { PHONE_NUMBER: '+442079460014' },
    getPlatformDoNotCall: { PHONE_NUMBER: numbers.platform },
    removeFromPlatformDoNotCall: { PHONE_NUMBER: numbers.platform },
    getWhitelist: { PHONE_NUMBER: numbers.whitelisted },
    removeFromWhitelist: { PHONE_NUMBER: numbers.whitelisted },
    createNumberPool: { PHONE_NUMBER: numbers.used },
    deleteVoiceAgent: { AGENT_ID: team.spareAgentId },
    createCampaignVersion: { CAMPAIGN_ID: team.draftlessCampaignId },
    createNumberPoolByKey: { PHONE_NUMBER: numbers.used },
    updateVoiceAgentByKey: { AGENT_ID: team.twin.agentId },
    deleteVoiceAgentByKey: { AGENT_ID: team.twin.agentId },
    createCampaignVersionByKey: { CAMPAIGN_ID: team.otherDraftlessCampaignId },
    ...Object.fromEntries(OF_TWIN.map((id) => [id, twin])),
    ...Object.fromEntries(
      ['get', 'pause', 'resume', 'exit'].map((change) => [
        `${change}CampaignEnrollmentByKey`,
        { ENROLLMENT_ID: team.spareEnrollmentId },
      ]),
    ),
    startImport: { IMPORT_ID: team.heldImportId },
    undoImport: { IMPORT_ID: team.endedImportId },
    resumeEnrollment: { ENROLLMENT_ID: team.pausedEnrollmentId },
    exitEnrollment: { ENROLLMENT_ID: team.pausedEnrollmentId },
  };
  return {
    OUTDIAL_URL: url,
    API_KEY: team.apiKey,
    OPERATOR_TOKEN,
    CALLBACK_TOKEN,
    METRICS_TOKEN,
    TEAM_ID: team.teamId,
    AGENT_ID: team.agentId,
    CALL_REQUEST_ID: team.completedCallId,
    CONTACT_ID: team.contactId,
    EXTERNAL_ID: 'crm-4712',
    CAMPAIGN_ID: team.campaignId,
    ENROLLMENT_ID: team.activeEnrollmentId,
    IMPORT_ID: team.importId,
    ENDPOINT_ID: team.webhookEndpointId,
    DELIVERY_ID: team.webhookDeliveryId,
    CONSENT_ID: team.consentId,
    PHONE_NUMBER: numbers.doNotCall,
    KEY_ID: team.spareKeyId,
    NUMBER_ID: team.phoneNumberId,
    POOL_ID: team.poolId,
    VERSION_ID: team.draftVersionId,
    OTHER_VERSION_ID: team.publishedVersionId,
    ...own[operationId],
  };
}

test('every operation has an example, or is sent by others; every variable is explained', () => {
  const explained = [...CUSTOMER_VARIABLES, ...OPERATOR_VARIABLES].map(({ name }) => name);
  for (const { method, path, operation } of conformance.operations) {
    const request = exampleRequestOf(method, path, operation);
    const { operationId } = operation;
    expect([operationId, request === null]).toEqual([operationId, operationId in SENT_BY_OTHERS]);
    if (request === null) continue;
    const used = [...curlOf(request).matchAll(/\$([A-Z_]+)/g)].map(([, name]) => name);
    expect([operationId, used.filter((name) => !explained.includes(name ?? ''))]).toEqual([operationId, []]);
    if (operation.security.some((one) => 'teamKey' in one))
      expect(CLIENT_METHODS).toHaveProperty(operationId);
  }
  const ids = conformance.operations.map(({ operation }) => operation.operationId);
  const named = [...CUSTOMER_VARIABLES, ...OPERATOR_VARIABLES].flatMap(({ from }) => from ?? []);
  expect(named.filter((id) => !ids.includes(id))).toEqual([]);
});

test('the example of every operation succeeds with curl', async () => {
  const team = await plantTeam(world.db, 'curl', '+14155551');
  const shell = new Shell(workspace.path);
  try {
    for (const request of requestsInOrder(team)) {
      const values = Object.entries(variablesFor(request.operationId, team));
      await shell.run('variables', values.map(([name, value]) => `${name}='${value}'`).join('\n'));
      const example = curlOf(request);
      // A busy machine is not ready for a moment: a check has 1.2 seconds.
      const isReady = request.operationId === 'isReady';
      await shell.run(request.operationId, isReady ? `until ${example}; do sleep 0.2; done` : example);
    }
  } finally {
    shell.close();
  }
});

/** The TypeScript of all pages, with the files that it imports. */
function guideFiles(): string[] {
  return GUIDE_NAMES.flatMap((guide) => [
    workspace.write(`${guide}/guide.ts`, programOf(guide)),
    ...filesOf(guide)
      .map(({ note, body }) => workspace.write(`${guide}/${note}`, body))
      .filter((file) => file.endsWith('.ts')),
  ]);
}

test('the example of every operation succeeds in TypeScript; neither they nor the guides have type errors', async () => {
  await workspace.installWithTypes();
  const team = await plantTeam(world.db, 'typescript', '+14155552');
  const modules = requestsInOrder(team).map((request) => ({
    file: workspace.write(`examples/${request.operationId}.ts`, `${typescriptOf(request)}\nexport {};\n`),
    environment: variablesFor(request.operationId, team),
  }));
  expect(workspace.faultsOf([...modules.map(({ file }) => file), ...guideFiles()])).toEqual([]);
  const list = workspace.write('examples.json', JSON.stringify(modules));
  const runner = join(__dirname, 'support/run-modules.mjs');
  expect(JSON.parse(await workspace.run([runner, list], workspace.path, {}))).toEqual([]);
});
