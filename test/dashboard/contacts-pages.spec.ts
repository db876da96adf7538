import { CONTACTS_BY_NAME } from '../../src/dashboard/contacts/contact-list-page.sql.js';
import { type TeamRole } from '../../src/domain/permissions.js';
import { section, textOf, unescapeHtml } from '../operations/operations-client.js';
import { buildContact, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller, hoursOpeningIn } from '../support/call-builders.js';
import { bearer, Calling } from '../support/calling.js';
import { buildStoredCall } from '../support/number-history.js';
import { signedIn } from '../support/signed-in.js';
import { Person } from './person.js';

const calling = Calling.ofFile({ erasureKey: 'k'.repeat(32) });
let caller: Caller;
let list: string;

beforeEach(async () => {
  caller = await buildCaller(
    calling.db,
    { name: 'Northwind Clinics', default_country: 'US', timezone: 'America/New_York' },
    { name: 'Reminder agent', first_message_template: 'Hello {{contact.name}}' },
  );
  list = `/t/${caller.teamId}/contacts`;
});

async function person(role: TeamRole = 'manager'): Promise<Person> {
  const { cookie } = await signedIn(calling.db, { teamId: caller.teamId, role });
  return new Person(calling.api, cookie);
}

/** The contact as the API has it. */
async function stored(contactId: string) {
  const answer = await calling
    .http()
    .get(`/api/contacts/${contactId}`)
    .set(bearer(caller.apiKey))
    .expect(200);
  return answer.body as Record<string, unknown>;
}

async function contact(
  fields: Record<string, unknown> = {},
): Promise<{ id: string; phoneNumber: string; page: string }> {
  const phoneNumber = (fields.phone_number as string | undefined) ?? nextNumber();
  const { id } = await buildContact(calling.db, caller.teamId, { ...fields, phone_number: phoneNumber });
  return { id: String(id), phoneNumber, page: `${list}/${String(id)}` };
}

const listed = (page: string) => [...page.matchAll(/data-contact="([^"]*)"/g)].map(([, id]) => id);

/** The actions on a contact that the audit log has. */
async function audited(contactId: string): Promise<{ action: string; actor_kind: string; after: unknown }[]> {
  return calling.db.query(
    'SELECT action, actor_kind, after FROM audit_log WHERE target_id = $1 ORDER BY id',
    [contactId],
  );
}

describe('the list', () => {
  test('has the newest first, page by page, and leads to each person', async () => {
    const pages = await person('viewer');
    const at = Date.now() - 3_600_000;
    const made = [];
    for (let n = 0; n < 52; n += 1)
      made.push(await contact({ name: `Person ${n} <b>`, created_at: new Date(at + n * 1_000) }));
    const first = await pages.page(list);
    expect(first).not.toContain('<b>');
    expect(first).toContain(`class="row-link" href="${made[51]?.page}"`);
    const older = unescapeHtml(/href="([^"]*cursor=[^"]*)"/.exec(first)?.[1] ?? '');
    const ids = [...listed(first), ...listed(await pages.page(older))];
    expect(ids).toEqual(made.map(({ id }) => id).reverse());
    await pages.get(`${list}?cursor=x`).expect(400);
  });

  test('is narrowed by number in any notation, name, e-mail and external id', async () => {
    const pages = await person();
    const ada = await contact({
      name: 'Ada Lovelace',
      phone_number: '+14155550142',
      email: 'ada@example.com',
      external_id: 'crm-1',
    });
    const adam = await contact({ name: 'adam' });
    await contact({ name: 'Bea' });
    const found = async (query: string) => listed(await pages.page(`${list}?${query}`));
    expect(await found('phoneNumber=(415)+555-0142')).toEqual([ada.id]);
    expect(await found('namePrefix=ADA')).toEqual([ada.id, adam.id]);
    expect(await found('namePrefix=%25')).toEqual([]);
    expect(await found('namePrefix=b&email=ada@example.com')).toEqual([]);
    expect(await found('namePrefix=ada%20l')).toEqual([ada.id]);
    expect(await found('email=ada@example.com')).toEqual([ada.id]);
    expect(await found('externalId=crm-1&namePrefix=b')).toEqual([]);
    const shown = await pages.page(`${list}?namePrefix=ada&email=ada@example.com`);
    expect(textOf(shown)).toContain('Filters: Name begins with: ada · Email: ada@example.com');
    const refused = await pages.get(`${list}?phoneNumber=x`);
    expect([refused.status, section(refused.text, 'problem')]).toEqual([
      400,
      expect.stringContaining('phoneNumber must be one phone number'),
    ]);
    expect(refused.text).toMatch(/<details class="filter-bar" open/);
  });

  test('by name is paged by the index of names', async () => {
    const pages = await person();
    const made = [];
    for (let n = 0; n < 120; n += 1) made.push((await contact({ name: n % 2 ? 'Ada' : `ada ${n}` })).id);
    const ids = [];
    let next: string | undefined = `${list}?namePrefix=ada`;
    while (next !== undefined) {
      const page: string = await pages.page(next);
      ids.push(...listed(page));
      next = /href="([^"]*cursor=[^"]*)"/.exec(page)?.[1];
      next &&= unescapeHtml(next);
    }
    expect([ids.length, [...ids].sort()]).toEqual([120, made.sort()]);
    await pages.get(`${list}?namePrefix=ada&cursor=WyJ4Il0`).expect(400);
    const nothing = [caller.teamId, 'ada', null, 51];
    const plan = await calling.db.query<{ 'QUERY PLAN': unknown }[]>(
      `EXPLAIN (FORMAT JSON) ${CONTACTS_BY_NAME}`,
      nothing,
    );
    expect(JSON.stringify(plan)).toContain('ix_contacts_name');
  });

  test('without a result offers to add the number', async () => {
    const shown = await (await person()).page(`${list}?phoneNumber=4155550142`);
    expect(shown).toContain(`href="${list}/new?phoneNumber=4155550142"`);
    expect(await (await person('viewer')).page(`${list}?phoneNumber=4155550142`)).not.toContain(
      `${list}/new`,
    );
  });
});

