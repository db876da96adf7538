import { buildAgent, buildContact, buildPhoneNumber, buildPool, type Row } from '../support/builders.js';
import { bearer, Calling } from '../support/calling.js';
import { buildProcessedCall } from '../support/number-history.js';
import { numberText } from '../../src/dashboard/design/phone-number.view.js';
import { ofCampaigns, type Play, playTasks, type TaskDesk, taskRows } from './tasks.js';

const rows = taskRows().filter((row) => row.group === 'Campaign managers' && !ofCampaigns(row));

const rowsOf = ({ calling }: TaskDesk, statement: string, ...values: unknown[]) =>
  calling.db.query<Row[]>(statement, values);

/** A contact of the team, whose page the search has found. */
async function ada(desk: TaskDesk, row: Row = {}) {
  const contact = await buildContact(desk.calling.db, desk.teamId, { name: 'Ada Lovelace', ...row });
  await desk.find(contact.phone_number, 'Ada Lovelace');
  return contact;
}

/** The page of the team's agent. */
async function agent({ keys, page }: TaskDesk): Promise<void> {
  await keys.follow('Agents');
  await keys.follow('Reminder agent');
  await page.locator('h1', { hasText: 'Reminder agent' }).waitFor();
}

const weekOf = (start: string, end: string, days: string[]) =>
  Object.fromEntries(days.map((day) => [day, [{ start, end }]]));

