import { type Pool } from 'pg';
import { callsOfBuild } from './calls-of-build.js';
import { truncate } from './truncate.js';

/**
 * Teams and their rows. Teams and contacts are numbered through all groups; contacts go round the group's
 * teams.
 */
export interface Group {
  firstTeam: number;
  teams: number;
  firstContact: number;
  contacts: number;
  /** Calls that ended long ago, one a contact at most. */
  calls: number;
  /** How long ago the youngest of them ended, in days. */
  daysAgo?: number;
  /** Area codes of +1, in turn, of the contacts' numbers; by default that of {@link phoneOf}. */
  areaCodes?: readonly string[];
  /** What every team's plan allows a month; null: no limit. */
  monthlyCallLimit?: number | null;
  maxConcurrentCalls?: number | null;
}

/** All ids and keys follow from a number, so that a statement of pgbench can name them, too. */
export const SQL = {
  team: (n: string) => `md5('team' || ${n})::uuid`,
  agent: (n: string) => `md5('agent' || ${n})::uuid`,
  campaign: (n: string) => `md5('campaign' || ${n})::uuid`,
  keyHash: (n: string) => `sha256(('bench-key-' || ${n})::bytea)`,
  phone: (i: string) => `'+1212' || (2200000 + ${i})`,
};

export const apiKeyOf = (team: number): string => `bench-key-${team}`;
export const phoneOf = (contact: number, areaCodes: readonly string[] = ['212']): string =>
  `+1${areaCodes[contact % areaCodes.length]}${2_200_000 + contact}`;

export const teamOf = (group: Group, contact: number): number =>
  group.firstTeam + ((contact - group.firstContact) % group.teams);

const TABLES = [
  'call_requests',
  'enrollments',
  'contacts',
  'do_not_call',
  'whitelist',
  'plan_usage',
  'idempotency_keys',
  'voice_agents',
  'number_pool_members',
  'number_pools',
  'phone_numbers',
  'api_keys',
  'campaigns',
  'campaign_versions',
  'campaign_counts',
  'campaign_count_changes',
  'teams',
];

/** Replaces all that there is. */
export async function fill(db: Pool, groups: Group[]): Promise<void> {
  const { beside } = await callsOfBuild(db);
  await truncate(db, [...TABLES, ...beside]);
  for (const group of groups) {
    await fillTeams(db, group);
    await fillContacts(db, group);
  }
  await db.query('VACUUM ANALYZE');
}

async function fillTeams(db: Pool, group: Group): Promise<void> {
  const teams = `generate_series(${group.firstTeam}, ${group.firstTeam + group.teams - 1}) AS n`;
  const [monthly, concurrent] = [group.monthlyCallLimit ?? 'NULL', group.maxConcurrentCalls ?? 'NULL'];
  await db.query(
    `INSERT INTO teams (id, name, monthly_call_limit, max_concurrent_calls)
     SELECT ${SQL.team('n')}, 'Team ' || n, ${monthly}, ${concurrent} FROM ${teams}`,
  );
  await db.query(
    `INSERT INTO api_keys (team_id, name, prefix, key_hash)
     SELECT ${SQL.team('n')}, 'Key', 'bench', ${SQL.keyHash('n')} FROM ${teams}`,
  );
  await db.query(
    `INSERT INTO phone_numbers (team_id, phone_number) SELECT ${SQL.team('n')}, '+16502000000' FROM ${teams}`,
  );
  await db.query(
    `INSERT INTO voice_agents (id, team_id, name, timezone, calling_hours, prompt_template, outbound_phone_number)
     SELECT ${SQL.agent('n')}, ${SQL.team('n')}, 'Agent', 'America/New_York',
       (SELECT jsonb_object_agg(day, '[{"start":"00:00","end":"24:00"}]'::jsonb)
        FROM unnest('{monday,tuesday,wednesday,thursday,friday,saturday,sunday}'::text[]) AS day),
       'You call {{contact.name}} of {{contact.companyName}} about {{topic}}.', '+16502000000' FROM ${teams}`,
  );
  await db.query(
    `WITH made AS (
       INSERT INTO campaigns (id, team_id, name, status, current_version_id)
       SELECT ${SQL.campaign('n')}, ${SQL.team('n')}, 'Campaign', 'active', md5('version' || n)::uuid FROM ${teams}
     )
     INSERT INTO campaign_versions (id, team_id, campaign_id, number, status, published_at)
     SELECT md5('version' || n)::uuid, ${SQL.team('n')}, ${SQL.campaign('n')}, 1, 'published', now() FROM ${teams}`,
  );
}

async function fillContacts(
  db: Pool,
  { firstTeam, teams, firstContact, contacts, calls, daysAgo = 2, areaCodes }: Group,
): Promise<void> {
  const team = `(${firstTeam} + (n - ${firstContact}) % ${teams})`;
  const phone =
    areaCodes === undefined
      ? SQL.phone('n')
      : `('+1' || ('{${areaCodes.join(',')}}'::text[])[1 + n % ${areaCodes.length}] || (2200000 + n))`;
  await db.query(
    `INSERT INTO contacts (id, team_id, phone_number, name, email, company_name)
     SELECT md5('contact' || n)::uuid, ${SQL.team(team)}, ${phone}, 'Contact ' || n, 'c' || n || '@example.com',
       'Company ' || n % 1000
     FROM generate_series(${firstContact}, ${firstContact + contacts - 1}) AS n`,
  );
  await db.query(
    `INSERT INTO call_requests (id, team_id, agent_id, contact_id, phone_number, status, accepted_at, runs_at,
       expires_at, woken_at, claimed_at, processed_at, caller_id, ended_at, history)
     SELECT md5('call' || n)::uuid, ${SQL.team(team)}, ${SQL.agent(team)}, md5('contact' || n)::uuid, ${phone},
       'completed', at, at, at + interval '1 day', at, at, at, '+16502000000', at + interval '1 minute',
       jsonb_build_array(jsonb_build_object('at', at, 'from', null, 'to', 'queued', 'cause', 'triggered'))
     FROM generate_series(${firstContact}, ${firstContact + calls - 1}) AS n,
       LATERAL (SELECT now() - interval '${daysAgo} days' - n % 20 * interval '1 day' - n * interval '1 ms' AS at) created`,
  );
}