const FORM = {
  phoneNumber: '(415) 555-0142',
  name: ' Ada Lovelace ',
  email: 'ada@example.com',
  companyName: 'Analytical Engines',
  companyWebsite: '',
  timezone: 'America/Los_Angeles',
  externalId: 'crm-1',
  customProperties: 'plan: gold\nseats: 12\ntags: ["a"]',
};

describe('a contact is added', () => {
  test('with every field and properties, as by the API, and the log has the names of its fields', async () => {
    const pages = await person();
    const answer = await pages.submit(`${list}/new`, `${list}/new`, FORM);
    expect(answer.status).toBe(303);
    const id = (answer.headers.location ?? '').replace(`${list}/`, '');
    expect(await stored(id)).toEqual({
      contactId: id,
      phoneNumber: '+14155550142',
      externalId: 'crm-1',
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      companyName: 'Analytical Engines',
      companyWebsite: null,
      timezone: 'America/Los_Angeles',
      customProperties: { plan: 'gold', seats: 12, tags: ['a'] },
    });
    expect(textOf(await pages.after(answer))).toContain('The contact is added.');
    const [row] = await audited(id);
    expect(row).toMatchObject({ action: 'contact.created', actor_kind: 'user' });
    expect(JSON.stringify(row)).not.toMatch(/Ada|4155550142|gold/);
  });

  test('not with faults, which stand at their fields; the form keeps what was typed', async () => {
    const pages = await person();
    const typed = {
      ...FORM,
      phoneNumber: '12',
      email: 'ada',
      timezone: 'EST',
      customProperties: 'plan gold',
    };
    const lines = await pages.submit(`${list}/new`, `${list}/new`, typed);
    expect([lines.status, section(lines.text, 'problem')]).toEqual([
      400,
      expect.stringContaining('Line 1 must be a key, a colon and a value.'),
    ]);
    const answer = await pages.submit(`${list}/new`, `${list}/new`, { ...typed, customProperties: '' });
    expect(answer.status).toBe(400);
    const problem = section(answer.text, 'problem');
    for (const fault of [
      'The contact was not added.',
      'Phone number is not a valid phone number',
      'Email must be',
      'Time zone must be',
    ])
      expect(problem).toContain(fault);
    expect(answer.text).toContain('value="Analytical Engines"');
    expect(answer.text).toContain('id="field-email-error"');
  });

  test('not a second time: the page leads to the contact that has the number, or the external id', async () => {
    const pages = await person();
    const ada = await contact({ name: 'Ada', phone_number: '+14155550142', external_id: 'crm-1' });
    const number = await pages.submit(`${list}/new`, `${list}/new`, { ...FORM, externalId: '' });
    expect(number.status).toBe(400);
    expect(section(number.text, 'problem')).toContain('This number belongs to another contact.');
    expect(number.text).toContain(`<a href="${ada.page}">Ada</a>`);
    const id = await pages.submit(`${list}/new`, `${list}/new`, { ...FORM, phoneNumber: nextNumber() });
    expect([id.status, section(id.text, 'problem')]).toEqual([
      400,
      expect.stringContaining('External id belongs to another contact.'),
    ]);
    expect(id.text).toContain(`<a href="${ada.page}">Ada</a>`);
  });

  test('not with more properties than a contact may have', async () => {
    const pages = await person();
    const typed = { ...FORM, customProperties: `long: ${'x'.repeat(66_000)}` };
    const answer = await pages.submit(`${list}/new`, `${list}/new`, typed);
    expect([answer.status, section(answer.text, 'problem')]).toEqual([
      400,
      expect.stringContaining('The custom properties of a contact must be at most 65,536 bytes'),
    ]);
  });
});

