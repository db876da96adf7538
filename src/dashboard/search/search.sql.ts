import { type CallState } from '../../domain/call-states.js';
import { beginsWith } from '../../lists/filter-sql.js';

/** The most results of a kind that a page shows. */
export const SHOWN = 20;
const READ = SHOWN + 1;

/** Whether one team is searched, or each of all teams. */
export type Scope = 'team' | 'platform';

/** $1 team; on the platform null. */
const TEAMS: Record<Scope, string> = {
  team: '(SELECT id, name FROM teams WHERE id = $1::uuid)',
  // Indexes begin with the team, so each team is a look-up of its own.
  platform: '(SELECT id, name FROM teams WHERE $1::uuid IS NULL)',
};

interface Found {
  id: string;
  teamId: string;
  team: string;
}

export interface FoundContact extends Found {
  phoneNumber: string;
  name: string | null;
  email: string | null;
  externalId: string | null;
}

export interface FoundNumber {
  teamId: string;
  team: string;
  phoneNumber: string;
  /** Whether it is on the Do Not Call list. */
  listed: boolean;
}

export interface FoundCall extends Found {
  phoneNumber: string;
  status: CallState;
}

/** A campaign or an agent. */
export interface FoundName extends Found {
  name: string;
}

export interface FoundEnrollment extends Found {
  campaignId: string;
  campaign: string;
}

export interface FoundImport extends Found {
  status: string;
  rows: number;
}

/** For each team, at most {@link READ} rows of a table, each read by an index of it. */
const each = (scope: Scope, columns: string, rows: string) => `
  SELECT t.id AS "teamId", t.name AS team, ${columns}
  FROM ${TEAMS[scope]} t CROSS JOIN LATERAL (${rows} LIMIT ${READ}) r
  LIMIT ${READ}`;

const CONTACT = 'r.id, r.phone_number AS "phoneNumber", r.name, r.email, r.external_id AS "externalId"';
const contacts =
  (condition: string, order = '') =>
  (scope: Scope) =>
    each(scope, CONTACT, `SELECT * FROM contacts c WHERE c.team_id = t.id AND ${condition} ${order}`);

const BY_NAME = 'ORDER BY lower(name) USING ~<~';

const ONE = {
  contacts: CONTACT,
  call_requests: 'r.id, r.phone_number AS "phoneNumber", r.status',
  campaigns: 'r.id, r.name',
  voice_agents: 'r.id, r.name',
  enrollments:
    'r.id, r.campaign_id AS "campaignId", (SELECT name FROM campaigns WHERE id = r.campaign_id) AS campaign',
  imports: 'r.id, r.status, r.rows',
};

/** The row with an id. */
const withId = (table: keyof typeof ONE) => (scope: Scope) => `
  SELECT t.id AS "teamId", t.name AS team, ${ONE[table]}
  FROM ${table} r JOIN teams t ON t.id = r.team_id
  WHERE r.id = $2::uuid AND ${scope === 'team' ? 'r.team_id = $1::uuid' : '$1::uuid IS NULL'}`;

/**
 * The look-ups of the search. Each reads rows by an index, at most {@link READ} of a team. $1 team, or null on the
 * platform; $2 what is sought.
 */
export const LOOK_UPS = {
  contactById: withId('contacts'),
  callById: withId('call_requests'),
  campaignById: withId('campaigns'),
  agentById: withId('voice_agents'),
  enrollmentById: withId('enrollments'),
  importById: withId('imports'),
  /** $2 numbers in E.164. */
  contactsByNumber: contacts('c.phone_number = ANY ($2::text[])'),
  /** $2 the last digits, from the last to the first. */
  contactsByLastDigits: contacts(
    `c.erased_at IS NULL AND ${beginsWith('reverse(c.phone_number)', '$2::text')}`,
  ),
  /** $2 e-mail addresses. */
  contactsByEmail: contacts('c.email = ANY ($2::text[])'),
  contactsByExternalId: contacts('c.external_id = $2'),
  /** $2 the beginning of a name. */
  contactsByName: contacts(
    `c.name IS NOT NULL AND ${beginsWith('lower(c.name)', 'lower($2::text)')}`,
    BY_NAME,
  ),
  campaignsByName: (scope: Scope) =>
    each(
      scope,
      ONE.campaigns,
      `SELECT id, name FROM campaigns p WHERE p.team_id = t.id AND ${beginsWith('lower(p.name)', 'lower($2::text)')} ${BY_NAME}`,
    ),
  agentsByName: (scope: Scope) =>
    each(
      scope,
      ONE.voice_agents,
      `SELECT id, name FROM voice_agents a
       WHERE a.team_id = t.id AND a.deleted_at IS NULL AND ${beginsWith('lower(a.name)', 'lower($2::text)')} ${BY_NAME}`,
    ),
  /** Numbers that are not those of contacts: once called, or on the Do Not Call list. $2 numbers in E.164. */
  numbers: (scope: Scope) =>
    each(
      scope,
      'r."phoneNumber", r.listed',
      `SELECT n AS "phoneNumber", d.phone_number IS NOT NULL AS listed
       FROM unnest($2::text[]) n
       LEFT JOIN do_not_call d ON d.team_id = t.id AND d.phone_number = n
       WHERE NOT EXISTS (SELECT FROM contacts c WHERE c.team_id = t.id AND c.phone_number = n)
         AND (d.phone_number IS NOT NULL
           OR EXISTS (SELECT FROM call_requests q WHERE q.team_id = t.id AND q.phone_number = n))`,
    ),
} satisfies Record<string, (scope: Scope) => string>;

export type LookUp = keyof typeof LOOK_UPS;
