-- The schema of 1.0: tables, indexes, triggers, grants and first rows, by the room that owns the tables
-- (`src/<room>/`). Functions, also those of the triggers, and the policies of row-level security are in
-- `src/<room>/sql/`. `schema.sql` shows all of it together.
--
-- Every invariant that other code relies on is a constraint here: one contact per (team, number), known states
-- only, and foreign keys that carry `team_id`, so that a row can never point into another team.
--
-- The processes act as the role `outdial_app`, which the migration makes. Each table grants it what they do.

GRANT USAGE ON SCHEMA public TO outdial_app;
-- Readiness compares the migrations that have run with those of the build.
GRANT SELECT ON migrations TO outdial_app;


-- ==== The platform (src/operations, src/calls, src/restore)

-- One row: the pause, the retention of all teams without their own, and the zone data in force.
CREATE TABLE platform_settings (
  id boolean NOT NULL DEFAULT true,
  paused boolean NOT NULL DEFAULT false,
  call_retention_days integer NOT NULL DEFAULT 395,
  event_retention_days integer NOT NULL DEFAULT 7,
  zone_data_version text,
  zone_data_since timestamptz,
  zone_data text,
  zone_data_version_before text,
  zone_data_before text,
  zone_data_moved text,
  CONSTRAINT pk_platform_settings PRIMARY KEY (id),
  CONSTRAINT ck_platform_settings_one_row CHECK (id),
  CONSTRAINT ck_platform_settings_retention CHECK (
    (call_retention_days = 0 OR call_retention_days >= 31) AND event_retention_days >= 0)
);
GRANT SELECT ON platform_settings TO outdial_app;
INSERT INTO platform_settings DEFAULT VALUES;