describe('a contact is changed', () => {
  const change = (pages: Person, page: string, fields: Record<string, string>) =>
    pages.submit(`${page}/edit`, `${page}/edit`, fields);

  test('in what differs alone: fields are set and cleared, properties set and removed', async () => {
    const pages = await person();
    const ada = await contact({
      name: 'Ada',
      email: 'ada@example.com',
      custom_properties: { plan: 'gold', seats: 12, note: 'kept' },
    });
    const form = await pages.page(`${ada.page}/edit`);
    expect(unescapeHtml(form)).toContain('note: kept\nplan: gold\nseats: 12</textarea>');
    // Another client adds a property while the form is open.
    await calling
      .http()
      .patch(`/api/contacts/${ada.id}`)
      .set(bearer(caller.apiKey))
      .send({ late: 1 })
      .expect(200);
    const answer = await change(pages, ada.page, {
      name: 'Ada Lovelace',
      email: '',
      shownKeys: '["plan","seats","note"]',
      customProperties: 'plan: silver\nnote: kept',
    });
    expect([answer.status, answer.headers.location]).toEqual([303, ada.page]);
    expect(await stored(ada.id)).toMatchObject({
      name: 'Ada Lovelace',
      email: null,
      customProperties: { plan: 'silver', note: 'kept', late: 1 },
    });
    expect(await audited(ada.id)).toMatchObject([{ action: 'contact.changed', actor_kind: 'user' }]);
  });

  test('or not at all, which the log does not have', async () => {
    const pages = await person();
    const ada = await contact({ name: 'Ada', custom_properties: { plan: 'gold' } });
    const same = { name: 'Ada', customProperties: 'plan: gold' };
    const answer = await change(pages, ada.page, same);
    expect(textOf(await pages.after(answer))).toContain('Nothing was changed.');
    const refused = await change(pages, ada.page, { ...same, timezone: 'Mars' });
    expect([refused.status, section(refused.text, 'problem')]).toEqual([
      400,
      expect.stringContaining('Time zone must be an IANA time zone name'),
    ]);
    expect(await audited(ada.id)).toEqual([]);
  });

  test('by managers; a viewer reads', async () => {
    const ada = await contact({ name: 'Ada' });
    const pages = await person('viewer');
    const shown = await pages.page(ada.page);
    for (const path of ['edit', 'erase', 'call']) expect(shown).not.toContain(`${ada.page}/${path}`);
    await pages.get(`${list}/new`).expect(403);
    await pages.get(`${ada.page}/edit`).expect(403);
  });
});

