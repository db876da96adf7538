import { type MigrationInterface, type QueryRunner } from 'typeorm';

/**
 * Every invariant that other code relies on is a constraint here: one contact per (team, number), one
 * enrollment per (campaign, contact), known states only, and foreign keys that carry `team_id`, so that a row
 * can never point into another team.
 */
export class InitialSchema1763700000000 implements MigrationInterface {
  name = 'InitialSchema1763700000000';

  async up(db: QueryRunner): Promise<void> {
    for (const statement of UP) await db.query(statement);
  }

  async down(db: QueryRunner): Promise<void> {
    for (const statement of DOWN) await db.query(statement);
  }
}

const E164 = String.raw`'^\+[1-9][0-9]{6,14}$'`;

const UP = [
  // The one clock that rules are judged by. A function, so that a test can move it without moving the
  // calendar.
  `CREATE FUNCTION outdial_now() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE
     AS 'SELECT clock_timestamp()'`,

  // Keys of the two advisory locks; everything that decides about a number takes them in this order.
  `CREATE FUNCTION number_lock_key(team uuid, phone_number text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
     AS $$ SELECT hashtextextended(team::text || phone_number, 1) $$`,
  `CREATE FUNCTION team_lock_key(team uuid) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
     AS $$ SELECT hashtextextended(team::text, 2) $$`,

  `CREATE TABLE platform_settings (
     id boolean NOT NULL DEFAULT true,
     paused boolean NOT NULL DEFAULT false,
     CONSTRAINT pk_platform_settings PRIMARY KEY (id),
     CONSTRAINT ck_platform_settings_one_row CHECK (id)
   )`,
  `INSERT INTO platform_settings DEFAULT VALUES`,

  `CREATE TABLE teams (
     id uuid NOT NULL DEFAULT gen_random_uuid(),
     name text NOT NULL,
     timezone text NOT NULL DEFAULT 'UTC',
     default_country text,
     allowed_countries text[],
     whitelist_only boolean NOT NULL DEFAULT false,
     monthly_call_limit integer,
     number_daily_limit integer,
     number_weekly_limit integer,
     number_monthly_limit integer,
     max_concurrent_calls integer,
     paused boolean NOT NULL DEFAULT false,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT pk_teams PRIMARY KEY (id),
     CONSTRAINT ck_teams_limits CHECK (
       monthly_call_limit >= 0 AND number_daily_limit >= 0 AND number_weekly_limit >= 0
       AND number_monthly_limit >= 0 AND max_concurrent_calls >= 1)
   )`,

  `CREATE TABLE api_keys (
     id uuid NOT NULL DEFAULT gen_random_uuid(),
     team_id uuid NOT NULL,
     name text NOT NULL,
     prefix text NOT NULL,
     key_hash bytea NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     revoked_at timestamptz,
     CONSTRAINT pk_api_keys PRIMARY KEY (id),
     CONSTRAINT uq_api_keys_hash UNIQUE (key_hash),
     CONSTRAINT ck_api_keys_hash CHECK (length(key_hash) = 32),
     CONSTRAINT fk_api_keys_team FOREIGN KEY (team_id) REFERENCES teams (id)
   )`,
  `CREATE INDEX ix_api_keys_team ON api_keys (team_id)`,

  `CREATE TABLE phone_numbers (
     id uuid NOT NULL DEFAULT gen_random_uuid(),
     team_id uuid NOT NULL,
     phone_number text NOT NULL,
     active boolean NOT NULL DEFAULT true,
     outbound_enabled boolean NOT NULL DEFAULT true,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT pk_phone_numbers PRIMARY KEY (id),
     CONSTRAINT uq_phone_numbers_team_number UNIQUE (team_id, phone_number),
     CONSTRAINT ck_phone_numbers_e164 CHECK (phone_number ~ ${E164}),
     CONSTRAINT fk_phone_numbers_team FOREIGN KEY (team_id) REFERENCES teams (id)
   )`,

  `CREATE TABLE number_pools (
     id uuid NOT NULL DEFAULT gen_random_uuid(),
     team_id uuid NOT NULL,
     name text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT pk_number_pools PRIMARY KEY (id),
     CONSTRAINT uq_number_pools_team_id UNIQUE (team_id, id),
     CONSTRAINT fk_number_pools_team FOREIGN KEY (team_id) REFERENCES teams (id)
   )`,
  `CREATE TABLE number_pool_members (
     team_id uuid NOT NULL,
     number_pool_id uuid NOT NULL,
     phone_number text NOT NULL,
     CONSTRAINT pk_number_pool_members PRIMARY KEY (number_pool_id, phone_number),
     CONSTRAINT fk_number_pool_members_pool FOREIGN KEY (team_id, number_pool_id)
       REFERENCES number_pools (team_id, id) ON DELETE CASCADE,
     CONSTRAINT fk_number_pool_members_number FOREIGN KEY (team_id, phone_number)
       REFERENCES phone_numbers (team_id, phone_number)
   )`,

  `CREATE TABLE voice_agents (
     id uuid NOT NULL DEFAULT gen_random_uuid(),
     team_id uuid NOT NULL,
     name text NOT NULL,
     timezone text NOT NULL,
     calling_hours jsonb,
     closed_dates text[] NOT NULL DEFAULT '{}',
     prompt_template text NOT NULL DEFAULT '',
     first_message_template text NOT NULL DEFAULT '',
     outbound_phone_number text,
     number_pool_id uuid,
     carrier text,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT pk_voice_agents PRIMARY KEY (id),
     CONSTRAINT uq_voice_agents_team_id UNIQUE (team_id, id),
     CONSTRAINT fk_voice_agents_team FOREIGN KEY (team_id) REFERENCES teams (id),
     CONSTRAINT fk_voice_agents_number FOREIGN KEY (team_id, outbound_phone_number)
       REFERENCES phone_numbers (team_id, phone_number),
     CONSTRAINT fk_voice_agents_pool FOREIGN KEY (team_id, number_pool_id) REFERENCES number_pools (team_id, id)
   )`,

  `CREATE TABLE contacts (
     id uuid NOT NULL DEFAULT gen_random_uuid(),
     team_id uuid NOT NULL,
     phone_number text NOT NULL,
     name text,
     email text,
     company_name text,
     company_website text,
     timezone text,
     custom_properties jsonb NOT NULL DEFAULT '{}',
     created_at timestamptz NOT NULL DEFAULT now(),
     updated_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT pk_contacts PRIMARY KEY (id),
     CONSTRAINT uq_contacts_team_number UNIQUE (team_id, phone_number),
     CONSTRAINT uq_contacts_team_id UNIQUE (team_id, id),
     CONSTRAINT ck_contacts_e164 CHECK (phone_number ~ ${E164}),
     CONSTRAINT ck_contacts_custom_properties CHECK (jsonb_typeof(custom_properties) = 'object'),
     CONSTRAINT fk_contacts_team FOREIGN KEY (team_id) REFERENCES teams (id)
   )`,

  `CREATE TABLE campaigns (
     id uuid NOT NULL DEFAULT gen_random_uuid(),
     team_id uuid NOT NULL,
     name text NOT NULL,
     status text NOT NULL,
     current_version_id uuid NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT pk_campaigns PRIMARY KEY (id),
     CONSTRAINT uq_campaigns_team_id UNIQUE (team_id, id),
     CONSTRAINT ck_campaigns_status CHECK (status IN ('draft', 'active', 'paused', 'archived')),
     CONSTRAINT fk_campaigns_team FOREIGN KEY (team_id) REFERENCES teams (id)
   )`,
  `CREATE TABLE campaign_versions (
     id uuid NOT NULL DEFAULT gen_random_uuid(),
     team_id uuid NOT NULL,
     campaign_id uuid NOT NULL,
     number integer NOT NULL,
     status text NOT NULL,
     definition jsonb NOT NULL DEFAULT '{}',
     created_at timestamptz NOT NULL DEFAULT now(),
     published_at timestamptz,
     CONSTRAINT pk_campaign_versions PRIMARY KEY (id),
     CONSTRAINT uq_campaign_versions_campaign_id UNIQUE (team_id, campaign_id, id),
     CONSTRAINT uq_campaign_versions_number UNIQUE (campaign_id, number),
     CONSTRAINT ck_campaign_versions_status CHECK (status IN ('draft', 'published')),
     CONSTRAINT ck_campaign_versions_definition CHECK (jsonb_typeof(definition) = 'object'),
     CONSTRAINT fk_campaign_versions_campaign FOREIGN KEY (team_id, campaign_id)
       REFERENCES campaigns (team_id, id)
   )`,
  `CREATE UNIQUE INDEX uq_campaign_versions_one_draft ON campaign_versions (campaign_id) WHERE status = 'draft'`,
  // Deferred, because a campaign and its first version refer to each other and are inserted in one
  // transaction.
  `ALTER TABLE campaigns ADD CONSTRAINT fk_campaigns_current_version
     FOREIGN KEY (team_id, id, current_version_id) REFERENCES campaign_versions (team_id, campaign_id, id)
     DEFERRABLE INITIALLY DEFERRED`,

  `CREATE TABLE enrollments (
     id uuid NOT NULL DEFAULT gen_random_uuid(),
     team_id uuid NOT NULL,
     campaign_id uuid NOT NULL,
     contact_id uuid NOT NULL,
     version_id uuid NOT NULL,
     status text NOT NULL DEFAULT 'active',
     source text,
     created_at timestamptz NOT NULL DEFAULT now(),
     updated_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT pk_enrollments PRIMARY KEY (id),
     CONSTRAINT uq_enrollments_campaign_contact UNIQUE (campaign_id, contact_id),
     CONSTRAINT ck_enrollments_status CHECK (status IN ('active', 'paused', 'completed', 'exited', 'failed')),
     CONSTRAINT fk_enrollments_version FOREIGN KEY (team_id, campaign_id, version_id)
       REFERENCES campaign_versions (team_id, campaign_id, id),
     CONSTRAINT fk_enrollments_contact FOREIGN KEY (team_id, contact_id) REFERENCES contacts (team_id, id)
   )`,
  `CREATE INDEX ix_enrollments_contact ON enrollments (team_id, contact_id)`,
  `CREATE INDEX ix_enrollments_version ON enrollments (version_id, status)`,

  `CREATE TABLE do_not_call (
     team_id uuid NOT NULL,
     phone_number text NOT NULL,
     reason text,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT pk_do_not_call PRIMARY KEY (team_id, phone_number),
     CONSTRAINT ck_do_not_call_e164 CHECK (phone_number ~ ${E164}),
     CONSTRAINT fk_do_not_call_team FOREIGN KEY (team_id) REFERENCES teams (id)
   )`,
  `CREATE TABLE whitelist (
     team_id uuid NOT NULL,
     phone_number text NOT NULL,
     created_at timestamptz NOT NULL DEFAULT now(),
     CONSTRAINT pk_whitelist PRIMARY KEY (team_id, phone_number),
     CONSTRAINT ck_whitelist_e164 CHECK (phone_number ~ ${E164}),
     CONSTRAINT fk_whitelist_team FOREIGN KEY (team_id) REFERENCES teams (id)
   )`,

  // Calls counted against a team's plan, kept while the team has a monthly limit. `month` is its first day,
  // UTC.
  `CREATE TABLE plan_usage (
     team_id uuid NOT NULL,
     month date NOT NULL,
     used integer NOT NULL,
     CONSTRAINT pk_plan_usage PRIMARY KEY (team_id, month),
     CONSTRAINT ck_plan_usage_used CHECK (used >= 0),
     CONSTRAINT fk_plan_usage_team FOREIGN KEY (team_id) REFERENCES teams (id)
   )`,

  `CREATE TABLE call_requests (
     id uuid NOT NULL,
     team_id uuid NOT NULL,
     agent_id uuid NOT NULL,
     contact_id uuid NOT NULL,
     phone_number text NOT NULL,
     status text NOT NULL,
     reason text,
     timezone text,
     from_phone_number text,
     number_pool_id uuid,
     variables jsonb NOT NULL DEFAULT '{}',
     accepted_at timestamptz NOT NULL,
     runs_at timestamptz NOT NULL,
     expires_at timestamptz NOT NULL,
     generation integer NOT NULL DEFAULT 0,
     woken_at timestamptz NOT NULL,
     wakes integer NOT NULL DEFAULT 0,
     counted_month date,
     claimed_at timestamptz,
     processed_at timestamptz,
     caller_id text,
     prompt text,
     first_message text,
     unknown_placeholders text[] NOT NULL DEFAULT '{}',
     carrier text,
     carrier_call_id text,
     ended_at timestamptz,
     history jsonb NOT NULL,
     decisions jsonb NOT NULL DEFAULT '[]',
     CONSTRAINT pk_call_requests PRIMARY KEY (id),
     CONSTRAINT ck_call_requests_status CHECK (status IN (
       'scheduled', 'queued', 'dialing', 'in_progress', 'completed', 'no_answer', 'busy', 'voicemail', 'failed',
       'blocked', 'expired', 'canceled', 'dial_unknown')),
     CONSTRAINT ck_call_requests_claim CHECK (
       status NOT IN ('dialing', 'in_progress', 'completed', 'no_answer', 'busy', 'voicemail', 'dial_unknown')
       OR (claimed_at IS NOT NULL AND processed_at IS NOT NULL AND caller_id IS NOT NULL)),
     CONSTRAINT ck_call_requests_pending CHECK (
       status NOT IN ('scheduled', 'queued') OR (claimed_at IS NULL AND ended_at IS NULL)),
     CONSTRAINT fk_call_requests_agent FOREIGN KEY (team_id, agent_id) REFERENCES voice_agents (team_id, id),
     CONSTRAINT fk_call_requests_contact FOREIGN KEY (team_id, contact_id) REFERENCES contacts (team_id, id),
     CONSTRAINT fk_call_requests_pool FOREIGN KEY (team_id, number_pool_id) REFERENCES number_pools (team_id, id)
   )`,
  `CREATE INDEX ix_call_requests_pending_number ON call_requests (team_id, phone_number)
     WHERE status IN ('scheduled', 'queued')`,
  `CREATE INDEX ix_call_requests_processed ON call_requests (team_id, phone_number, processed_at)
     WHERE processed_at IS NOT NULL`,
  `CREATE INDEX ix_call_requests_caller_id ON call_requests (team_id, caller_id, processed_at)
     WHERE processed_at IS NOT NULL`,
  `CREATE INDEX ix_call_requests_due ON call_requests (runs_at) WHERE status IN ('scheduled', 'queued')`,
  `CREATE INDEX ix_call_requests_expiring ON call_requests (expires_at) WHERE status IN ('scheduled', 'queued')`,
  `CREATE INDEX ix_call_requests_unsettled ON call_requests (claimed_at)
     WHERE status IN ('dialing', 'in_progress', 'dial_unknown')`,
  `CREATE INDEX ix_call_requests_listing ON call_requests (team_id, accepted_at, id)`,
  `CREATE INDEX ix_call_requests_number ON call_requests (team_id, phone_number, accepted_at, id)`,
];

const DOWN = [
  'DROP TABLE call_requests',
  'DROP TABLE plan_usage',
  'DROP TABLE whitelist',
  'DROP TABLE do_not_call',
  'DROP TABLE enrollments',
  'ALTER TABLE campaigns DROP CONSTRAINT fk_campaigns_current_version',
  'DROP TABLE campaign_versions',
  'DROP TABLE campaigns',
  'DROP TABLE contacts',
  'DROP TABLE voice_agents',
  'DROP TABLE number_pool_members',
  'DROP TABLE number_pools',
  'DROP TABLE phone_numbers',
  'DROP TABLE api_keys',
  'DROP TABLE teams',
  'DROP TABLE platform_settings',
  'DROP FUNCTION team_lock_key(uuid)',
  'DROP FUNCTION number_lock_key(uuid, text)',
  'DROP FUNCTION outdial_now()',
];
