import { DEFINITION_FORMAT } from '../../src/campaigns/definition/campaign-version.entity.js';
import { ImportClient } from '../imports/import-client.js';
import {
  buildCampaign,
  buildContact,
  buildEnrollment,
  buildImport,
  buildVersion,
  type Row,
} from '../support/builders.js';
import { Calling } from '../support/calling.js';
import { eventually } from '../support/eventually.js';
import { ofCampaigns, type Play, playTasks, type TaskDesk, taskRows } from './tasks.js';

const rows = taskRows().filter((row) => row.group === 'Campaign managers' && ofCampaigns(row));

const rowsOf = ({ calling }: TaskDesk, statement: string, ...values: unknown[]) =>
  calling.db.query<Row[]>(statement, values);

/** A campaign of the team. */
const spring = ({ calling, teamId }: TaskDesk, row: Row = {}) =>
  buildCampaign(calling.db, teamId, { name: 'Spring reminders', status: 'active', ...row });

/** A further version of a campaign, with one step. */
function second({ calling, teamId, agentId }: TaskDesk, campaign: { id: string }, row: Row = {}) {
  return buildVersion(calling.db, teamId, campaign.id, {
    definition_format: DEFINITION_FORMAT,
    definition: { steps: [{ key: 'first', agentId }] },
    ...row,
  });
}

/** A contact on the current version of a campaign, not due yet. */
async function enrolled(
  { calling, teamId }: TaskDesk,
  campaign: { id: string; current_version_id: string },
): Promise<{ id: string; phone_number: string }> {
  const { id: contact_id, phone_number } = await buildContact(calling.db, teamId, { name: 'Ada Lovelace' });
  const { id } = await buildEnrollment(
    calling.db,
    { team_id: teamId, campaign_id: campaign.id, contact_id, version_id: campaign.current_version_id },
    { waiting_for: 'hours', next_attempt_at: new Date(Date.now() + 3_600_000) },
  );
  return { id, phone_number };
}

async function campaignPage({ keys, page }: TaskDesk): Promise<void> {
  await keys.follow('Campaigns');
  await keys.follow('Spring reminders');
  await page.locator('h1', { hasText: 'Spring reminders' }).waitFor();
}

const statusOf = async (desk: TaskDesk, { id }: { id: string }) =>
  (await rowsOf(desk, 'SELECT status FROM campaigns WHERE id = $1', id))[0]?.status;

/** The page of the team's newest import. */
async function importPage({ keys, page }: TaskDesk): Promise<void> {
  await keys.follow('Imports');
  await keys.follow(page.locator('tr[data-import] a'));
}

const FILE = 'phoneNumber,name\n+14152000501,Ada Lovelace\n12,Mavis Batey\n';

/** An import that has ended, with a row that was refused. */
async function ended({ calling, apiKey }: TaskDesk): Promise<string> {
  const imports = new ImportClient(calling);
  const id = await imports.started({ apiKey }, FILE);
  await imports.ended({ apiKey }, id);
  return id;
}