describe('a person’s page', () => {
  test('has what is stored, the place of the number, and the time there', async () => {
    const ada = await contact({
      name: 'Ada <b>',
      phone_number: '+12125550142',
      company_name: 'Analytical Engines',
      custom_properties: { plan: 'gold', '<i>': ['<u>'] },
    });
    const shown = await (await person()).page(ada.page);
    expect(shown).not.toMatch(/Ada <b>|<i>|<u>/);
    const about = section(shown, 'about');
    expect(about).toContain('Company name Analytical Engines');
    expect(about).toContain('plan gold');
    const place = section(shown, 'place');
    expect(place).toContain('Time zone America/New_York (by the area code)');
    expect(place).toContain('Country United States (US)');
    expect(place).toContain('Jurisdictions US, US-NY');
    expect(place).toMatch(/Now there \w{3} \d{4}-\d\d-\d\d \d\d:\d\d/);
    expect(shown).toContain(`href="/t/${caller.teamId}/numbers?phoneNumber=%2B12125550142"`);
  });

  test('of a number that may be anywhere tells so, unless the contact has a zone', async () => {
    const pages = await person();
    const free = await contact({ phone_number: '+18005550142' });
    const place = section(await pages.page(free.page), 'place');
    expect(place).toContain('the person may be in any of them');
    const stated = await contact({ phone_number: '+18005550143', timezone: 'America/Denver' });
    expect(section(await pages.page(stated.page), 'place')).toContain(
      'Time zone America/Denver (as the contact has it)',
    );
  });

  test('adds the number to Do Not Call, and removes it', async () => {
    const pages = await person();
    const ada = await contact();
    const add = `/t/${caller.teamId}/do-not-call`;
    const added = await pages.submit(ada.page, add, { reason: 'Asked by letter' });
    expect([added.status, added.headers.location]).toEqual([303, ada.page]);
    const shown = await pages.page(ada.page);
    expect(section(shown, 'do-not-call')).toContain('On the list Asked by letter, added');
    expect(section(shown, 'call-now')).toContain('Not now: the number is on the Do Not Call list.');
    const removed = await pages.submit(ada.page, `${add}/remove`);
    expect([removed.status, removed.headers.location]).toEqual([303, ada.page]);
    expect(section(await pages.page(ada.page), 'do-not-call')).toContain('Not on the list');
  });

  test('has the newest calls with their results', async () => {
    const ada = await contact();
    const { id } = await buildStoredCall(calling.db, caller, ada.phoneNumber, {
      status: 'completed',
      contact_id: ada.id,
      carrier: 'simulator',
      claimed_at: new Date(),
      processed_at: new Date(),
      ended_at: new Date(),
      caller_id: caller.callerNumber,
      duration_seconds: 95,
    });
    await calling.db.query(
      `INSERT INTO call_results (call_request_id, team_id, disposition, opt_out, recorded_at) VALUES ($1, $2, 'interested', false, now())`,
      [id, caller.teamId],
    );
    const shown = await (await person()).page(ada.page);
    expect(section(shown, 'calls')).toMatch(/Completed interested Reminder agent .* 1 min 35 s/);
    expect(shown).toContain(`href="/t/${caller.teamId}/calls/${id}"`);
  });

  test('exports all that is stored of the person, which the log has', async () => {
    const pages = await person('viewer');
    const ada = await contact({ name: 'Ada' });
    const answer = await pages.get(`${ada.page}/export`).expect(200);
    expect(answer.headers['content-disposition']).toBe(`attachment; filename="contact-${ada.id}.json"`);
    expect(answer.body).toMatchObject({ contact: { name: 'Ada' } });
    expect(await audited(ada.id)).toMatchObject([{ action: 'contact.exported', actor_kind: 'user' }]);
  });

  test('is gone after the erasure, which leads to the list', async () => {
    const pages = await person();
    const ada = await contact();
    const erased = await pages.submit(`${ada.page}/erase`, `${ada.page}/erase`);
    expect([erased.status, erased.headers.location]).toEqual([303, list]);
    await pages.get(ada.page).expect(404);
    expect(listed(await pages.page(list))).toEqual([]);
  });
});