-- The repairs of each worker’s sweeper since the worker started.
CREATE TABLE sweeper_runs (
  worker text NOT NULL,
  started_at timestamptz NOT NULL,
  ran_at timestamptz NOT NULL,
  duration_ms integer NOT NULL,
  repaired_at timestamptz,
  woken integer NOT NULL,
  expired integer NOT NULL,
  unknown integer NOT NULL,
  resolved integer NOT NULL,
  CONSTRAINT pk_sweeper_runs PRIMARY KEY (worker)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON sweeper_runs TO outdial_app;

-- One row, which the first process writes. By it, a process detects that its database was restored from a
-- backup.
CREATE TABLE database_identity (
  id boolean NOT NULL DEFAULT true,
  system_identifier text,
  database_oid text NOT NULL,
  timeline integer,
  restored_at timestamptz,
  newest_row_at timestamptz,
  CONSTRAINT pk_database_identity PRIMARY KEY (id),
  CONSTRAINT ck_database_identity_one_row CHECK (id)
);
GRANT SELECT ON database_identity TO outdial_app;


-- ==== Teams (src/teams)

-- Their settings and limits. A limit that is null does not limit.
CREATE TABLE teams (
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
  -- Whether a contact was erased: the rules then look for both forms of a number.
  has_erased_numbers boolean NOT NULL DEFAULT false,
  retry_within_redial_window boolean NOT NULL DEFAULT false,
  -- Null: the days of `platform_settings`. 0: without end.
  call_retention_days integer,
  event_retention_days integer,
  accept_unknown_ranges boolean NOT NULL DEFAULT false,
  CONSTRAINT pk_teams PRIMARY KEY (id),
  CONSTRAINT ck_teams_limits CHECK (
    monthly_call_limit >= 0 AND number_daily_limit >= 0 AND number_weekly_limit >= 0 AND number_monthly_limit >= 0
    AND max_concurrent_calls >= 1),
  CONSTRAINT ck_teams_retention CHECK (
    (call_retention_days = 0 OR call_retention_days >= 31) AND event_retention_days >= 0)
);
GRANT SELECT ON teams TO outdial_app;
-- An erasure is the only change of a team by the processes.
GRANT UPDATE (has_erased_numbers) ON teams TO outdial_app;

-- Only the hash of a key is stored.
CREATE TABLE api_keys (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  team_id uuid NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,
  key_hash bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz,
  -- Null: all scopes.
  scopes text[],
  expires_at timestamptz,
  last_used_at timestamptz,
  CONSTRAINT pk_api_keys PRIMARY KEY (id),
  CONSTRAINT uq_api_keys_hash UNIQUE (key_hash),
  CONSTRAINT ck_api_keys_hash CHECK (length(key_hash) = 32),
  CONSTRAINT fk_api_keys_team FOREIGN KEY (team_id) REFERENCES teams (id)
);
CREATE INDEX ix_api_keys_team ON api_keys (team_id);
GRANT SELECT ON api_keys TO outdial_app;


-- ==== Caller IDs (src/phone-numbers)

-- The numbers that a team may call from.
CREATE TABLE phone_numbers (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  team_id uuid NOT NULL,
  phone_number text NOT NULL,
  active boolean NOT NULL DEFAULT true,
  outbound_enabled boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_phone_numbers PRIMARY KEY (id),
  CONSTRAINT uq_phone_numbers_team_number UNIQUE (team_id, phone_number),
  CONSTRAINT ck_phone_numbers_e164 CHECK (phone_number ~ '^\+[1-9][0-9]{6,14}$'),
  CONSTRAINT fk_phone_numbers_team FOREIGN KEY (team_id) REFERENCES teams (id)
);
GRANT SELECT ON phone_numbers TO outdial_app;

-- Sets of them, from which a caller ID is picked.
CREATE TABLE number_pools (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  team_id uuid NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_number_pools PRIMARY KEY (id),
  CONSTRAINT uq_number_pools_team_id UNIQUE (team_id, id),
  CONSTRAINT fk_number_pools_team FOREIGN KEY (team_id) REFERENCES teams (id)
);
GRANT SELECT ON number_pools TO outdial_app;

CREATE TABLE number_pool_members (
  team_id uuid NOT NULL,
  number_pool_id uuid NOT NULL,
  phone_number text NOT NULL,
  CONSTRAINT pk_number_pool_members PRIMARY KEY (number_pool_id, phone_number),
  CONSTRAINT fk_number_pool_members_number FOREIGN KEY (team_id, phone_number)
    REFERENCES phone_numbers (team_id, phone_number),
  CONSTRAINT fk_number_pool_members_pool FOREIGN KEY (team_id, number_pool_id)
    REFERENCES number_pools (team_id, id) ON DELETE CASCADE
);
GRANT SELECT ON number_pool_members TO outdial_app;


-- ==== Voice agents (src/voice-agents)

-- A deleted agent stays for the calls that it made.
CREATE TABLE voice_agents (
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
  carrier_settings jsonb NOT NULL DEFAULT '{}',
  deleted_at timestamptz,
  CONSTRAINT pk_voice_agents PRIMARY KEY (id),
  CONSTRAINT uq_voice_agents_team_id UNIQUE (team_id, id),
  CONSTRAINT ck_voice_agents_carrier_settings CHECK (jsonb_typeof(carrier_settings) = 'object'),
  CONSTRAINT fk_voice_agents_number FOREIGN KEY (team_id, outbound_phone_number)
    REFERENCES phone_numbers (team_id, phone_number),
  CONSTRAINT fk_voice_agents_pool FOREIGN KEY (team_id, number_pool_id)
    REFERENCES number_pools (team_id, id),
  CONSTRAINT fk_voice_agents_team FOREIGN KEY (team_id) REFERENCES teams (id)
);
GRANT SELECT ON voice_agents TO outdial_app;


-- ==== Contacts and erasure (src/contacts, src/erasure)

-- One for each number of a team. An erased contact keeps a hash in place of its number.
CREATE TABLE contacts (
  id uuid NOT NULL DEFAULT uuidv7(),
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
  erased_at timestamptz,
  CONSTRAINT pk_contacts PRIMARY KEY (id),
  CONSTRAINT uq_contacts_team_id UNIQUE (team_id, id),
  CONSTRAINT uq_contacts_team_number UNIQUE (team_id, phone_number),
  CONSTRAINT ck_contacts_custom_properties CHECK (jsonb_typeof(custom_properties) = 'object'),
  CONSTRAINT ck_contacts_number CHECK (phone_number ~ '^(\+[1-9][0-9]{6,14}|erased:[0-9a-f-]{36,64})$'),
  CONSTRAINT fk_contacts_team FOREIGN KEY (team_id) REFERENCES teams (id)
);
CREATE INDEX ix_contacts_changed ON contacts (team_id, updated_at) WHERE erased_at IS NULL;
CREATE INDEX ix_contacts_email ON contacts (team_id, email) WHERE email IS NOT NULL;
CREATE INDEX ix_contacts_listing ON contacts (team_id, created_at, id);
GRANT SELECT, INSERT, UPDATE ON contacts TO outdial_app;

-- A check value of the key under which numbers are erased; no row before the first erasure.
CREATE TABLE erasure_key (
  id boolean NOT NULL DEFAULT true,
  check_value text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_erasure_key PRIMARY KEY (id),
  CONSTRAINT ck_erasure_key_one_row CHECK (id)
);
GRANT SELECT, INSERT ON erasure_key TO outdial_app;


-- ==== Opt-outs (src/suppression)

-- The numbers that a team must not call. Erased numbers stay on it as hashes.
CREATE TABLE do_not_call (
  team_id uuid NOT NULL,
  phone_number text NOT NULL,
  reason text,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_do_not_call PRIMARY KEY (team_id, phone_number),
  CONSTRAINT ck_do_not_call_number CHECK (phone_number ~ '^(\+[1-9][0-9]{6,14}|erased:[0-9a-f-]{36,64})$'),
  CONSTRAINT fk_do_not_call_team FOREIGN KEY (team_id) REFERENCES teams (id)
);
CREATE INDEX ix_do_not_call_listing ON do_not_call (team_id, created_at, phone_number);
CREATE TRIGGER write_event_of_opt_out AFTER INSERT ON do_not_call
  FOR EACH ROW WHEN (NOT starts_with(NEW.phone_number, 'erased:'))
  EXECUTE FUNCTION write_opt_out_event();
GRANT SELECT, INSERT, DELETE ON do_not_call TO outdial_app;

-- The only numbers that a team calls, if its setting says so.
CREATE TABLE whitelist (
  team_id uuid NOT NULL,
  phone_number text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_whitelist PRIMARY KEY (team_id, phone_number),
  CONSTRAINT ck_whitelist_e164 CHECK (phone_number ~ '^\+[1-9][0-9]{6,14}$'),
  CONSTRAINT fk_whitelist_team FOREIGN KEY (team_id) REFERENCES teams (id)
);
GRANT SELECT, DELETE ON whitelist TO outdial_app;


-- ==== Campaigns (src/campaigns)

CREATE TABLE campaigns (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  team_id uuid NOT NULL,
  name text NOT NULL,
  status text NOT NULL,
  current_version_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  pacing jsonb,
  reentry jsonb,
  CONSTRAINT pk_campaigns PRIMARY KEY (id),
  CONSTRAINT uq_campaigns_team_id UNIQUE (team_id, id),
  CONSTRAINT ck_campaigns_status CHECK (status IN ('draft', 'active', 'paused', 'archived')),
  CONSTRAINT fk_campaigns_team FOREIGN KEY (team_id) REFERENCES teams (id)
);
CREATE TRIGGER write_event_of_campaign AFTER UPDATE OF status ON campaigns
  FOR EACH ROW WHEN (OLD.status = 'active' AND NEW.status = 'paused'
    OR OLD.status = 'paused' AND NEW.status = 'active')
  EXECUTE FUNCTION write_campaign_event();
GRANT SELECT ON campaigns TO outdial_app;

-- A published definition never changes; the draft is a version of its own.
CREATE TABLE campaign_versions (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  team_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  number integer NOT NULL,
  status text NOT NULL,
  definition jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now(),
  published_at timestamptz,
  -- Which format validated the definition. Null: a version without a definition places no calls.
  definition_format smallint,
  -- The version to which live enrollments are being moved.
  migrates_to uuid,
  CONSTRAINT pk_campaign_versions PRIMARY KEY (id),
  CONSTRAINT uq_campaign_versions_campaign_id UNIQUE (team_id, campaign_id, id),
  CONSTRAINT uq_campaign_versions_number UNIQUE (campaign_id, number),
  CONSTRAINT ck_campaign_versions_definition CHECK (jsonb_typeof(definition) = 'object'),
  CONSTRAINT ck_campaign_versions_status CHECK (status IN ('draft', 'published')),
  CONSTRAINT fk_campaign_versions_campaign FOREIGN KEY (team_id, campaign_id)
    REFERENCES campaigns (team_id, id)
);
CREATE INDEX ix_campaign_versions_migrating
  ON campaign_versions (campaign_id) WHERE migrates_to IS NOT NULL;
CREATE UNIQUE INDEX uq_campaign_versions_one_draft
  ON campaign_versions (campaign_id) WHERE status = 'draft';
GRANT SELECT ON campaign_versions TO outdial_app;
GRANT UPDATE (migrates_to) ON campaign_versions TO outdial_app;

-- Deferred, because a campaign and its first version refer to each other and are inserted in one transaction.
ALTER TABLE campaigns ADD CONSTRAINT fk_campaigns_current_version
  FOREIGN KEY (team_id, id, current_version_id) REFERENCES campaign_versions (team_id, campaign_id, id)
  DEFERRABLE INITIALLY DEFERRED;

-- A contact in a campaign, at a step of the version that it was enrolled in.
CREATE TABLE enrollments (
  id uuid NOT NULL DEFAULT uuidv7(),
  team_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  version_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'active',
  source text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  step text,
  waiting_for text,
  next_attempt_at timestamptz,
  -- When the engine decides about it next.
  look_at timestamptz DEFAULT now(),
  not_before timestamptz,
  end_reason text,
  ended_at timestamptz,
  timeline jsonb NOT NULL DEFAULT '[]',
  calls jsonb NOT NULL DEFAULT '{}',
  -- Which entry of its contact into the campaign it is.
  entry integer NOT NULL DEFAULT 1,
  -- When the engine does something for it that dials nothing, such as the end of its lifetime.
  settle_at timestamptz,
  dial_rank smallint NOT NULL DEFAULT '2',
  CONSTRAINT pk_enrollments PRIMARY KEY (id),
  CONSTRAINT ck_enrollments_status CHECK (status IN ('active', 'paused', 'completed', 'exited', 'failed')),
  CONSTRAINT fk_enrollments_contact FOREIGN KEY (team_id, contact_id) REFERENCES contacts (team_id, id),
  CONSTRAINT fk_enrollments_version FOREIGN KEY (team_id, campaign_id, version_id)
    REFERENCES campaign_versions (team_id, campaign_id, id)
);
CREATE INDEX ix_enrollments_contact ON enrollments (team_id, contact_id);
CREATE INDEX ix_enrollments_dials
  ON enrollments (campaign_id, dial_rank, look_at, id) WHERE status = 'active' AND look_at IS NOT NULL;
CREATE INDEX ix_enrollments_newest ON enrollments (campaign_id, status, created_at, entry, id);
CREATE INDEX ix_enrollments_newest_waiting
  ON enrollments (campaign_id, waiting_for, created_at, entry, id) WHERE waiting_for IS NOT NULL;
CREATE INDEX ix_enrollments_settling
  ON enrollments (campaign_id, settle_at, id) WHERE status IN ('active', 'paused') AND settle_at IS NOT NULL;
CREATE INDEX ix_enrollments_version ON enrollments (version_id, status);
CREATE UNIQUE INDEX uq_enrollments_entry ON enrollments (campaign_id, contact_id, entry);
CREATE TRIGGER count_inserted AFTER INSERT ON enrollments REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION count_enrollments();
CREATE TRIGGER count_updated AFTER UPDATE ON enrollments REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION count_enrollments();
CREATE TRIGGER write_event_of_ended_enrollment AFTER UPDATE OF status ON enrollments
  FOR EACH ROW WHEN (OLD.status IN ('active', 'paused') AND NEW.status NOT IN ('active', 'paused'))
  EXECUTE FUNCTION write_enrollment_event();
CREATE TRIGGER write_events_of_new_enrollments AFTER INSERT ON enrollments REFERENCING NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION write_events_of_new_enrollments();
GRANT SELECT, INSERT, UPDATE ON enrollments TO outdial_app;

-- The calls of each enrollment. No foreign key names the call, which retention removes.
CREATE TABLE enrollment_dials (
  enrollment_id uuid NOT NULL,
  seq integer NOT NULL,
  team_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  call_request_id uuid NOT NULL,
  step text NOT NULL,
  callback boolean NOT NULL DEFAULT false,
  claimed_at timestamptz NOT NULL,
  CONSTRAINT pk_enrollment_dials PRIMARY KEY (enrollment_id, seq),
  CONSTRAINT fk_enrollment_dials_campaign FOREIGN KEY (team_id, campaign_id)
    REFERENCES campaigns (team_id, id)
);
CREATE INDEX ix_enrollment_dials_campaign ON enrollment_dials (campaign_id, claimed_at);
GRANT SELECT, INSERT ON enrollment_dials TO outdial_app;

-- How many enrollments of each kind a campaign has. The triggers of `enrollments` add changes, and a worker
-- folds these into the counts.
CREATE TABLE campaign_counts (
  campaign_id uuid NOT NULL,
  version_id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  team_id uuid NOT NULL,
  n integer NOT NULL,
  CONSTRAINT pk_campaign_counts PRIMARY KEY (campaign_id, version_id, kind, name)
);
GRANT SELECT ON campaign_counts TO outdial_app;

CREATE TABLE campaign_count_changes (
  campaign_id uuid NOT NULL,
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  version_id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  team_id uuid NOT NULL,
  n integer NOT NULL,
  CONSTRAINT pk_campaign_count_changes PRIMARY KEY (campaign_id, id)
);
GRANT SELECT ON campaign_count_changes TO outdial_app;


-- ==== Calls (src/dialing, src/teams)

-- One intent to call one number. The row decides; jobs in Redis only wake it. Space for the next versions of
-- a row is kept beside it.
CREATE TABLE call_requests (
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
  -- The generation whose jobs may act on the call.
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
  answered_at timestamptz,
  duration_seconds integer,
  waiting_since timestamptz,
  -- When a concurrency slot was offered to it.
  line_offered_at timestamptz,
  first_runs_at timestamptz,
  enrollment_id uuid,
  -- -1 scheduled, 0 queued, 1 under way, 2 ended. Indexes hold it instead of the status, so that a report
  -- of a call changes no index.
  phase smallint NOT NULL,
  CONSTRAINT pk_call_requests PRIMARY KEY (id),
  CONSTRAINT ck_call_requests_claim CHECK (
    status NOT IN ('dialing', 'in_progress', 'completed', 'no_answer', 'busy', 'voicemail', 'dial_unknown')
    OR claimed_at IS NOT NULL AND processed_at IS NOT NULL AND caller_id IS NOT NULL),
  CONSTRAINT ck_call_requests_pending CHECK (
    status NOT IN ('scheduled', 'queued') OR claimed_at IS NULL AND ended_at IS NULL),
  CONSTRAINT ck_call_requests_status CHECK (status IN (
    'scheduled', 'queued', 'dialing', 'in_progress', 'completed', 'no_answer', 'busy', 'voicemail', 'failed',
    'blocked', 'expired', 'canceled', 'dial_unknown')),
  CONSTRAINT fk_call_requests_agent FOREIGN KEY (team_id, agent_id) REFERENCES voice_agents (team_id, id),
  CONSTRAINT fk_call_requests_contact FOREIGN KEY (team_id, contact_id) REFERENCES contacts (team_id, id),
  CONSTRAINT fk_call_requests_pool FOREIGN KEY (team_id, number_pool_id)
    REFERENCES number_pools (team_id, id)
) WITH (fillfactor = 70);
-- Without the team: otherwise Postgres might prefer the index of the team’s list.
CREATE INDEX ix_call_requests_agent ON call_requests (agent_id, accepted_at, id);
CREATE INDEX ix_call_requests_awake
  ON call_requests (runs_at, id) WHERE phase <= 0 AND (waiting_since IS NULL OR line_offered_at IS NOT NULL);
-- The second condition keeps Postgres from using it instead of the index by number.
CREATE INDEX ix_call_requests_caller_id
  ON call_requests (team_id, caller_id, processed_at) WHERE processed_at IS NOT NULL AND caller_id IS NOT NULL;
CREATE INDEX ix_call_requests_ended ON call_requests (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX ix_call_requests_listing ON call_requests (team_id, accepted_at, id);
CREATE INDEX ix_call_requests_numbers ON call_requests (team_id, phone_number, phase, processed_at);
-- `generation >= 0` is always true. It keeps Postgres from using the index for one number.
CREATE INDEX ix_call_requests_pending
  ON call_requests (team_id, expires_at, phase) WHERE phase <= 0 AND generation >= 0;
CREATE INDEX ix_call_requests_slotless
  ON call_requests (team_id, runs_at, id) WHERE phase <= 0 AND waiting_since IS NOT NULL;
CREATE INDEX ix_call_requests_under_way
  ON call_requests (team_id, claimed_at) WHERE phase = 1 AND generation >= 0;
CREATE TRIGGER forget_details_of_erased_call AFTER UPDATE OF phone_number, status ON call_requests
  FOR EACH ROW WHEN (starts_with(NEW.phone_number, 'erased:'))
  EXECUTE FUNCTION forget_details_of_erased_call();
-- For statements that do not say the phase, such as a correction by hand.
CREATE TRIGGER say_phase_of_moved_call AFTER UPDATE OF status, phase ON call_requests
  FOR EACH ROW WHEN (NEW.phase <> CASE NEW.status
    WHEN 'scheduled' THEN -1 WHEN 'queued' THEN 0
    WHEN 'dialing' THEN 1 WHEN 'in_progress' THEN 1 WHEN 'dial_unknown' THEN 1 ELSE 2 END)
  EXECUTE FUNCTION say_phase_of_moved_call();
CREATE TRIGGER say_phase_of_new_call BEFORE INSERT ON call_requests
  FOR EACH ROW WHEN (NEW.phase IS NULL)
  EXECUTE FUNCTION say_phase_of_new_call();
CREATE TRIGGER write_event_of_moved_call AFTER UPDATE OF status, runs_at ON call_requests
  FOR EACH ROW WHEN (NEW.status NOT IN ('queued', 'dialing')
    AND (OLD.status <> NEW.status OR NEW.status = 'scheduled' AND OLD.runs_at <> NEW.runs_at))
  EXECUTE FUNCTION write_call_event();
CREATE TRIGGER write_event_of_new_call AFTER INSERT ON call_requests
  FOR EACH ROW WHEN (NEW.status = 'scheduled')
  EXECUTE FUNCTION write_call_event();
GRANT SELECT, INSERT, UPDATE ON call_requests TO outdial_app;

-- Decisions, prompts and variables, apart from the row that each transition writes. `make_call_months` makes the
-- partitions, one a month by the time in the id.
CREATE TABLE call_details (
  id uuid NOT NULL,
  generation integer NOT NULL,
  team_id uuid NOT NULL,
  decision jsonb,
  prompt text,
  first_message text,
  variables jsonb,
  CONSTRAINT pk_call_details PRIMARY KEY (id, generation)
) PARTITION BY RANGE (id);
GRANT SELECT, INSERT, UPDATE ON call_details TO outdial_app;

-- Calls counted against a team’s monthly limit: the sum of its shards, so that concurrent calls do not wait for
-- one row.
CREATE TABLE plan_usage (
  team_id uuid NOT NULL,
  -- Its first day, UTC.
  month date NOT NULL,
  -- May be below zero: a call may be uncounted in another shard than it was counted in.
  used integer NOT NULL,
  shard integer NOT NULL DEFAULT 0,
  CONSTRAINT pk_plan_usage PRIMARY KEY (team_id, month, shard),
  CONSTRAINT fk_plan_usage_team FOREIGN KEY (team_id) REFERENCES teams (id)
);
GRANT SELECT, INSERT, UPDATE ON plan_usage TO outdial_app;


-- ==== Results (src/results)

-- What was found out in calls. Apart from the calls, because most have none. No foreign key names the call:
-- calls are removed in batches, and their results with them.
CREATE TABLE call_results (
  call_request_id uuid NOT NULL,
  team_id uuid NOT NULL,
  disposition text,
  callback_at timestamptz,
  opt_out boolean NOT NULL,
  data jsonb,
  recorded_at timestamptz NOT NULL,
  CONSTRAINT pk_call_results PRIMARY KEY (call_request_id),
  CONSTRAINT ck_call_results_data CHECK (data IS NULL OR jsonb_typeof(data) = 'object'),
  CONSTRAINT fk_call_results_team FOREIGN KEY (team_id) REFERENCES teams (id)
);
CREATE TRIGGER write_event_of_result AFTER INSERT ON call_results
  FOR EACH ROW EXECUTE FUNCTION write_result_event();
GRANT SELECT, INSERT, UPDATE ON call_results TO outdial_app;


-- ==== Idempotency (src/idempotency)

-- The answers that a repeated `Idempotency-Key` gets again.
CREATE TABLE idempotency_keys (
  team_id uuid NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  status smallint NOT NULL,
  body json NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT pk_idempotency_keys PRIMARY KEY (team_id, key),
  CONSTRAINT ck_idempotency_keys_fingerprint CHECK (length(fingerprint) = 32),
  CONSTRAINT fk_idempotency_keys_team FOREIGN KEY (team_id) REFERENCES teams (id)
);
CREATE INDEX ix_idempotency_keys_created ON idempotency_keys (created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO outdial_app;


-- ==== Events and webhooks (src/events)

-- The outbox: triggers write events in the transaction of the change. Only an erasure changes one.
CREATE TABLE events (
  position bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  type text NOT NULL,
  at timestamptz NOT NULL,
  -- A hash of the team and the number, by which an erasure finds the event.
  subject bigint,
  -- Null if the columns below describe the call.
  data jsonb,
  call_id uuid,
  agent_id uuid,
  enrollment_id uuid,
  accepted_at timestamptz,
  status text,
  reason text,
  runs_at timestamptz,
  expires_at timestamptz,
  contact_id uuid,
  phone_number text,
  caller_id text,
  answered_at timestamptz,
  ended_at timestamptz,
  duration_seconds integer,
  unknown_placeholders text[],
  CONSTRAINT pk_events PRIMARY KEY (position)
) WITH (fillfactor = 100);
CREATE INDEX ix_events_subject ON events (subject) WHERE subject IS NOT NULL;
GRANT SELECT, INSERT, UPDATE ON events TO outdial_app;

-- The numbers of a team’s events: those of `positions` end with `last`.
CREATE TABLE event_batches (
  team_id uuid NOT NULL,
  last bigint NOT NULL,
  positions bigint[] NOT NULL,
  CONSTRAINT pk_event_batches PRIMARY KEY (team_id, last)
);
GRANT SELECT ON event_batches TO outdial_app;

-- How far a team’s events are numbered and removed.
CREATE TABLE event_sequences (
  team_id uuid NOT NULL,
  last bigint NOT NULL,
  removed_through bigint NOT NULL,
  CONSTRAINT pk_event_sequences PRIMARY KEY (team_id),
  CONSTRAINT fk_event_sequences_team FOREIGN KEY (team_id) REFERENCES teams (id)
) WITH (fillfactor = 50);
GRANT SELECT ON event_sequences TO outdial_app;

-- Ranges of positions in which events without a number may be.
CREATE TABLE event_gaps (
  first bigint NOT NULL,
  last bigint NOT NULL,
  -- The transaction that found the gap. Null: the gap behind the highest position.
  found_by bigint,
  CONSTRAINT pk_event_gaps PRIMARY KEY (first)
);
INSERT INTO event_gaps (first, last) VALUES (1, 9223372036854775807);

CREATE TABLE webhook_endpoints (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  team_id uuid NOT NULL,
  url text NOT NULL,
  types text[],
  description text,
  secret text NOT NULL,
  previous_secret text,
  previous_until timestamptz,
  disabled_at timestamptz,
  disabled_reason text,
  failing_since timestamptz,
  held_until timestamptz,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT pk_webhook_endpoints PRIMARY KEY (id),
  CONSTRAINT ck_webhook_endpoints_disabled CHECK ((disabled_at IS NULL) = (disabled_reason IS NULL)),
  CONSTRAINT ck_webhook_endpoints_types CHECK (cardinality(types) > 0),
  CONSTRAINT fk_webhook_endpoints_team FOREIGN KEY (team_id) REFERENCES teams (id)
);
CREATE INDEX ix_webhook_endpoints_disabled ON webhook_endpoints (disabled_at) WHERE disabled_at IS NOT NULL;
CREATE INDEX ix_webhook_endpoints_failing
  ON webhook_endpoints (failing_since) WHERE failing_since IS NOT NULL;
CREATE INDEX ix_webhook_endpoints_team ON webhook_endpoints (team_id);
GRANT SELECT, INSERT, UPDATE ON webhook_endpoints TO outdial_app;

CREATE TABLE webhook_deliveries (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  event_id uuid NOT NULL,
  position bigint,
  sequence bigint,
  subject bigint,
  type text NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  attempts integer NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  next_at timestamptz,
  claimed_until timestamptz,
  attempted_at timestamptz,
  response_code integer,
  answer text,
  error text,
  duration_ms integer,
  created_at timestamptz NOT NULL,
  bulk boolean NOT NULL DEFAULT false,
  CONSTRAINT pk_webhook_deliveries PRIMARY KEY (id),
  CONSTRAINT uq_webhook_deliveries_event UNIQUE (endpoint_id, event_id),
  CONSTRAINT ck_webhook_deliveries_due CHECK ((status = 'pending') = (next_at IS NOT NULL)),
  CONSTRAINT ck_webhook_deliveries_status CHECK (status IN ('pending', 'delivered', 'failed'))
) WITH (fillfactor = 80);
CREATE INDEX ix_webhook_deliveries_pending
  ON webhook_deliveries (endpoint_id, bulk, next_at) WHERE status = 'pending';
CREATE INDEX ix_webhook_deliveries_subject ON webhook_deliveries (subject) WHERE subject IS NOT NULL;
GRANT SELECT, INSERT, UPDATE ON webhook_deliveries TO outdial_app;


-- ==== Imports (src/imports)

CREATE TABLE imports (
  id uuid NOT NULL DEFAULT uuidv7(),
  team_id uuid NOT NULL,
  status text NOT NULL,
  mode text NOT NULL,
  campaign_id uuid,
  version_id uuid,
  rows integer NOT NULL DEFAULT 0,
  next_row integer NOT NULL DEFAULT 1,
  created integer NOT NULL DEFAULT 0,
  updated integer NOT NULL DEFAULT 0,
  enrolled integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  error text,
  created_at timestamptz NOT NULL,
  finished_at timestamptz,
  leased_until timestamptz,
  worked_at timestamptz,
  mapping json,
  strict boolean NOT NULL DEFAULT false,
  warned integer NOT NULL DEFAULT 0,
  without_timezone integer NOT NULL DEFAULT 0,
  repeated_numbers integer NOT NULL DEFAULT 0,
  countries jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT pk_imports PRIMARY KEY (id),
  CONSTRAINT uq_imports_team_id UNIQUE (team_id, id),
  CONSTRAINT ck_imports_finished CHECK ((finished_at IS NULL) = (status IN ('staging', 'running'))),
  CONSTRAINT ck_imports_mode CHECK (mode IN ('create', 'upsert')),
  CONSTRAINT ck_imports_status CHECK (status IN ('staging', 'running', 'finished', 'canceled', 'failed')),
  CONSTRAINT fk_imports_team FOREIGN KEY (team_id) REFERENCES teams (id)
);
CREATE INDEX ix_imports_finished ON imports (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX ix_imports_listing ON imports (team_id, created_at, id);
CREATE INDEX ix_imports_open ON imports (team_id, created_at, id) WHERE status IN ('staging', 'running');
CREATE UNIQUE INDEX uq_imports_staging ON imports (team_id) WHERE status = 'staging';
CREATE TRIGGER write_event_of_import AFTER UPDATE OF status ON imports
  FOR EACH ROW WHEN (OLD.status <> NEW.status AND NEW.finished_at IS NOT NULL)
  EXECUTE FUNCTION write_import_event();
GRANT SELECT, INSERT, UPDATE ON imports TO outdial_app;

-- Uploaded rows that wait.
CREATE TABLE import_chunks (
  import_id uuid NOT NULL,
  first_row integer NOT NULL,
  team_id uuid NOT NULL,
  rows integer NOT NULL,
  data text NOT NULL,
  endings integer[] NOT NULL,
  CONSTRAINT pk_import_chunks PRIMARY KEY (import_id, first_row),
  CONSTRAINT fk_import_chunks_import FOREIGN KEY (team_id, import_id) REFERENCES imports (team_id, id)
);
CREATE INDEX ix_import_chunks_team ON import_chunks (team_id, import_id, first_row);
GRANT SELECT, INSERT, UPDATE, DELETE ON import_chunks TO outdial_app;

-- The results of each batch of rows.
CREATE TABLE import_results (
  import_id uuid NOT NULL,
  first_row integer NOT NULL,
  team_id uuid NOT NULL,
  failed integer NOT NULL,
  results json NOT NULL,
  failed_rows json,
  endings integer[],
  CONSTRAINT pk_import_results PRIMARY KEY (import_id, first_row),
  CONSTRAINT fk_import_results_import FOREIGN KEY (team_id, import_id) REFERENCES imports (team_id, id)
);
CREATE INDEX ix_import_results_failed
  ON import_results (team_id, import_id, first_row) WHERE endings IS NOT NULL;
GRANT SELECT, INSERT, UPDATE ON import_results TO outdial_app;

-- The contacts of a running import. No foreign keys: they would cost as much as the row itself.
CREATE TABLE import_contacts (
  import_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  team_id uuid NOT NULL,
  CONSTRAINT pk_import_contacts PRIMARY KEY (import_id, contact_id)
);
GRANT SELECT, INSERT ON import_contacts TO outdial_app;