const plays: Record<string, Play | Play[]> = {
  'create a campaign': async (desk) => {
    const { keys, teamId } = desk;
    await keys.follow('Campaigns');
    await keys.follow('New campaign');
    await keys.type('Name', 'Autumn reminders');
    await keys.choose('Status', 'Active');
    await keys.push('Create the campaign');
    expect(await rowsOf(desk, 'SELECT name, status FROM campaigns WHERE team_id = $1', teamId)).toEqual([
      { name: 'Autumn reminders', status: 'active' },
    ]);
  },
  'change its settings': async (desk) => {
    const { keys } = desk;
    const { id } = await spring(desk);
    await campaignPage(desk);
    await keys.follow('Its settings');
    await keys.type('Name', 'Late spring reminders');
    await keys.push('Save the settings');
    expect(await rowsOf(desk, 'SELECT name FROM campaigns WHERE id = $1', id)).toEqual([
      { name: 'Late spring reminders' },
    ]);
  },
  'write a version': async (desk) => {
    const { keys, agentId } = desk;
    const { id } = await spring(desk);
    await campaignPage(desk);
    await keys.follow('New version');
    await keys.type('Note', 'By keys');
    await keys.push('Save the draft');
    expect(
      await rowsOf(
        desk,
        `SELECT definition #>> '{note}' AS note, definition #>> '{steps,0,agentId}' AS agent
         FROM campaign_versions WHERE campaign_id = $1 AND status = 'draft'`,
        id,
      ),
    ).toEqual([{ note: 'By keys', agent: agentId }]);
  },
  'forecast a version': async (desk) => {
    const { keys, page } = desk;
    const version = await second(desk, await spring(desk));
    await campaignPage(desk);
    await keys.follow(page.locator(`a[href*="versions/${version.id}/forecast"]`));
    await keys.type('Made-up contacts', '10');
    await keys.push('Play');
    await page.getByText('Dials for 10 enrollments').waitFor();
  },
  'publish a version': async (desk) => {
    const { keys } = desk;
    const campaign = await spring(desk);
    const version = await second(desk, campaign);
    await campaignPage(desk);
    await keys.follow('Publish…');
    await keys.push(/^Yes/);
    expect(await rowsOf(desk, 'SELECT current_version_id FROM campaigns WHERE id = $1', campaign.id)).toEqual(
      [{ current_version_id: version.id }],
    );
  },
  'enroll a list': async (desk) => {
    const { keys, calling, teamId } = desk;
    const campaign = await spring(desk);
    const contacts = [await buildContact(calling.db, teamId), await buildContact(calling.db, teamId)];
    await campaignPage(desk);
    await keys.follow('Enroll contacts…');
    await keys.type(/^Contacts/, contacts.map(({ phone_number }) => phone_number).join('\n'));
    await keys.push('Enroll them');
    const stored = await rowsOf(
      desk,
      'SELECT contact_id FROM enrollments WHERE campaign_id = $1',
      campaign.id,
    );
    expect(stored.map(({ contact_id }) => contact_id).sort()).toEqual(contacts.map(({ id }) => id).sort());
  },
  'import a file after a preview of its columns and rows': async (desk) => {
    const { keys, page, calling, apiKey, teamId } = desk;
    await keys.follow('Imports');
    await keys.follow('Import a file');
    await keys.upload('File', 'contacts.csv', FILE);
    await keys.push('Upload for a preview');
    expect(await page.locator('#outcome').innerText()).toMatch(/Refused\s+1/);
    await keys.push(/^Import/);
    const [begun] = await new ImportClient(calling).list({ apiKey });
    await new ImportClient(calling).ended({ apiKey }, begun?.importId ?? '');
    expect(await rowsOf(desk, 'SELECT name, phone_number FROM contacts WHERE team_id = $1', teamId)).toEqual([
      { name: 'Ada Lovelace', phone_number: '+14152000501' },
    ]);
  },
  'import a file of Do Not Call numbers': async (desk) => {
    const { keys, page, calling, apiKey, teamId } = desk;
    await keys.follow('Imports');
    await keys.follow('Import a file');
    // A group of radio buttons has one stop of the Tab key.
    await keys.to(page.getByRole('radio', { name: /^Contacts/ }));
    await page.keyboard.press('ArrowUp');
    expect(await page.getByRole('radio', { name: /^Do Not Call/ }).isChecked()).toBe(true);
    await keys.upload('File', 'numbers.csv', FILE);
    await keys.push('Upload for a preview');
    expect(await page.locator('#outcome').innerText()).toMatch(/Added to the list\s+1\s[^]*Refused\s+1/);
    await keys.push(/^Import/);
    const [begun] = await new ImportClient(calling).list({ apiKey });
    await new ImportClient(calling).ended({ apiKey }, begun?.importId ?? '');
    expect(await rowsOf(desk, 'SELECT phone_number FROM do_not_call WHERE team_id = $1', teamId)).toEqual([
      { phone_number: '+14152000501' },
    ]);
  },
  'follow an import, download its refused rows': async (desk) => {
    await ended(desk);
    await importPage(desk);
    expect(await desk.page.locator('#progress').innerText()).toMatch(/Refused\s+1/);
    expect(await desk.keys.download(/^Download/)).toContain('Mavis Batey');
  },
  'undo or cancel an import': [
    async (desk) => {
      await ended(desk);
      await importPage(desk);
      await desk.keys.open(/^Undo/);
      await desk.keys.push('Undo it');
      await eventually(
        () => rowsOf(desk, 'SELECT id FROM contacts WHERE team_id = $1 AND erased_at IS NULL', desk.teamId),
        (left) => left.length === 0,
      );
    },
    async (desk) => {
      const { calling, teamId, keys } = desk;
      const held = await buildImport(calling.db, teamId, {
        status: 'held',
        leased_until: new Date(Date.now() + 3_600_000),
      });
      await importPage(desk);
      await keys.open(/^Cancel/);
      await keys.push('Cancel it');
      expect(await rowsOf(desk, 'SELECT status FROM imports WHERE id = $1', held.id)).toEqual([
        { status: 'canceled' },
      ]);
    },
  ],
  'pause, resume a campaign': [
    async (desk) => {
      const campaign = await spring(desk);
      await campaignPage(desk);
      await desk.keys.open('Pause…');
      await desk.keys.push(/^Yes/);
      expect(await statusOf(desk, campaign)).toBe('paused');
    },
    async (desk) => {
      const campaign = await spring(desk, { status: 'paused' });
      await campaignPage(desk);
      await desk.keys.open('Resume…');
      await desk.keys.push(/^Yes/);
      expect(await statusOf(desk, campaign)).toBe('active');
    },
  ],
  'archive a campaign': async (desk) => {
    const campaign = await spring(desk);
    await campaignPage(desk);
    await desk.keys.open('Archive…');
    await desk.keys.push(/^Yes/);
    expect(await statusOf(desk, campaign)).toBe('archived');
  },
  'move live enrollments to a version': async (desk) => {
    const { keys, calling } = desk;
    const campaign = await spring(desk);
    const { id } = await enrolled(desk, campaign);
    const version = await second(desk, campaign, { status: 'published', published_at: new Date() });
    await calling.db.query('UPDATE campaigns SET current_version_id = $2 WHERE id = $1', [
      campaign.id,
      version.id,
    ]);
    await campaignPage(desk);
    await keys.follow('Move them…');
    await keys.push('Show what changes');
    await keys.push(/^Yes/);
    await eventually(
      () => rowsOf(desk, 'SELECT version_id FROM enrollments WHERE id = $1', id),
      ([row]) => row?.version_id === version.id,
    );
  },
  'export results': async (desk) => {
    const { phone_number } = await enrolled(desk, await spring(desk));
    await campaignPage(desk);
    expect(await desk.keys.download('Results as CSV')).toContain(phone_number);
  },
};

playTasks('the tasks of campaigns and imports', rows, plays, {
  start: async () => {
    const calling = await Calling.start();
    await calling.startWorker({ sweeperIntervalMs: 200 });
    return calling;
  },
  who: () => 'manager',
});