const plays: Record<string, Play> = {
  'find a person': async (desk) => {
    const contact = await ada(desk);
    expect(desk.page.url()).toContain(`/contacts/${contact.id}`);
  },
  'list people by a filter': async ({ keys, page, calling, teamId }) => {
    await buildContact(calling.db, teamId, { name: 'Ada Lovelace' });
    await buildContact(calling.db, teamId, { name: 'Mavis Batey' });
    await keys.follow('Contacts');
    await keys.type('Name begins with', 'ada');
    await keys.push('Show');
    expect(await page.locator('tr[data-contact]').allInnerTexts()).toEqual([
      expect.stringContaining('Ada Lovelace'),
    ]);
  },
  'see why a person is not called, and when': async (desk) => {
    const { keys, page, calling, teamId } = desk;
    const contact = await buildContact(calling.db, teamId, { name: 'Ada Lovelace' });
    await calling.db.query('INSERT INTO do_not_call (team_id, phone_number) VALUES ($1, $2)', [
      teamId,
      contact.phone_number,
    ]);
    await desk.find(contact.phone_number, 'Ada Lovelace');
    expect(await page.locator('#call-now-answer').getAttribute('data-reason')).toBe('DO_NOT_CALL');
    // With several agents, one is chosen.
    await buildAgent(calling.db, teamId, { name: 'Winback', outbound_phone_number: desk.callerNumber });
    await desk.find(contact.phone_number, 'Ada Lovelace');
    await keys.uncounted(async () => {
      await keys.choose(/^Agent/, 'Winback');
      await keys.push('May it call?');
      expect(keys.activated).toEqual(['May it call?']);
    });
    expect(await page.locator('#call-now-answer').getAttribute('data-reason')).toBe('DO_NOT_CALL');
  },
  'call a person': async (desk) => {
    const contact = await ada(desk);
    await desk.keys.push('Call now');
    expect(
      await rowsOf(desk, 'SELECT contact_id FROM call_requests WHERE team_id = $1', desk.teamId),
    ).toEqual([{ contact_id: contact.id }]);
  },
  'call again': async (desk) => {
    const { keys, page, calling, teamId } = desk;
    const contact = await buildContact(calling.db, teamId, { name: 'Ada Lovelace' });
    const call = await buildProcessedCall(calling.db, desk, contact.phone_number, '2 days');
    await desk.find(call, 'Call to');
    await keys.follow('Call again…');
    await page.locator('h1', { hasText: 'Ada Lovelace' }).waitFor();
    await keys.push('Call now');
    expect(
      await rowsOf(
        desk,
        'SELECT contact_id FROM call_requests WHERE team_id = $1 AND id <> $2',
        teamId,
        call,
      ),
    ).toEqual([{ contact_id: contact.id }]);
  },
  'report the result of a call that ended': async (desk) => {
    const { keys, page, calling, teamId } = desk;
    const contact = await buildContact(calling.db, teamId, { name: 'Ada Lovelace' });
    const call = await buildProcessedCall(calling.db, desk, contact.phone_number, '2 days');
    await desk.find(call, 'Call to');
    await keys.open('Report a result…');
    await keys.type('Disposition', 'interested');
    await keys.push('Report the result');
    await page.getByText('The result is stored.').waitFor();
    expect(
      await rowsOf(desk, 'SELECT disposition, opt_out FROM call_results WHERE call_request_id = $1', call),
    ).toEqual([{ disposition: 'interested', opt_out: false }]);
  },
  'add a person': async (desk) => {
    const { keys } = desk;
    await keys.follow('Contacts');
    await keys.follow('Add a contact');
    await keys.type(/^Phone number/, '(415) 555-0142');
    await keys.type(/^Name/, 'Ada Lovelace');
    await keys.push('Add contact');
    expect(
      await rowsOf(desk, 'SELECT name, phone_number FROM contacts WHERE team_id = $1', desk.teamId),
    ).toEqual([{ name: 'Ada Lovelace', phone_number: '+14155550142' }]);
  },
  'edit a person': async (desk) => {
    const { keys } = desk;
    const { id } = await ada(desk);
    await keys.follow('Edit');
    await keys.type(/^Name/, 'Ada King');
    await keys.push('Save');
    expect(await rowsOf(desk, 'SELECT name FROM contacts WHERE id = $1', id)).toEqual([{ name: 'Ada King' }]);
  },
  'put a person on Do Not Call': async (desk) => {
    const { keys } = desk;
    const { phone_number } = await ada(desk);
    await keys.open('Add to Do Not Call…');
    await keys.type('Reason, if any', 'Asked by letter');
    await keys.push('Add to Do Not Call');
    expect(
      await rowsOf(desk, 'SELECT phone_number, reason FROM do_not_call WHERE team_id = $1', desk.teamId),
    ).toEqual([{ phone_number, reason: 'Asked by letter' }]);
  },
  'export what is stored of a person': async (desk) => {
    const { phone_number } = await ada(desk);
    const text = await desk.keys.download('Export');
    expect(text).toContain('Ada Lovelace');
    expect(text).toContain(phone_number);
  },
  'erase a person': async (desk) => {
    const { keys } = desk;
    const { id } = await ada(desk);
    await keys.follow('Erase…');
    await keys.push(/^Yes, erase/);
    await desk.page.getByText('The person is erased.').waitFor();
    expect(await rowsOf(desk, 'SELECT id FROM contacts WHERE id = $1 AND name IS NOT NULL', id)).toEqual([]);
  },
  'create an agent': async (desk) => {
    const { keys } = desk;
    await keys.follow('Agents');
    await keys.follow('New agent');
    await keys.type('Name', 'Winback');
    await keys.type('Prompt', 'Speak to {{contact.name}}.');
    await keys.push('Create the agent');
    expect(
      await rowsOf(
        desk,
        'SELECT prompt_template FROM voice_agents WHERE name = $1 AND team_id = $2',
        'Winback',
        desk.teamId,
      ),
    ).toEqual([{ prompt_template: 'Speak to {{contact.name}}.' }]);
  },
  "change an agent's texts, hours, number or carrier": async (desk) => {
    const { keys, calling, agentId, teamId } = desk;
    const number = await buildPhoneNumber(calling.db, teamId);
    await agent(desk);
    await keys.follow(/^Change/);
    await keys.type('First message', 'Hello {{contact.name}}.');
    await keys.choose('Number to call from', numberText(number.phone_number));
    await keys.choose('Carrier', 'simulator');
    await keys.push('Save');
    expect(
      await rowsOf(
        desk,
        'SELECT first_message_template, outbound_phone_number, carrier FROM voice_agents WHERE id = $1',
        agentId,
      ),
    ).toEqual([
      {
        first_message_template: 'Hello {{contact.name}}.',
        outbound_phone_number: number.phone_number,
        carrier: 'simulator',
      },
    ]);
  },
  "copy Monday's hours to the week": async (desk) => {
    const { keys, calling, agentId } = desk;
    await calling.db.query('UPDATE voice_agents SET calling_hours = $2 WHERE id = $1', [
      agentId,
      JSON.stringify(weekOf('10:00', '16:00', ['monday'])),
    ]);
    await keys.uncounted(async () => {
      await agent(desk);
      await keys.follow(/^Change/);
    });
    await keys.push(/^Copy to all days/);
    await keys.push('Save');
    const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
    expect(await rowsOf(desk, 'SELECT calling_hours FROM voice_agents WHERE id = $1', agentId)).toEqual([
      { calling_hours: weekOf('10:00', '16:00', days) },
    ]);
  },
  'see what a person would hear': async (desk) => {
    const { keys, page, calling, teamId, agentId } = desk;
    await calling.db.query('UPDATE voice_agents SET prompt_template = $2 WHERE id = $1', [
      agentId,
      'Speak to {{contact.name}}.',
    ]);
    const contact = await buildContact(calling.db, teamId, { name: 'Ada Lovelace' });
    await agent(desk);
    await keys.type('Contact', contact.phone_number);
    await keys.push('Show what the person hears');
    await page.getByText('Speak to Ada Lovelace.').waitFor();
  },
  "check the carrier with an agent's settings": async (desk) => {
    await agent(desk);
    await desk.keys.push(/^Check/);
    await desk.page.locator('#check').waitFor();
  },
  'place a test call': async (desk) => {
    await agent(desk);
    await desk.keys.type('Number to call', '(415) 555-0142');
    await desk.keys.push('Call it now');
    expect(
      await rowsOf(desk, 'SELECT phone_number FROM call_requests WHERE team_id = $1', desk.teamId),
    ).toEqual([{ phone_number: '+14155550142' }]);
  },
  'delete an agent': async (desk) => {
    const { keys, page } = desk;
    await agent(desk);
    await keys.open(/^Delete/);
    await keys.push(/^Yes/);
    await page.getByText('The agent is deleted.').waitFor();
    await page.getByText('The team has no agent yet.').waitFor();
  },
  'create a pool of numbers': async (desk) => {
    const { keys, callerNumber, teamId } = desk;
    await keys.follow('Numbers');
    await keys.follow('New pool');
    await keys.type('Name', 'California');
    await keys.tick(numberText(callerNumber));
    await keys.push('Create the pool');
    expect(
      await rowsOf(
        desk,
        `SELECT p.name, m.phone_number FROM number_pools p
         JOIN number_pool_members m ON m.number_pool_id = p.id WHERE p.team_id = $1`,
        teamId,
      ),
    ).toEqual([{ name: 'California', phone_number: callerNumber }]);
  },
  'rename a pool, or arrange its numbers': async (desk) => {
    const { keys, calling, teamId, callerNumber } = desk;
    const { id } = await buildPool(calling.db, teamId, { name: 'California' });
    await keys.follow('Numbers');
    await keys.follow('California');
    await keys.type('Name', 'Nevada');
    await keys.tick(numberText(callerNumber));
    await keys.push('Save');
    expect(
      await rowsOf(
        desk,
        `SELECT p.name, m.phone_number FROM number_pools p
         JOIN number_pool_members m ON m.number_pool_id = p.id WHERE p.id = $1`,
        id,
      ),
    ).toEqual([{ name: 'Nevada', phone_number: callerNumber }]);
  },
  'enter numbers on Do Not Call, for all or a part': async (desk) => {
    const { keys, agentId, teamId } = desk;
    await keys.follow('Do Not Call');
    await keys.type('Phone numbers, one a line', '(415) 555-0142');
    await keys.push('Add to Do Not Call');
    expect(await rowsOf(desk, 'SELECT phone_number FROM do_not_call WHERE team_id = $1', teamId)).toEqual([
      { phone_number: '+14155550142' },
    ]);
    // For one agent; the fields of the part are shown first.
    await keys.type('Phone numbers, one a line', '(415) 555-0143');
    await keys.uncounted(async () => {
      await keys.open('Only for a campaign');
      await keys.choose('Holds for', 'Agent Reminder agent');
      await keys.push('Add to Do Not Call');
    });
    expect(
      await rowsOf(desk, 'SELECT phone_number, agent_id FROM limited_do_not_call WHERE team_id = $1', teamId),
    ).toEqual([{ phone_number: '+14155550143', agent_id: agentId }]);
  },
  'see when a number was added or removed, and how': async ({ keys, page, calling, apiKey }) => {
    const list = '/api/do-not-call';
    const body = { phoneNumbers: ['+14155550142'], reason: 'Asked by letter' };
    await calling.http().post(list).set(bearer(apiKey)).send(body).expect(201);
    await keys.follow('Do Not Call');
    await keys.type('Phone number', '(415) 555-0142');
    await keys.push('Look up');
    expect(await page.locator('#looked-up ol.history li').allInnerTexts()).toEqual([
      expect.stringMatching(/Added[^]*by a request of the team[^]*Asked by letter/),
    ]);
  },
};

playTasks('the tasks of campaign managers', rows, plays, {
  start: () => Calling.start({ erasureKey: 'k'.repeat(32) }),
  who: () => 'manager',
});
