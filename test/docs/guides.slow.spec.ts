import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DEFINITION_FORMAT } from '../../src/campaigns/definition/campaign-version.entity.js';
import { GUIDE_NAMES } from '../../src/openapi/guides/guides.js';
import { freePort } from '../../tools/services/ports.js';
import { createWorld, type World } from '../support/app.js';
import { buildCampaign } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { eventually } from '../support/eventually.js';
import { ClientWorkspace } from './support/client-workspace.js';
import { jsonValues, shapeOf } from './support/examples.js';
import { commandsOf, filesOf, type GuideName, programOf } from './support/guide-blocks.js';
import { Shell } from './support/shell.js';

// Each guide is followed to its end, once with curl and once in TypeScript, against a real API, worker and
// simulator.

let world: World;
let url: string;
let shell: Shell | undefined;
const workspace = new ClientWorkspace();

beforeAll(async () => {
  world = await createWorld({ webhooksAllowPrivate: true });
  url = `http://127.0.0.1:${new URL(await (await world.startApi()).getUrl()).port}`;
  await world.startWorker();
  workspace.install();
});
// Also where an example has not ended within the time of its test.
afterEach(() => shell?.close());
afterAll(async () => {
  await world.close();
  workspace.remove();
});

/** What is there when a guide begins: a team of its own, with what its operator gave it. */
interface Reader {
  caller: Caller;
  directory: string;
  environment: Record<string, string>;
}

async function readerOf(guide: GuideName, language: string): Promise<Reader> {
  const caller = await buildCaller(world.db);
  const campaign = await buildCampaign(world.db, caller.teamId);
  await world.db.query('UPDATE campaign_versions SET definition = $2, definition_format = $3 WHERE id = $1', [
    campaign.current_version_id,
    { steps: [{ key: 'first', agentId: caller.agentId }] },
    DEFINITION_FORMAT,
  ]);
  const port = await freePort();
  const name = `${guide}-${language}`;
  mkdirSync(join(workspace.path, name));
  for (const { note, body } of filesOf(guide)) workspace.write(join(name, note), body);
  const environment = {
    OUTDIAL_URL: url,
    API_KEY: caller.apiKey,
    AGENT_ID: caller.agentId,
    CAMPAIGN_ID: campaign.id,
    PORT: String(port),
    RECEIVER_URL: `http://127.0.0.1:${port}`,
  };
  return { caller, directory: join(workspace.path, name), environment };
}

const rows = (text: string, ...values: unknown[]) => world.db.query<Record<string, unknown>[]>(text, values);
const callsOf = ({ teamId }: Caller) =>
  rows(
    'SELECT phone_number AS number, status FROM call_requests WHERE team_id = $1 ORDER BY phone_number',
    teamId,
  );

/** What holds at the end of each guide. @param printed everything that its examples printed. */
const ENDS: Record<GuideName, (caller: Caller, printed: string) => Promise<void>> = {
  'place-your-first-call': async (caller, printed) => {
    expect(printed).toContain('queued');
    expect(printed).toContain('The call is completed');
    expect(await callsOf(caller)).toEqual([{ number: '+14155550141', status: 'completed' }]);
  },
  'follow-a-call': async ({ teamId }, printed) => {
    expect(printed).toMatch(/Read up to \d+/);
    const results = await rows('SELECT disposition FROM call_results WHERE team_id = $1', teamId);
    expect(results).toEqual([{ disposition: 'interested' }]);
  },
  webhooks: async ({ teamId }, printed) => {
    expect(printed).toContain('delivered');
    expect(printed).toMatch(/webhook\.test [0-9a-f-]{36}/);
    expect(
      await rows('SELECT 1 FROM webhook_endpoints WHERE team_id = $1 AND deleted_at IS NULL', teamId),
    ).toEqual([]);
  },
  bulk: async ({ teamId }, printed) => {
    expect(printed).toContain('phoneNumber must be one phone number');
    expect(printed).toMatch(/new"?:? ?2/);
    // The results, joined with the file by the external id.
    expect(printed).toMatch(/crm-1\b/);
    expect(printed).toMatch(/crm-2\b/);
    const [campaign] = await rows('SELECT status FROM campaigns WHERE team_id = $1', teamId);
    expect(campaign).toEqual({ status: 'active' });
    const [found] = await rows('SELECT created, enrolled, failed FROM imports WHERE team_id = $1', teamId);
    expect(found).toEqual({ created: 2, enrolled: 2, failed: 1 });
    const called = () => rows('SELECT FROM call_requests WHERE team_id = $1', teamId);
    await eventually(called, (calls) => calls.length === 2);
  },
  'errors-and-retries': async (caller, printed) => {
    expect(printed).toMatch(/RECENTLY_CALLED|ALREADY_SCHEDULED/);
    expect((await callsOf(caller)).filter(({ status }) => status !== 'blocked')).toHaveLength(1);
  },
  'testing-with-the-simulator': async (caller, printed) => {
    expect(printed).toContain('RECENTLY_CALLED');
    expect(await callsOf(caller)).toEqual([
      { number: '+14155550145', status: 'completed' },
      { number: '+15005550101', status: 'busy' },
      { number: '+15005550102', status: 'no_answer' },
      { number: '+15005550103', status: 'voicemail' },
      { number: '+15005550104', status: 'failed' },
    ]);
  },
};

test.each([...GUIDE_NAMES])('%s, with curl', async (guide) => {
  const { caller, directory, environment } = await readerOf(guide, 'curl');
  shell = new Shell(directory, environment);
  let all = '';
  for (const [index, fence] of commandsOf(guide).entries()) {
    const at = `${guide}.md, command ${index + 1}, line ${fence.line}`;
    const printed =
      fence.note === 'refused' ? await shell.runRefused(at, fence.body) : await shell.run(at, fence.body);
    if (fence.answer !== undefined)
      expect([at, shapeOf(jsonValues(printed).at(-1))]).toEqual([at, shapeOf(fence.answer)]);
    all += printed;
  }
  await ENDS[guide](caller, all);
});

test.each([...GUIDE_NAMES])('%s, in TypeScript', async (guide) => {
  const { caller, directory, environment } = await readerOf(guide, 'typescript');
  const program = workspace.write(`${guide}-typescript/guide.ts`, programOf(guide));
  await ENDS[guide](caller, await workspace.run([program], directory, environment));
});
