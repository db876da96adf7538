import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ComplianceModule } from '../../src/compliance/compliance.module.js';
import { PACKAGED } from '../../src/domain/zones/packaged.js';
import { useZoneData } from '../../src/domain/zones/time-zone.js';
import { ZoneData } from '../../src/domain/zones/zone-data.js';
import { type TeamResource } from '../../src/teams/team.dto.js';
import { temporaryDirectory } from '../carriers/support.js';
import { nextNumber } from '../support/builders.js';
import { buildCaller } from '../support/call-builders.js';
import { Calling } from '../support/calling.js';
import { type TestDatabase } from '../support/database.js';
import { CliTerminal } from './terminal.js';

// Commands read the variables of lawful calling, as API and worker do.

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

const packs = temporaryDirectory();
const calling = Calling.ofFile();
beforeAll(() => writeFileSync(join(packs.path, 'acme-la.yaml'), SUSPENSION));
afterAll(() => packs.remove());

const terminal = (environment: NodeJS.ProcessEnv) =>
  new CliTerminal({ url: calling.world.config.databaseUrl } as TestDatabase, environment);
const withPack = () => terminal({ PACKS_DIR: packs.path });

test.each([
  [{}, 'warn'],
  [{ COMPLIANCE_DEFAULT_MODE: 'enforce' }, 'enforce'],
  [{ COMPLIANCE_DEFAULT_MODE: 'off' }, 'off'],
])('with %j, a new team has the mode %s', async (environment, mode) => {
  const team = await terminal(environment).json<TeamResource>('team', 'create', '--name', 'Acme');
  expect(team.compliance).toMatchObject({ mode });
});

test('a team can name a pack of PACKS_DIR', async () => {
  const { teamId } = await buildCaller(calling.db);
  const update = ['team', 'update', teamId, '--compliance', '{"packs":["acme-la"]}'];
  expect(await terminal({}).run(...update)).toMatchObject({
    code: 2,
    told: expect.stringContaining('must be the name of a pack that is loaded') as string,
  });
  const team = await withPack().json<TeamResource>(...update);
  expect(team.compliance).toMatchObject({ packs: ['acme-la'] });
});

test('a replay judges by the packs of PACKS_DIR', async () => {
  const compliance = JSON.stringify({ mode: 'warn', purpose: 'marketing', voice: 'ai' });
  const caller = await buildCaller(calling.db, { compliance });
  const id = await calling.accepted(caller, { phoneNumber: '+15045550142' });
  const replay = async (cli: CliTerminal) => {
    const { decisions } = await cli.json<{ decisions: { today: { rule: string }[] }[] }>(
      'call',
      'replay',
      id,
      '--team',
      caller.teamId,
    );
    return decisions[0]?.today;
  };
  expect(await replay(terminal({}))).toEqual([]);
  expect(await replay(withPack())).toContainEqual({
    rule: 'acme-la-emergency',
    kept: null,
    now: 'warn',
  });
});

test.each([
  [{ COMPLIANCE_DEFAULT_MODE: 'maybe' }, /COMPLIANCE_DEFAULT_MODE: must be one of off, warn, enforce/],
  [{ PACKS_DIR: 'packs' }, /PACKS_DIR: must be an absolute path/],
  [{ PACKS_RAISE: 'US KY' }, /PACKS_RAISE: must be ids of rules/],
])('%j is wrong configuration', async (environment, told) => {
  expect(await terminal(environment).run('team', 'list')).toMatchObject({
    code: 2,
    told: expect.stringMatching(told) as string,
  });
});

test('a replay judges by the zone data of the decision, which a process keeps at its start', async () => {
  const compliance = JSON.stringify({ mode: 'warn', purpose: 'marketing', voice: 'ai' });
  const caller = await buildCaller(calling.db, { compliance });
  const shifted = PACKAGED.zones.map((zone) =>
    zone.startsWith('America/Chicago|') ? 'America/Chicago|JST|-90|0||38e6' : zone,
  );
  const { app } = await calling.startIdleWorker();
  const decided = async (version: string, keep: boolean) => {
    useZoneData(new ZoneData({ ...PACKAGED, version, zones: shifted }));
    try {
      if (keep) await ComplianceModule.keepVersions(app);
      return await calling.accepted(caller, { phoneNumber: nextNumber() });
    } finally {
      useZoneData(new ZoneData(PACKAGED));
    }
  };
  const replay = (id: string) => terminal({}).json('call', 'replay', id, '--team', caller.teamId);
  const now = PACKAGED.version;
  expect(await replay(await decided('2001a', true))).toMatchObject({
    decisions: [{ tzdata: { kept: '2001a', now, missing: false }, same: true, differences: [] }],
  });
  expect(await replay(await decided('2001b', false))).toMatchObject({
    decisions: [{ tzdata: { kept: '2001b', now, missing: true } }],
  });
});