describe('call now?', () => {
  const answerOf = (page: string) =>
    textOf(/<p id="call-now-answer"[^>]*>([\s\S]*?)<\/p>/.exec(page)?.[1] ?? '');

  test('tells what a call would be made from, and places it', async () => {
    const pages = await person();
    const ada = await contact({ name: 'Ada' });
    const shown = await pages.page(ada.page);
    expect(answerOf(shown)).toBe(`Would be called now from ${spaced(caller.callerNumber)}.`);
    expect(section(shown, 'call-now')).toContain('Hello Ada');
    const placed = await pages.submit(ada.page, `${ada.page}/call`);
    expect(placed.status).toBe(303);
    const [, id = ''] = /\/calls\/([\w-]{36})$/.exec(placed.headers.location ?? '') ?? [];
    expect(await calling.get(caller, id)).toMatchObject({
      body: { contactId: ada.id, agentId: caller.agentId },
    });
    expect(textOf(await pages.after(placed))).toContain('The call is placed.');
    // The second one is refused by the rules, as any other call.
    const again = await pages.post(`${ada.page}/call`, {
      ...(await token(pages)),
      agent: caller.agentId,
      back: ada.page,
    });
    expect([again.status, section(again.text, 'problem')]).toEqual([
      400,
      expect.stringContaining('The call was not placed:'),
    ]);
    expect(answerOf(again.text)).toContain('Not now: another call to the number is waiting already.');
    const keys = await calling.db.query<{ name: string; revoked: boolean }[]>(
      `SELECT name, revoked_at IS NOT NULL AS revoked FROM api_keys WHERE team_id = $1 AND name = 'Call of the dashboard'`,
      [caller.teamId],
    );
    expect(keys).toEqual(Array(2).fill({ name: 'Call of the dashboard', revoked: true }));
  });

  test('tells when a call outside the hours would be made', async () => {
    const pages = await person();
    const ada = await contact();
    const { calling_hours, timezone } = hoursOpeningIn(2);
    await calling.db.query('UPDATE voice_agents SET calling_hours = $2, timezone = $3 WHERE id = $1', [
      caller.agentId,
      JSON.stringify(calling_hours),
      timezone,
    ]);
    const shown = await pages.page(ada.page);
    expect(answerOf(shown)).toMatch(
      /^Not now: it is outside the calling hours of the agent\. The call would wait, and be made at \w{3} /,
    );
    expect(shown).toContain('Call at that time');
  });

  test('tells a refusal with its evidence and its end, and offers no call', async () => {
    const pages = await person();
    const ada = await contact();
    await buildStoredCall(calling.db, caller, ada.phoneNumber, {
      status: 'completed',
      contact_id: ada.id,
      carrier: 'simulator',
      claimed_at: new Date(),
      processed_at: new Date(),
      ended_at: new Date(),
      caller_id: caller.callerNumber,
    });
    const shown = await pages.page(ada.page);
    expect(answerOf(shown)).toMatch(
      /^Not now: the number was called within the last 12 hours\. The call may be made from \w{3} .* on\.$/,
    );
    expect(shown).toContain('data-rule="RECENTLY_CALLED"');
    expect(shown).not.toContain(`action="${ada.page}/call"`);
  });

  test('tells what prevents every call of the agent', async () => {
    const pages = await person();
    const ada = await contact();
    await calling.db.query('UPDATE phone_numbers SET active = false WHERE team_id = $1', [caller.teamId]);
    expect(answerOf(await pages.page(ada.page))).toContain('Not now: the agent has no usable caller ID');
  });

  test('asks for the agent where there are several; another team’s is refused', async () => {
    const pages = await person();
    const ada = await contact();
    const { agentId } = await buildCaller(calling.db);
    const path = `/t/${caller.teamId}`;
    await calling.operated('post', `/teams/${caller.teamId}/voice-agents`, {
      name: 'Second',
      timezone: 'UTC',
      callingHours: null,
    });
    const shown = await pages.page(ada.page);
    expect(shown).toContain('<option value=');
    expect(shown).not.toContain('call-now-answer');
    expect(answerOf(await pages.page(`${ada.page}?agent=${caller.agentId}`))).toContain(
      'Would be called now',
    );
    for (const agent of [agentId, 'x']) {
      const refused = await pages.get(`${ada.page}?agent=${agent}`);
      expect([refused.status, section(refused.text, 'problem')]).toEqual([
        400,
        expect.stringContaining('agent must be a voice agent of the team'),
      ]);
      const fields = { ...(await token(pages)), agent, back: `${path}/contacts/${ada.id}` };
      expect((await pages.post(`${ada.page}/call`, fields)).status).toBe(400);
    }
    expect(await calling.db.query('SELECT FROM call_requests WHERE team_id = $1', [caller.teamId])).toEqual(
      [],
    );
  });

  async function token(pages: Person): Promise<{ formToken: string }> {
    const [, formToken = ''] =
      /name="formToken" value="([^"]*)"/.exec(await pages.page(`/t/${caller.teamId}/numbers`)) ?? [];
    return { formToken };
  }
});

/** As `numberText` of a number of +1. */
const spaced = (e164: string) => e164.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '+1 $1 $2 $3');
