import { type NestExpressApplication } from '@nestjs/platform-express';
import { type DataSource } from 'typeorm';
import { type TeamRole } from '../../src/domain/permissions.js';
import { TEAM_SETTINGS } from '../../src/domain/team-settings.js';
import { section, textOf } from '../operations/operations-client.js';
import { createWorld, type World } from '../support/app.js';
import { insertRow, nextNumber } from '../support/builders.js';
import { buildCaller, type Caller } from '../support/call-builders.js';
import { buildStoredCall } from '../support/number-history.js';
import { signedIn } from '../support/signed-in.js';
import { type Fields, Person } from './person.js';

describe('the settings of a team', () => {
  let world: World;
  let db: DataSource;
  let api: NestExpressApplication;
  let caller: Caller;
  let base: string;
  let path: string;

  beforeAll(async () => {
    world = await createWorld();
    db = world.db;
    api = await world.startApi();
  });
  afterAll(() => world?.close());
  beforeEach(async () => {
    caller = await buildCaller(db, { name: 'Northwind', monthly_call_limit: 1234 });
    base = `/t/${caller.teamId}/settings`;
    path = `${base}/team`;
  });

  async function person(role: TeamRole | 'operator' = 'admin'): Promise<Person> {
    const who = role === 'operator' ? { operator: true } : { teamId: caller.teamId, role };
    return new Person(api, (await signedIn(db, who)).cookie);
  }

  async function team(): Promise<Record<string, unknown>> {
    const [row] = await db.query<Record<string, unknown>[]>('SELECT * FROM teams WHERE id = $1', [
      caller.teamId,
    ]);
    return row ?? {};
  }

  /** The values of the form as a browser sends them, if nothing is touched. */
  function untouched(page: string): Fields {
    const [, form = ''] = page.split(`action="${path}"`);
    const fields: Record<string, string | string[]> = {};
    const values = (tag: string) => /value="([^"]*)"/.exec(tag)?.[1] ?? '';
    for (const [tag, name = ''] of form.matchAll(/<input\b[^>]*\bname="([^"]*)"[^>]*>/g)) {
      const optional = /type="(?:checkbox|radio)"/.test(tag);
      if (optional && !/\schecked/.test(tag)) continue;
      const before = fields[name];
      const value = values(tag).replaceAll('&quot;', '"');
      fields[name] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value];
    }
    for (const [, name = '', options = ''] of form.matchAll(
      /<select\b[^>]*\bname="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g,
    )) {
      fields[name] = /<option value="([^"]*)" selected/.exec(options)?.[1] ?? '';
    }
    return fields;
  }

  /** Sends the form of the page with these changes. */
  async function save(who: Person, changes: Fields) {
    return who.post(path, { ...untouched(await who.page(path)), ...changes });
  }

  const errorOf = (page: string, field: string) =>
    new RegExp(`id="field-${field}-error">([^<]*)`).exec(page)?.[1] ?? '';

  test('every setting has a field for the operator', async () => {
    const page = await (await person('operator')).page(path);
    const fields = TEAM_SETTINGS.filter(({ kind }) => kind.type !== 'compliance');
    for (const { name } of fields) expect(page).toContain(`name="before.${name}"`);
  });

  test('a form that was not touched changes nothing', async () => {
    const operator = await person('operator');
    const before = await team();
    const answer = await save(operator, {});
    expect(textOf(await operator.after(answer))).toContain('Nothing was changed.');
    expect(await team()).toEqual(before);
  });

  test('an operator changes settings of every kind', async () => {
    const operator = await person('operator');
    const answer = await save(operator, {
      name: ' Southgate ',
      timezone: 'America/Denver',
      defaultCountry: 'DE',
      'allowedCountries.mode': 'some',
      allowedCountries: 'us, ca',
      'allowedCarriers.mode': 'some',
      allowedCarriers: ['http', 'simulator'],
      whitelistOnly: 'true',
      monthlyCallLimit: '12,000',
      numberDailyLimit: '3',
      'callRetentionDays.mode': 'days',
      callRetentionDays: '90',
      'eventRetentionDays.mode': 'always',
    });
    expect(answer.status).toBe(303);
    expect(textOf(await operator.after(answer))).toContain('The settings are saved.');
    expect(await team()).toMatchObject({
      name: 'Southgate',
      timezone: 'America/Denver',
      default_country: 'DE',
      allowed_countries: ['US', 'CA'],
      allowed_carriers: ['http', 'simulator'],
      whitelist_only: true,
      monthly_call_limit: 12_000,
      number_daily_limit: 3,
      call_retention_days: 90,
      event_retention_days: 0,
    });
    await save(operator, {
      'allowedCountries.mode': 'every',
      'allowedCarriers.mode': 'every',
      monthlyCallLimit: '',
      'callRetentionDays.mode': 'platform',
    });
    expect(await team()).toMatchObject({
      allowed_countries: null,
      allowed_carriers: null,
      monthly_call_limit: null,
      call_retention_days: null,
    });
  });

  test('what was changed at the same time stays', async () => {
    const admin = await person();
    const fields = untouched(await admin.page(path));
    await db.query('UPDATE teams SET paused = true, number_daily_limit = 9 WHERE id = $1', [caller.teamId]);
    await admin.post(path, { ...fields, numberWeeklyLimit: '20' });
    expect(await team()).toMatchObject({ paused: true, number_daily_limit: 9, number_weekly_limit: 20 });
  });

  test('refused values are named at their fields, what was typed is kept, and nothing is saved', async () => {
    const admin = await person();
    const before = await team();
    const answer = await save(admin, {
      name: '',
      timezone: 'Mars/Base <1>',
      numberDailyLimit: 'a few',
      numberWeeklyLimit: '7',
      'callRetentionDays.mode': 'days',
      callRetentionDays: '5',
    });
    expect(answer.status).toBe(400);
    expect(errorOf(answer.text, 'name')).toBe('Name must not be empty');
    expect(errorOf(answer.text, 'timezone')).toBe(
      'Timezone must be an IANA time zone name, such as Europe/Berlin',
    );
    expect(errorOf(answer.text, 'numberDailyLimit')).toContain(
      'Number daily limit must be a whole number from 0',
    );
    expect(errorOf(answer.text, 'callRetentionDays')).toContain('a whole number from 31');
    expect(answer.text).toMatch(
      /id="field-numberDailyLimit"[^>]*aria-describedby="[^"]*field-numberDailyLimit-error"/,
    );
    expect(answer.text).toMatch(/name="timezone"[^>]*value="Mars\/Base &lt;1>"/);
    expect(answer.text).toMatch(/name="numberDailyLimit"[^>]*value="a few"/);
    expect(answer.text).toMatch(/name="numberWeeklyLimit"[^>]*value="7"/);
    expect(await team()).toEqual(before);
  });

  test('an admin sees the limits of the operator with their use, and cannot change them', async () => {
    await db.query(`INSERT INTO plan_usage (team_id, month, used)
      VALUES ('${caller.teamId}', date_trunc('month', outdial_now() AT TIME ZONE 'UTC')::date, 1200)`);
    const at = new Date();
    await buildStoredCall(db, caller, nextNumber(), {
      status: 'in_progress',
      caller_id: caller.callerNumber,
      claimed_at: at,
      processed_at: at,
    });
    const admin = await person();
    const limits = section(await admin.page(path), 'limits');
    expect(limits).toMatch(/Monthly call limit 1,234 Used this month: 1,200\./);
    expect(limits).toMatch(/Max concurrent calls .* Active now: 1\./);
    const answer = await save(admin, { monthlyCallLimit: '999999' });
    expect(answer.status).toBe(403);
    expect(answer.text).toContain('Only an operator can change “Monthly call limit”');
    expect(await team()).toMatchObject({ monthly_call_limit: 1234 });
  });

  test.each(['viewer', 'manager'] as const)('a %s sees the settings and cannot change them', async (role) => {
    const other = await person(role);
    const page = await other.page(path);
    expect(section(page, 'settings')).toContain('Name Northwind');
    expect(section(page, 'settings')).toContain('As the platform: 395 days');
    expect(page).not.toContain(`action="${path}"`);
    expect(await other.page(`${base}/retention`)).not.toContain('<input name=');
    const [, formToken = ''] = /name="formToken" value="([^"]*)"/.exec(page) ?? [];
    const answer = await other.post(path, { formToken, name: 'Mine' });
    expect(answer.status).toBe(403);
    expect((await other.post(`${base}/retention`, { formToken, callRetentionDays: '31' })).status).toBe(403);
    expect(await team()).toMatchObject({ name: 'Northwind', call_retention_days: null });
  });

  test('settings begin with the team', async () => {
    const answer = await (await person('viewer')).get(base);
    expect([answer.status, answer.headers.location]).toEqual([303, path]);
  });

  test('the page of the retention says what is deleted when, and changes the days', async () => {
    const admin = await person();
    const page = await admin.page(`${base}/retention`);
    expect(section(page, 'kept')).toContain('Imports and their results A week after their end.');
    const answer = await admin.submit(`${base}/retention`, `${base}/retention`, {
      'callRetentionDays.mode': 'days',
      callRetentionDays: '60',
      'eventRetentionDays.mode': 'platform',
    });
    expect(answer.headers.location).toBe(`${base}/retention`);
    expect(await team()).toMatchObject({ call_retention_days: 60, event_retention_days: null });
  });

  test('the page of compliance says in a sentence what each setting means', async () => {
    await db.query(
      `UPDATE teams SET whitelist_only = true, allowed_countries = '{US}', number_daily_limit = 2 WHERE id = $1`,
      [caller.teamId],
    );
    const rules = section(await (await person('viewer')).page(`${base}/compliance`), 'own-rules');
    expect(rules).toContain('Whitelist only Yes Only numbers on the whitelist are called');
    expect(rules).toContain('Allowed countries United States (US) A number of another country is refused,');
    expect(rules).toContain(
      'Number daily limit 2 The maximum number of processed calls to one number in rolling 24 hours.',
    );
    expect(rules).toContain('Retry within redial window No The 12 hours');
  });

  test('what is refused of compliance is named at its field, in the words of the form', async () => {
    const admin = await person();
    const compliance = `${base}/compliance`;
    const send = (fields: Fields) => admin.submit(compliance, compliance, { mode: 'warn', ...fields });
    const refused = await send({ 'kinds.callingHours': 'often' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('<a href="#field-kinds">kinds.callingHours must be one of');
    expect(refused.text).toMatch(/<fieldset class="row refused" id="field-kinds" /);
    expect(errorOf(refused.text, 'kinds')).toContain('kinds.callingHours must be one of off, warn, enforce');
    expect(errorOf((await send({ mode: 'perhaps' })).text, 'mode')).toBe(
      'Mode must be one of off, warn, enforce',
    );
    expect(errorOf((await send({ voice: 'loud' })).text, 'voice')).toContain('Voice must be one of ai');
    const { text } = await send({ 'packs.mode': 'some', packs: 'us, u_s' });
    expect(errorOf(text, 'packs')).toContain('packs[1] must be the name of a pack');
    expect(await team()).toMatchObject({ compliance: {} });
    expect((await send({ 'packs.mode': 'auto' })).status).toBe(303);
    expect(await team()).toMatchObject({ compliance: { mode: 'warn' } });
  });

  test('the page of carriers says which agents may name, and checks one without a call', async () => {
    await db.query(`UPDATE teams SET allowed_carriers = '{simulator}' WHERE id = $1`, [caller.teamId]);
    const manager = await person('manager');
    const carriers = section(await manager.page(`${base}/carriers`), 'carriers');
    expect(carriers).toContain('simulator default configured May be named');
    expect(carriers).toContain('http not configured Cannot be named until the deployment has it');
    const check = `${base}/carriers/check`;
    const answer = await manager.submit(`${base}/carriers`, check);
    expect(answer.status).toBe(200);
    expect(section(answer.text, 'check')).toContain('Check of simulator works');
    const foreign = await manager.submit(`${base}/carriers`, check, { carrier: 'http' });
    expect(foreign.status).toBe(404);
    expect(await (await person('viewer')).page(`${base}/carriers`)).not.toContain(check);
  });

  test('a page of a team that the person is not in does not exist', async () => {
    const { id } = await insertRow<{ id: string }>(db, 'teams', { name: 'Other' });
    const admin = await person();
    for (const page of ['team', 'carriers', 'compliance', 'retention', 'members', 'api-keys']) {
      expect((await admin.get(`/t/${id}/settings/${page}`)).status).toBe(404);
    }
  });

  test('without a session the settings lead to the sign-in page', async () => {
    const answer = await new Person(api, '').get(path);
    expect([answer.status, answer.headers.location]).toEqual([
      303,
      `/login?back=${encodeURIComponent(path)}`,
    ]);
  });
});
