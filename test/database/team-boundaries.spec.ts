import { randomUUID } from 'node:crypto';
import { type DataSource } from 'typeorm';
import { createDataSource } from '../../src/database/data-source.js';
import {
  buildAgent,
  buildApiKey,
  buildCampaign,
  buildCarrierAccount,
  buildConsent,
  buildContact,
  buildImport,
  buildPhoneNumber,
  buildVersion,
  insertRow,
  type Row,
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

describe('a row cannot refer to another team', () => {
  let own: World;
  let foreign: World;

  beforeAll(async () => {
    own = await buildWorld(db);
    foreign = await buildWorld(db);
  });

  const limited = ({ team, contactNumber }: World, row: Row) =>
    insertRow(db, 'limited_do_not_call', {
      team_id: team,
      phone_number: contactNumber,
      effective_from: new Date(),
      ...row,
    });

  const crossings: [string, () => Promise<unknown>][] = [
    [
      'fk_number_pool_members_pool',
      () =>
        insertRow(db, 'number_pool_members', {
          team_id: own.team,
          number_pool_id: foreign.pool,
          phone_number: own.number,
        }),
    ],
    [
      'fk_number_pool_members_number',
      () =>
        insertRow(db, 'number_pool_members', {
          team_id: own.team,
          number_pool_id: own.pool,
          phone_number: foreign.number,
        }),
    ],
    ['fk_voice_agents_number', () => buildAgent(db, own.team, { outbound_phone_number: foreign.number })],
    ['fk_voice_agents_pool', () => buildAgent(db, own.team, { number_pool_id: foreign.pool })],
    [
      'fk_voice_agents_account',
      async () => {
        const { id } = await buildCarrierAccount(db, foreign.team);
        return buildAgent(db, own.team, { carrier_account_id: id });
      },
    ],
    [
      'fk_carrier_account_turns_account',
      async () => {
        const { id } = await buildCarrierAccount(db, foreign.team);
        return insertRow(db, 'carrier_account_turns', { account_id: id, team_id: own.team });
      },
    ],
    ['fk_campaign_versions_campaign', () => buildVersion(db, own.team, foreign.campaign)],
    [
      'fk_campaigns_current_version',
      () =>
        db.query('UPDATE campaigns SET current_version_id = $1 WHERE id = $2', [
          foreign.version,
          own.campaign,
        ]),
    ],
    [
      'fk_campaign_states_campaign',
      () =>
        insertRow(db, 'campaign_states', {
          campaign_id: foreign.campaign,
          team_id: own.team,
          enrolled: 0,
          since: new Date(),
        }),
    ],
    ['fk_enrollments_version', () => enroll(db, own, { campaign: foreign.campaign })],
    ['fk_enrollments_version', () => enroll(db, own, { version: foreign.version })],
    ['fk_enrollments_contact', () => enroll(db, own, { contact: foreign.contact })],
    [
      'fk_enrollment_dials_campaign',
      () =>
        insertRow(db, 'enrollment_dials', {
          enrollment_id: own.contact,
          seq: 1,
          team_id: own.team,
          campaign_id: foreign.campaign,
          call_request_id: own.contact,
          step: 'first',
          claimed_at: new Date(),
        }),
    ],
    [
      'fk_import_chunks_import',
      async () =>
        insertRow(db, 'import_chunks', {
          import_id: (await buildImport(db, foreign.team)).id,
          team_id: own.team,
          first_row: 9,
          rows: 1,
          data: '[]',
          endings: [],
        }),
    ],
    [
      'fk_import_results_import',
      async () =>
        insertRow(db, 'import_results', {
          import_id: (await buildImport(db, foreign.team)).id,
          team_id: own.team,
          first_row: 9,
          failed: 0,
          results: '[]',
        }),
    ],
    [
      'fk_limited_do_not_call_campaign',
      () => limited(own, { scope: 'campaign', campaign_id: foreign.campaign }),
    ],
    ['fk_limited_do_not_call_agent', () => limited(own, { scope: 'agent', agent_id: foreign.agent })],
    [
      'fk_consent_endings_consent',
      async () => {
        const { id } = await buildConsent(db, foreign.team);
        return insertRow(db, 'consent_endings', {
          team_id: own.team,
          phone_number: own.contactNumber,
          consent_id: id,
          ended_at: new Date(),
          created_at: new Date(),
        });
      },
    ],
    ['fk_call_requests_agent', () => callOf(db, own, { agent_id: foreign.agent })],
    ['fk_call_requests_contact', () => callOf(db, own, { contact_id: foreign.contact })],
    ['fk_call_requests_pool', () => callOf(db, own, { number_pool_id: foreign.pool })],
  ];

  test.each(crossings)('%s', async (constraint, attempt) => {
    expect(await refusedBy(attempt())).toBe(constraint);
  });

  test('every foreign key between tables of teams contains the team', async () => {
    const keys = await db.query<{ name: string }[]>(
      `SELECT conname AS name FROM pg_constraint
       WHERE contype = 'f' AND connamespace = 'public'::regnamespace
         -- A person may be in several teams.
         AND confrelid NOT IN ('teams'::regclass, 'users'::regclass)`,
    );
    const proven = new Set(crossings.map(([constraint]) => constraint));
    expect(keys.map((key) => key.name).sort()).toEqual([...proven].sort());
  });

  test('a row of the own team can be referred to', async () => {
    await insertRow(db, 'number_pool_members', {
      team_id: own.team,
      number_pool_id: own.pool,
      phone_number: own.number,
    });
    await buildAgent(db, own.team, { outbound_phone_number: own.number, number_pool_id: own.pool });
    await enroll(db, own);
    await callOf(db, own, { number_pool_id: own.pool });
  });
});

test('a campaign cannot have another campaign’s version, even of its own team', async () => {
  const own = await buildWorld(db);
  const other = await buildCampaign(db, own.team);
  const publish = db.query('UPDATE campaigns SET current_version_id = $1 WHERE id = $2', [
    other.current_version_id,
    own.campaign,
  ]);
  expect(await refusedBy(publish)).toBe('fk_campaigns_current_version');
});

test('rows of an unknown team are refused', async () => {
  const unknown = randomUUID();
  expect(await refusedBy(buildContact(db, unknown))).toBe('fk_contacts_team');
  expect(await refusedBy(buildApiKey(db, unknown))).toBe('fk_api_keys_team');
  expect(await refusedBy(buildPhoneNumber(db, unknown))).toBe('fk_phone_numbers_team');
});
