import { randomBytes } from 'node:crypto';
import { type DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import {
  buildApiKey,
  buildCampaign,
  buildContact,
  buildEnrollment,
  buildPhoneNumber,
  buildTeam,
  buildVersion,
  insertRow,
  nextNumber,
} from '../support/builders.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { buildWorld, callOf, enroll, refusedBy, type World } from './world.js';

let database: TestDatabase;
let db: DataSource;

beforeAll(async () => {
  database = await createTestDatabase();
  db = await createDataSource(database.url).initialize();
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

describe('unique are', () => {
  let own: World;

  beforeAll(async () => {
    own = await buildWorld(db);
  });

  test('a number among the contacts of one team', async () => {
    const same = { phone_number: own.contactNumber };
    expect(await refusedBy(buildContact(db, own.team, same))).toBe('uq_contacts_team_number');
    expect(await refusedBy(buildContact(db, (await buildWorld(db)).team, same))).toBeNull();
  });

  test('a number among a team’s phone numbers', async () => {
    const again = buildPhoneNumber(db, own.team, { phone_number: own.number });
    expect(await refusedBy(again)).toBe('uq_phone_numbers_team_number');
  });

  test('a contact in a campaign', async () => {
    await enroll(db, own);
    expect(await refusedBy(enroll(db, own))).toBe('uq_enrollments_entry');
  });

  test('the draft of a campaign, and the number of a version', async () => {
    await buildVersion(db, own.team, own.campaign);
    expect(await refusedBy(buildVersion(db, own.team, own.campaign, { number: 3 }))).toBe(
      'uq_campaign_versions_one_draft',
    );
    expect(await refusedBy(buildVersion(db, own.team, own.campaign, { status: 'published' }))).toBe(
      'uq_campaign_versions_number',
    );
  });

  test('an API key among all teams', async () => {
    const key = { key_hash: randomBytes(32) };
    await buildApiKey(db, own.team, key);
    expect(await refusedBy(buildApiKey(db, (await buildWorld(db)).team, key))).toBe('uq_api_keys_hash');
  });

  test('a number on a list', async () => {
    for (const table of ['do_not_call', 'whitelist']) {
      const entry = { team_id: own.team, phone_number: nextNumber() };
      await insertRow(db, table, entry);
      expect(await refusedBy(insertRow(db, table, entry))).toBe(`pk_${table}`);
    }
  });
});

describe('checked are', () => {
  let own: World;

  beforeAll(async () => {
    own = await buildWorld(db);
  });

  test('states', async () => {
    expect(await refusedBy(callOf(db, own, { status: 'ringing' }))).toBe('ck_call_requests_status');
    expect(await refusedBy(buildCampaign(db, own.team, { status: 'stopped' }))).toBe('ck_campaigns_status');
    expect(await refusedBy(buildVersion(db, own.team, own.campaign, { status: 'current' }))).toBe(
      'ck_campaign_versions_status',
    );
    const enrolled = buildEnrollment(
      db,
      { team_id: own.team, campaign_id: own.campaign, contact_id: own.contact, version_id: own.version },
      { status: 'enrolled' },
    );
    expect(await refusedBy(enrolled)).toBe('ck_enrollments_status');
  });

  test.each(['dialing', 'in_progress', 'completed', 'no_answer', 'busy', 'voicemail', 'dial_unknown'])(
    'a call is %s only after a claim',
    async (status) => {
      expect(await refusedBy(callOf(db, own, { status }))).toBe('ck_call_requests_claim');
      const claim = { claimed_at: new Date(), processed_at: new Date(), caller_id: own.number };
      expect(await refusedBy(callOf(db, own, { status, ...claim }))).toBeNull();
    },
  );

  test.each(['scheduled', 'queued'])('a %s call is neither claimed nor ended', async (status) => {
    for (const column of ['claimed_at', 'ended_at']) {
      expect(await refusedBy(callOf(db, own, { status, [column]: new Date() }))).toBe(
        'ck_call_requests_pending',
      );
    }
  });

  test('numbers are E.164', async () => {
    for (const phone_number of ['4155552671', '+0155552671', '+1 415 555', '+1', '']) {
      expect(await refusedBy(buildContact(db, own.team, { phone_number }))).toBe('ck_contacts_number');
      expect(await refusedBy(buildPhoneNumber(db, own.team, { phone_number }))).toBe('ck_phone_numbers_e164');
    }
  });

  test('limits are not negative, and at least one call at a time is allowed', async () => {
    for (const limit of [
      'monthly_call_limit',
      'number_daily_limit',
      'number_weekly_limit',
      'number_monthly_limit',
    ]) {
      expect(await refusedBy(buildTeam(db, { [limit]: -1 }))).toBe('ck_teams_limits');
      expect(await refusedBy(buildTeam(db, { [limit]: 0 }))).toBeNull();
    }
    expect(await refusedBy(buildTeam(db, { max_concurrent_calls: 0 }))).toBe('ck_teams_limits');
  });

  test('keys are digests, properties and definitions are objects, and settings have one row', async () => {
    expect(await refusedBy(buildApiKey(db, own.team, { key_hash: Buffer.from('plain') }))).toBe(
      'ck_api_keys_hash',
    );
    expect(await refusedBy(buildContact(db, own.team, { custom_properties: '[]' }))).toBe(
      'ck_contacts_custom_properties',
    );
    expect(await refusedBy(buildVersion(db, own.team, own.campaign, { definition: '[]' }))).toBe(
      'ck_campaign_versions_definition',
    );
    expect(await refusedBy(insertRow(db, 'platform_settings', { id: true }))).toBe('pk_platform_settings');
    expect(await refusedBy(insertRow(db, 'platform_settings', { id: false }))).toBe(
      'ck_platform_settings_one_row',
    );
  });
});
