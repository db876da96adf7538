import { answering, Receiver } from '../events/webhooks/receiver.js';
import { Webhooks } from '../events/webhooks/webhooks.js';
import { insertRow, nextNumber, type Row } from '../support/builders.js';
import { hoursOpeningIn } from '../support/call-builders.js';
import { type Play, playTasks, type TaskDesk, taskRows } from './tasks.js';

const rows = taskRows().filter(({ group }) => group !== 'Campaign managers');

let webhooks: Webhooks;
let receiver: Receiver;

beforeAll(async () => {
  receiver = new Receiver();
  await receiver.listen();
});
beforeEach(() => receiver.behave());
afterAll(() => receiver.close());

const rowsOf = ({ calling }: TaskDesk, statement: string, ...values: unknown[]) =>
  calling.db.query<Row[]>(statement, values);

const plays: Record<string, Play> = {
  'add a webhook endpoint': async (desk) => {
    const { keys, page, teamId } = desk;
    await keys.follow('Webhooks');
    await keys.type('URL', 'https://crm.example.com/outdial');
    await keys.push('Add endpoint');
    await page.locator('output[data-secret]').waitFor();
    expect(await rowsOf(desk, 'SELECT url FROM webhook_endpoints WHERE team_id = $1', teamId)).toEqual([
      { url: 'https://crm.example.com/outdial' },
    ]);
  },
  'send a test event': async (desk) => {
    const { keys, page } = desk;
    const url = `${receiver.url}/${desk.teamId}`;
    await webhooks.create(desk, url);
    await keys.follow('Webhooks');
    await keys.follow(url);
    await keys.push('Send a test event');
    expect(await page.locator('#state').innerText()).toContain('Delivered');
    expect(receiver.at(`/${desk.teamId}`)).toHaveLength(1);
  },
  'find why an event was not delivered, send it again': async (desk) => {
    const { keys, page } = desk;
    const url = `${receiver.url}/${desk.teamId}`;
    receiver.behave(answering(503, {}, 'Closed for the night'));
    const { id } = await webhooks.create(desk, url);
    await webhooks.writeEvents(desk.teamId, 1);
    await webhooks.number();
    await webhooks.until(desk, id, ([one]) => (one?.attempts ?? 0) > 0);
    receiver.behave();
    await keys.follow('Webhooks');
    await keys.follow(url);
    await keys.follow('contact.opted_out');
    expect(await page.locator('main').innerText()).toContain('Closed for the night');
    await keys.push('Send it now');
    await webhooks.until(desk, id, ([one]) => one?.status === 'delivered');
  },
  'send kept events to an endpoint again': async (desk) => {
    const { keys, page } = desk;
    const url = `${receiver.url}/${desk.teamId}`;
    await webhooks.writeEvents(desk.teamId, 2);
    await webhooks.number();
    const { id } = await webhooks.create(desk, url);
    await keys.follow('Webhooks');
    await keys.follow(url);
    await keys.open('Send kept events again…');
    await keys.type(/^After event/, '0');
    await keys.push('Send them again');
    await page.getByText('The kept events of the range are sent again.').waitFor();
    await webhooks.until(desk, id, (all) => all.filter(({ status }) => status === 'delivered').length === 2);
  },
  'see what needs attention': async (desk) => {
    const { page, teamId } = desk;
    await insertRow(desk.calling.db, 'webhook_endpoints', {
      team_id: teamId,
      url: 'https://failing.example.com/outdial',
      secret: 'whsec_x',
      failing_since: new Date(),
    });
    await page.reload();
    const first = page.locator('main section').first();
    expect(await first.getAttribute('id')).toBe('needs');
    expect(await first.innerText()).toContain('failing.example.com');
  },
  'add a number to call from': async (desk) => {
    const { keys, teamId, callerNumber } = desk;
    await keys.follow('Numbers');
    const typed = nextNumber();
    await keys.to(desk.page.locator('#add-number input[name=phoneNumber]'));
    await desk.page.keyboard.type(typed);
    await keys.push('Add the number');
    expect(
      await rowsOf(
        desk,
        'SELECT phone_number, active FROM phone_numbers WHERE team_id = $1 AND phone_number <> $2',
        teamId,
        callerNumber,
      ),
    ).toEqual([{ phone_number: typed, active: true }]);
  },
  'turn a number off': async (desk) => {
    const { keys, page, teamId, callerNumber } = desk;
    await keys.follow('Numbers');
    await keys.open(/^\s*Change/);
    expect(await page.locator('tr[data-number]').innerText()).toContain(callerNumber);
    await keys.tick(/^Active/);
    await keys.push(/^Save/);
    expect(await rowsOf(desk, 'SELECT active FROM phone_numbers WHERE team_id = $1', teamId)).toEqual([
      { active: false },
    ]);
  },
  "add numbers to a team's whitelist, or remove one": async (desk) => {
    const { keys, page, teamId } = desk;
    const listed = () => rowsOf(desk, 'SELECT phone_number FROM whitelist WHERE team_id = $1', teamId);
    await keys.follow('Settings');
    await keys.follow('Compliance');
    await keys.follow('The whitelist');
    await keys.type('Phone numbers, one a line', '(415) 555-0142');
    await keys.push('Add to the whitelist');
    expect(await listed()).toEqual([{ phone_number: '+14155550142' }]);
    await keys.uncounted(async () => {
      await keys.open(/^Remove/);
      await keys.push('Yes, take it off the whitelist');
    });
    await page.getByText('No number is on the whitelist.').waitFor();
    expect(await listed()).toEqual([]);
  },
  'see how old the registers are': async (desk) => {
    await rowsOf(
      desk,
      `INSERT INTO register_versions (register, format, as_of, imported_at, numbers)
       VALUES ('gb-tps', 'list', now() - interval '30 hours', now(), 3)
       ON CONFLICT DO NOTHING`,
    );
    await desk.keys.follow('Do Not Call');
    expect(await desk.page.locator('#registers').innerText()).toMatch(/gb-tps[^]*1 day/);
  },
  'see how many jobs wait, and for how long': async (desk) => {
    const { calling, agentId, keys, page } = desk;
    const { calling_hours } = hoursOpeningIn(3);
    await calling.db.query('UPDATE voice_agents SET calling_hours = $2 WHERE id = $1', [
      agentId,
      JSON.stringify(calling_hours),
    ]);
    await calling.accepted(desk, { phoneNumber: nextNumber() });
    await keys.follow('Queue');
    expect(await page.locator('tr[data-state=delayed]').first().innerText()).toMatch(
      /Scheduled\s+[1-9][^]*the first is due/,
    );
  },
  'see whether the workers run': async ({ keys, page }) => {
    await keys.follow('System');
    expect(await page.locator('#workers').innerText()).not.toContain('No worker');
    expect(await page.locator('#readiness').innerText()).toContain('Postgres');
  },
};

playTasks('the tasks of administrators and operations', rows, plays, {
  start: async () => {
    webhooks = await Webhooks.start();
    await webhooks.calling.startWorker();
    return webhooks.calling;
  },
  who: ({ group }) => (group === 'Operations' ? 'operator' : 'admin'),
});
