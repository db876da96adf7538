-- The schema that all migrations make together, for reading. `npm run schema` writes this file;
-- nothing runs it. `the_owner` stands for the role that migrates.


CREATE TABLE access_links (
  token_hash bytea NOT NULL,
  kind text NOT NULL,
  user_id uuid,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT pk_access_links PRIMARY KEY (token_hash),
  CONSTRAINT fk_access_links_user FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT ck_access_links_kind CHECK ((kind = ANY (ARRAY['welcome'::text, 'invite'::text, 'reset'::text]))),
  CONSTRAINT ck_access_links_token CHECK ((length(token_hash) = 32)),
  CONSTRAINT ck_access_links_user CHECK (((user_id IS NULL) = (kind = 'welcome'::text)))
);
CREATE INDEX ix_access_links_user ON public.access_links USING btree (user_id);
CREATE TRIGGER audit_changed_row AFTER UPDATE ON public.access_links FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION audit_change('access_link', 'user_id', '', 'user_id,token_hash');
CREATE TRIGGER audit_row AFTER INSERT OR DELETE ON public.access_links FOR EACH ROW EXECUTE FUNCTION audit_change('access_link', 'user_id', '', 'user_id,token_hash');

CREATE TABLE api_keys (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  team_id uuid NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,
  key_hash bytea NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  revoked_at timestamp with time zone,
  scopes text[],
  expires_at timestamp with time zone,
  last_used_at timestamp with time zone,
  CONSTRAINT uq_api_keys_hash UNIQUE (key_hash),
  CONSTRAINT pk_api_keys PRIMARY KEY (id),
  CONSTRAINT fk_api_keys_team FOREIGN KEY (team_id) REFERENCES teams(id),
  CONSTRAINT ck_api_keys_hash CHECK ((length(key_hash) = 32))
);
ALTER TABLE api_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE api_keys FORCE ROW LEVEL SECURITY;
CREATE INDEX ix_api_keys_team ON public.api_keys USING btree (team_id);
CREATE TRIGGER audit_changed_row AFTER UPDATE ON public.api_keys FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION audit_change('api_key', 'id', 'key_hash', 'id,last_used_at');
CREATE TRIGGER audit_row AFTER INSERT OR DELETE ON public.api_keys FOR EACH ROW EXECUTE FUNCTION audit_change('api_key', 'id', 'key_hash', 'id,last_used_at');
CREATE POLICY every_team ON api_keys FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON api_keys FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT SELECT ON api_keys TO outdial_app;

CREATE TABLE audit_log (
  id bigint NOT NULL,
  at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  actor_kind text NOT NULL,
  actor_id uuid,
  actor_name text,
  address text,
  team_id uuid,
  action text NOT NULL,
  target_type text NOT NULL,
  target_id text,
  before jsonb,
  after jsonb,
  CONSTRAINT pk_audit_log PRIMARY KEY (id),
  CONSTRAINT ck_audit_log_actor CHECK ((actor_kind = ANY (ARRAY['user'::text, 'key'::text, 'token'::text, 'cli'::text, 'system'::text])))
);
ALTER TABLE audit_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_log FORCE ROW LEVEL SECURITY;
CREATE INDEX ix_audit_log_at ON public.audit_log USING btree (at);
CREATE INDEX ix_audit_log_team ON public.audit_log USING btree (team_id, id);
CREATE TRIGGER keep_audit_log BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_log();
CREATE POLICY every_team ON audit_log FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON audit_log FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT SELECT ON audit_log TO outdial_app;

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
ALTER TABLE call_details ENABLE ROW LEVEL SECURITY;
ALTER TABLE call_details FORCE ROW LEVEL SECURITY;
CREATE POLICY every_team ON call_details FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON call_details FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT INSERT, SELECT, UPDATE ON call_details TO outdial_app;

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
  variables jsonb NOT NULL DEFAULT '{}'::jsonb,
  accepted_at timestamp with time zone NOT NULL,
  runs_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  generation integer NOT NULL DEFAULT 0,
  woken_at timestamp with time zone NOT NULL,
  wakes integer NOT NULL DEFAULT 0,
  counted_month date,
  claimed_at timestamp with time zone,
  processed_at timestamp with time zone,
  caller_id text,
  prompt text,
  first_message text,
  unknown_placeholders text[] NOT NULL DEFAULT '{}'::text[],
  carrier text,
  carrier_call_id text,
  ended_at timestamp with time zone,
  history jsonb NOT NULL,
  decisions jsonb NOT NULL DEFAULT '[]'::jsonb,
  answered_at timestamp with time zone,
  duration_seconds integer,
  waiting_since timestamp with time zone,
  line_offered_at timestamp with time zone,
  first_runs_at timestamp with time zone,
  enrollment_id uuid,
  phase smallint NOT NULL,
  not_before timestamp with time zone,
  not_after timestamp with time zone,
  hang_up_requested_at timestamp with time zone,
  CONSTRAINT pk_call_requests PRIMARY KEY (id),
  CONSTRAINT fk_call_requests_agent FOREIGN KEY (team_id, agent_id) REFERENCES voice_agents(team_id, id),
  CONSTRAINT fk_call_requests_contact FOREIGN KEY (team_id, contact_id) REFERENCES contacts(team_id, id),
  CONSTRAINT fk_call_requests_pool FOREIGN KEY (team_id, number_pool_id) REFERENCES number_pools(team_id, id),
  CONSTRAINT ck_call_requests_claim CHECK (((status <> ALL (ARRAY['dialing'::text, 'in_progress'::text, 'completed'::text, 'no_answer'::text, 'busy'::text, 'voicemail'::text, 'dial_unknown'::text])) OR ((claimed_at IS NOT NULL) AND (processed_at IS NOT NULL) AND (caller_id IS NOT NULL)))),
  CONSTRAINT ck_call_requests_pending CHECK (((status <> ALL (ARRAY['scheduled'::text, 'queued'::text])) OR ((claimed_at IS NULL) AND (ended_at IS NULL)))),
  CONSTRAINT ck_call_requests_status CHECK ((status = ANY (ARRAY['scheduled'::text, 'queued'::text, 'dialing'::text, 'in_progress'::text, 'completed'::text, 'no_answer'::text, 'busy'::text, 'voicemail'::text, 'failed'::text, 'blocked'::text, 'expired'::text, 'canceled'::text, 'dial_unknown'::text])))
);
ALTER TABLE call_requests SET (fillfactor=70);
ALTER TABLE call_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE call_requests FORCE ROW LEVEL SECURITY;
CREATE INDEX ix_call_requests_agent ON public.call_requests USING btree (agent_id, accepted_at, id);
CREATE INDEX ix_call_requests_awake ON public.call_requests USING btree (runs_at, id) WHERE ((phase <= 0) AND ((waiting_since IS NULL) OR (line_offered_at IS NOT NULL)));
CREATE INDEX ix_call_requests_caller_id ON public.call_requests USING btree (team_id, caller_id, processed_at) WHERE ((processed_at IS NOT NULL) AND (caller_id IS NOT NULL));
CREATE INDEX ix_call_requests_ended ON public.call_requests USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX ix_call_requests_listing ON public.call_requests USING btree (team_id, accepted_at, id);
CREATE INDEX ix_call_requests_numbers ON public.call_requests USING btree (team_id, phone_number, phase, processed_at);
CREATE INDEX ix_call_requests_pending ON public.call_requests USING btree (team_id, expires_at, phase) WHERE ((phase <= 0) AND (generation >= 0));
CREATE INDEX ix_call_requests_slotless ON public.call_requests USING btree (team_id, runs_at, id) WHERE ((phase <= 0) AND (waiting_since IS NOT NULL));
CREATE INDEX ix_call_requests_under_way ON public.call_requests USING btree (team_id, claimed_at) WHERE ((phase = 1) AND (generation >= 0));
CREATE TRIGGER forget_details_of_erased_call AFTER UPDATE OF phone_number, status ON public.call_requests FOR EACH ROW WHEN (starts_with(new.phone_number, 'erased:'::text)) EXECUTE FUNCTION forget_details_of_erased_call();
CREATE TRIGGER say_phase_of_moved_call AFTER UPDATE OF status, phase ON public.call_requests FOR EACH ROW WHEN ((new.phase <>
        CASE new.status
            WHEN 'scheduled'::text THEN '-1'::integer
            WHEN 'queued'::text THEN 0
            WHEN 'dialing'::text THEN 1
            WHEN 'in_progress'::text THEN 1
            WHEN 'dial_unknown'::text THEN 1
            ELSE 2
        END)) EXECUTE FUNCTION say_phase_of_moved_call();
CREATE TRIGGER say_phase_of_new_call BEFORE INSERT ON public.call_requests FOR EACH ROW WHEN ((new.phase IS NULL)) EXECUTE FUNCTION say_phase_of_new_call();
CREATE TRIGGER write_event_of_answered_call AFTER UPDATE OF answered_at ON public.call_requests FOR EACH ROW WHEN (((old.answered_at IS NULL) AND (new.answered_at IS NOT NULL))) EXECUTE FUNCTION write_call_event('answered');
CREATE TRIGGER write_event_of_moved_call AFTER UPDATE OF status, runs_at ON public.call_requests FOR EACH ROW WHEN (((new.status <> ALL (ARRAY['queued'::text, 'dialing'::text])) AND ((old.status <> new.status) OR ((new.status = 'scheduled'::text) AND (old.runs_at <> new.runs_at))))) EXECUTE FUNCTION write_call_event();
CREATE TRIGGER write_event_of_new_call AFTER INSERT ON public.call_requests FOR EACH ROW WHEN ((new.status = 'scheduled'::text)) EXECUTE FUNCTION write_call_event();
CREATE POLICY every_team ON call_requests FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON call_requests FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT INSERT, SELECT, UPDATE ON call_requests TO outdial_app;

CREATE TABLE call_results (
  call_request_id uuid NOT NULL,
  team_id uuid NOT NULL,
  disposition text,
  callback_at timestamp with time zone,
  opt_out boolean NOT NULL,
  data jsonb,
  recorded_at timestamp with time zone NOT NULL,
  CONSTRAINT pk_call_results PRIMARY KEY (call_request_id),
  CONSTRAINT fk_call_results_team FOREIGN KEY (team_id) REFERENCES teams(id),
  CONSTRAINT ck_call_results_data CHECK (((data IS NULL) OR (jsonb_typeof(data) = 'object'::text)))
);
ALTER TABLE call_results ENABLE ROW LEVEL SECURITY;
ALTER TABLE call_results FORCE ROW LEVEL SECURITY;
CREATE TRIGGER write_event_of_result AFTER INSERT ON public.call_results FOR EACH ROW EXECUTE FUNCTION write_result_event();
CREATE POLICY every_team ON call_results FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON call_results FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT INSERT, SELECT, UPDATE ON call_results TO outdial_app;

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
ALTER TABLE campaign_count_changes ENABLE ROW LEVEL SECURITY;
ALTER TABLE campaign_count_changes FORCE ROW LEVEL SECURITY;
CREATE POLICY every_team ON campaign_count_changes FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON campaign_count_changes FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT SELECT ON campaign_count_changes TO outdial_app;

CREATE TABLE campaign_counts (
  campaign_id uuid NOT NULL,
  version_id uuid NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  team_id uuid NOT NULL,
  n integer NOT NULL,
  CONSTRAINT pk_campaign_counts PRIMARY KEY (campaign_id, version_id, kind, name)
);
ALTER TABLE campaign_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE campaign_counts FORCE ROW LEVEL SECURITY;
CREATE POLICY every_team ON campaign_counts FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON campaign_counts FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT SELECT ON campaign_counts TO outdial_app;

CREATE TABLE campaign_states (
  campaign_id uuid NOT NULL,
  team_id uuid NOT NULL,
  state text,
  rule text,
  enrolled integer NOT NULL,
  since timestamp with time zone NOT NULL,
  told_at timestamp with time zone,
  CONSTRAINT pk_campaign_states PRIMARY KEY (campaign_id),
  CONSTRAINT fk_campaign_states_campaign FOREIGN KEY (team_id, campaign_id) REFERENCES campaigns(team_id, id),
  CONSTRAINT ck_campaign_states_state CHECK ((state = ANY (ARRAY['finished'::text, 'stalled'::text])))
);
ALTER TABLE campaign_states ENABLE ROW LEVEL SECURITY;
ALTER TABLE campaign_states FORCE ROW LEVEL SECURITY;
CREATE POLICY every_team ON campaign_states FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON campaign_states FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT SELECT ON campaign_states TO outdial_app;

CREATE TABLE campaign_versions (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  team_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  number integer NOT NULL,
  status text NOT NULL,
  definition jsonb NOT NULL DEFAULT '{}'::jsonb,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  published_at timestamp with time zone,
  definition_format smallint,
  migrates_to uuid,
  CONSTRAINT uq_campaign_versions_campaign_id UNIQUE (team_id, campaign_id, id),
  CONSTRAINT uq_campaign_versions_number UNIQUE (campaign_id, number),
  CONSTRAINT pk_campaign_versions PRIMARY KEY (id),
  CONSTRAINT fk_campaign_versions_campaign FOREIGN KEY (team_id, campaign_id) REFERENCES campaigns(team_id, id),
  CONSTRAINT ck_campaign_versions_definition CHECK ((jsonb_typeof(definition) = 'object'::text)),
  CONSTRAINT ck_campaign_versions_status CHECK ((status = ANY (ARRAY['draft'::text, 'published'::text])))
);
ALTER TABLE campaign_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE campaign_versions FORCE ROW LEVEL SECURITY;
CREATE INDEX ix_campaign_versions_migrating ON public.campaign_versions USING btree (campaign_id) WHERE (migrates_to IS NOT NULL);
CREATE UNIQUE INDEX uq_campaign_versions_one_draft ON public.campaign_versions USING btree (campaign_id) WHERE (status = 'draft'::text);
CREATE TRIGGER audit_changed_row AFTER UPDATE ON public.campaign_versions FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION audit_change('campaign_version', 'id', '', 'id,migrates_to');
CREATE TRIGGER audit_row AFTER INSERT OR DELETE ON public.campaign_versions FOR EACH ROW EXECUTE FUNCTION audit_change('campaign_version', 'id', '', 'id,migrates_to');
CREATE POLICY every_team ON campaign_versions FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON campaign_versions FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT SELECT ON campaign_versions TO outdial_app;

CREATE TABLE campaigns (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  team_id uuid NOT NULL,
  name text NOT NULL,
  status text NOT NULL,
  current_version_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  pacing jsonb,
  reentry jsonb,
  CONSTRAINT uq_campaigns_team_id UNIQUE (team_id, id),
  CONSTRAINT pk_campaigns PRIMARY KEY (id),
  CONSTRAINT fk_campaigns_current_version FOREIGN KEY (team_id, id, current_version_id) REFERENCES campaign_versions(team_id, campaign_id, id) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT fk_campaigns_team FOREIGN KEY (team_id) REFERENCES teams(id),
  CONSTRAINT ck_campaigns_status CHECK ((status = ANY (ARRAY['draft'::text, 'active'::text, 'paused'::text, 'archived'::text])))
);
ALTER TABLE campaigns ENABLE ROW LEVEL SECURITY;
ALTER TABLE campaigns FORCE ROW LEVEL SECURITY;
CREATE TRIGGER audit_changed_row AFTER UPDATE ON public.campaigns FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION audit_change('campaign', 'id', '', 'id');
CREATE TRIGGER audit_row AFTER INSERT OR DELETE ON public.campaigns FOR EACH ROW EXECUTE FUNCTION audit_change('campaign', 'id', '', 'id');
CREATE TRIGGER write_event_of_campaign AFTER UPDATE OF status ON public.campaigns FOR EACH ROW WHEN ((((old.status = 'active'::text) AND (new.status = 'paused'::text)) OR ((old.status = 'paused'::text) AND (new.status = 'active'::text)))) EXECUTE FUNCTION write_campaign_event();
CREATE POLICY every_team ON campaigns FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON campaigns FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT SELECT ON campaigns TO outdial_app;

CREATE TABLE contacts (
  id uuid NOT NULL DEFAULT uuidv7(),
  team_id uuid NOT NULL,
  phone_number text NOT NULL,
  name text,
  email text,
  company_name text,
  company_website text,
  timezone text,
  custom_properties jsonb NOT NULL DEFAULT '{}'::jsonb,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  erased_at timestamp with time zone,
  external_id text,
  CONSTRAINT uq_contacts_team_id UNIQUE (team_id, id),
  CONSTRAINT uq_contacts_team_number UNIQUE (team_id, phone_number),
  CONSTRAINT pk_contacts PRIMARY KEY (id),
  CONSTRAINT fk_contacts_team FOREIGN KEY (team_id) REFERENCES teams(id),
  CONSTRAINT ck_contacts_custom_properties CHECK ((jsonb_typeof(custom_properties) = 'object'::text)),
  CONSTRAINT ck_contacts_number CHECK ((phone_number ~ '^(\+[1-9][0-9]{6,14}|erased:[0-9a-f-]{36,64})$'::text))
);
ALTER TABLE contacts ENABLE ROW LEVEL SECURITY;
ALTER TABLE contacts FORCE ROW LEVEL SECURITY;
CREATE INDEX ix_contacts_changed ON public.contacts USING btree (team_id, updated_at) WHERE (erased_at IS NULL);
CREATE INDEX ix_contacts_email ON public.contacts USING btree (team_id, email) WHERE (email IS NOT NULL);
CREATE INDEX ix_contacts_listing ON public.contacts USING btree (team_id, created_at, id);
CREATE UNIQUE INDEX uq_contacts_external_id ON public.contacts USING btree (team_id, external_id) WHERE (external_id IS NOT NULL);
CREATE POLICY every_team ON contacts FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON contacts FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT INSERT, SELECT, UPDATE ON contacts TO outdial_app;

CREATE TABLE database_identity (
  id boolean NOT NULL DEFAULT true,
  system_identifier text,
  database_oid text NOT NULL,
  timeline integer,
  restored_at timestamp with time zone,
  newest_row_at timestamp with time zone,
  CONSTRAINT pk_database_identity PRIMARY KEY (id),
  CONSTRAINT ck_database_identity_one_row CHECK (id)
);
GRANT SELECT ON database_identity TO outdial_app;

CREATE TABLE do_not_call (
  team_id uuid NOT NULL,
  phone_number text NOT NULL,
  reason text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT pk_do_not_call PRIMARY KEY (team_id, phone_number),
  CONSTRAINT fk_do_not_call_team FOREIGN KEY (team_id) REFERENCES teams(id),
  CONSTRAINT ck_do_not_call_number CHECK ((phone_number ~ '^(\+[1-9][0-9]{6,14}|erased:[0-9a-f-]{36,64})$'::text))
);
ALTER TABLE do_not_call ENABLE ROW LEVEL SECURITY;
ALTER TABLE do_not_call FORCE ROW LEVEL SECURITY;
CREATE INDEX ix_do_not_call_listing ON public.do_not_call USING btree (team_id, created_at, phone_number);
CREATE TRIGGER audit_delete AFTER DELETE ON public.do_not_call REFERENCING OLD TABLE AS entries FOR EACH STATEMENT EXECUTE FUNCTION audit_list_change('do_not_call');
CREATE TRIGGER audit_insert AFTER INSERT ON public.do_not_call REFERENCING NEW TABLE AS entries FOR EACH STATEMENT EXECUTE FUNCTION audit_list_change('do_not_call');
CREATE TRIGGER audit_update AFTER UPDATE ON public.do_not_call REFERENCING NEW TABLE AS entries FOR EACH STATEMENT EXECUTE FUNCTION audit_list_change('do_not_call');
CREATE TRIGGER write_event_of_opt_out AFTER INSERT ON public.do_not_call FOR EACH ROW WHEN ((NOT starts_with(new.phone_number, 'erased:'::text))) EXECUTE FUNCTION write_opt_out_event();
CREATE POLICY every_team ON do_not_call FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON do_not_call FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT DELETE, INSERT, SELECT ON do_not_call TO outdial_app;

CREATE TABLE enrollment_dials (
  enrollment_id uuid NOT NULL,
  seq integer NOT NULL,
  team_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  call_request_id uuid NOT NULL,
  step text NOT NULL,
  callback boolean NOT NULL DEFAULT false,
  claimed_at timestamp with time zone NOT NULL,
  CONSTRAINT pk_enrollment_dials PRIMARY KEY (enrollment_id, seq),
  CONSTRAINT fk_enrollment_dials_campaign FOREIGN KEY (team_id, campaign_id) REFERENCES campaigns(team_id, id)
);
ALTER TABLE enrollment_dials ENABLE ROW LEVEL SECURITY;
ALTER TABLE enrollment_dials FORCE ROW LEVEL SECURITY;
CREATE INDEX ix_enrollment_dials_campaign ON public.enrollment_dials USING btree (campaign_id, claimed_at);
CREATE POLICY every_team ON enrollment_dials FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON enrollment_dials FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT INSERT, SELECT ON enrollment_dials TO outdial_app;

CREATE TABLE enrollments (
  id uuid NOT NULL DEFAULT uuidv7(),
  team_id uuid NOT NULL,
  campaign_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  version_id uuid NOT NULL,
  status text NOT NULL DEFAULT 'active'::text,
  source text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  updated_at timestamp with time zone NOT NULL DEFAULT now(),
  step text,
  waiting_for text,
  next_attempt_at timestamp with time zone,
  look_at timestamp with time zone DEFAULT now(),
  not_before timestamp with time zone,
  end_reason text,
  ended_at timestamp with time zone,
  timeline jsonb NOT NULL DEFAULT '[]'::jsonb,
  calls jsonb NOT NULL DEFAULT '{}'::jsonb,
  entry integer NOT NULL DEFAULT 1,
  settle_at timestamp with time zone,
  dial_rank smallint NOT NULL DEFAULT '2'::smallint,
  CONSTRAINT pk_enrollments PRIMARY KEY (id),
  CONSTRAINT fk_enrollments_contact FOREIGN KEY (team_id, contact_id) REFERENCES contacts(team_id, id),
  CONSTRAINT fk_enrollments_version FOREIGN KEY (team_id, campaign_id, version_id) REFERENCES campaign_versions(team_id, campaign_id, id),
  CONSTRAINT ck_enrollments_status CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'completed'::text, 'exited'::text, 'failed'::text])))
);
ALTER TABLE enrollments ENABLE ROW LEVEL SECURITY;
ALTER TABLE enrollments FORCE ROW LEVEL SECURITY;
CREATE INDEX ix_enrollments_contact ON public.enrollments USING btree (team_id, contact_id);
CREATE INDEX ix_enrollments_dials ON public.enrollments USING btree (campaign_id, dial_rank, look_at, id) WHERE ((status = 'active'::text) AND (look_at IS NOT NULL));
CREATE INDEX ix_enrollments_newest ON public.enrollments USING btree (campaign_id, status, created_at, entry, id);
CREATE INDEX ix_enrollments_newest_waiting ON public.enrollments USING btree (campaign_id, waiting_for, created_at, entry, id) WHERE (waiting_for IS NOT NULL);
CREATE INDEX ix_enrollments_settling ON public.enrollments USING btree (campaign_id, settle_at, id) WHERE ((status = ANY (ARRAY['active'::text, 'paused'::text])) AND (settle_at IS NOT NULL));
CREATE INDEX ix_enrollments_version ON public.enrollments USING btree (version_id, status);
CREATE UNIQUE INDEX uq_enrollments_entry ON public.enrollments USING btree (campaign_id, contact_id, entry);
CREATE TRIGGER count_inserted AFTER INSERT ON public.enrollments REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_enrollments();
CREATE TRIGGER count_updated AFTER UPDATE ON public.enrollments REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_enrollments();
CREATE TRIGGER write_event_of_ended_enrollment AFTER UPDATE OF status ON public.enrollments FOR EACH ROW WHEN (((old.status = ANY (ARRAY['active'::text, 'paused'::text])) AND (new.status <> ALL (ARRAY['active'::text, 'paused'::text])))) EXECUTE FUNCTION write_enrollment_event();
CREATE TRIGGER write_events_of_new_enrollments AFTER INSERT ON public.enrollments REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION write_events_of_new_enrollments();
CREATE POLICY every_team ON enrollments FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON enrollments FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT INSERT, SELECT, UPDATE ON enrollments TO outdial_app;

CREATE TABLE erasure_key (
  id boolean NOT NULL DEFAULT true,
  check_value text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT pk_erasure_key PRIMARY KEY (id),
  CONSTRAINT ck_erasure_key_one_row CHECK (id)
);
GRANT INSERT, SELECT ON erasure_key TO outdial_app;

CREATE TABLE event_batches (
  team_id uuid NOT NULL,
  last bigint NOT NULL,
  positions bigint[] NOT NULL,
  CONSTRAINT pk_event_batches PRIMARY KEY (team_id, last)
);
ALTER TABLE event_batches ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_batches FORCE ROW LEVEL SECURITY;
CREATE POLICY every_team ON event_batches FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON event_batches FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT SELECT ON event_batches TO outdial_app;

CREATE TABLE event_gaps (
  first bigint NOT NULL,
  last bigint NOT NULL,
  found_by bigint,
  CONSTRAINT pk_event_gaps PRIMARY KEY (first)
);

CREATE TABLE event_sequences (
  team_id uuid NOT NULL,
  last bigint NOT NULL,
  removed_through bigint NOT NULL,
  CONSTRAINT pk_event_sequences PRIMARY KEY (team_id),
  CONSTRAINT fk_event_sequences_team FOREIGN KEY (team_id) REFERENCES teams(id)
);
ALTER TABLE event_sequences SET (fillfactor=50);
ALTER TABLE event_sequences ENABLE ROW LEVEL SECURITY;
ALTER TABLE event_sequences FORCE ROW LEVEL SECURITY;
CREATE POLICY every_team ON event_sequences FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON event_sequences FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT SELECT ON event_sequences TO outdial_app;

CREATE TABLE events (
  "position" bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY,
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  type text NOT NULL,
  at timestamp with time zone NOT NULL,
  subject bigint,
  data jsonb,
  call_id uuid,
  agent_id uuid,
  enrollment_id uuid,
  accepted_at timestamp with time zone,
  status text,
  reason text,
  runs_at timestamp with time zone,
  expires_at timestamp with time zone,
  contact_id uuid,
  phone_number text,
  caller_id text,
  answered_at timestamp with time zone,
  ended_at timestamp with time zone,
  duration_seconds integer,
  unknown_placeholders text[],
  CONSTRAINT pk_events PRIMARY KEY ("position")
);
ALTER TABLE events SET (fillfactor=100);
ALTER TABLE events ENABLE ROW LEVEL SECURITY;
ALTER TABLE events FORCE ROW LEVEL SECURITY;
CREATE INDEX ix_events_subject ON public.events USING btree (subject) WHERE (subject IS NOT NULL);
CREATE POLICY every_team ON events FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON events FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT INSERT, SELECT, UPDATE ON events TO outdial_app;

CREATE TABLE idempotency_keys (
  team_id uuid NOT NULL,
  key text NOT NULL,
  fingerprint bytea NOT NULL,
  status smallint NOT NULL,
  body json NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT pk_idempotency_keys PRIMARY KEY (team_id, key),
  CONSTRAINT fk_idempotency_keys_team FOREIGN KEY (team_id) REFERENCES teams(id),
  CONSTRAINT ck_idempotency_keys_fingerprint CHECK ((length(fingerprint) = 32))
);
ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotency_keys FORCE ROW LEVEL SECURITY;
CREATE INDEX ix_idempotency_keys_created ON public.idempotency_keys USING btree (created_at);
CREATE POLICY every_team ON idempotency_keys FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON idempotency_keys FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT DELETE, INSERT, SELECT, UPDATE ON idempotency_keys TO outdial_app;

CREATE TABLE import_chunks (
  import_id uuid NOT NULL,
  first_row integer NOT NULL,
  team_id uuid NOT NULL,
  rows integer NOT NULL,
  data text NOT NULL,
  endings integer[] NOT NULL,
  CONSTRAINT pk_import_chunks PRIMARY KEY (import_id, first_row),
  CONSTRAINT fk_import_chunks_import FOREIGN KEY (team_id, import_id) REFERENCES imports(team_id, id)
);
ALTER TABLE import_chunks ENABLE ROW LEVEL SECURITY;
ALTER TABLE import_chunks FORCE ROW LEVEL SECURITY;
CREATE INDEX ix_import_chunks_team ON public.import_chunks USING btree (team_id, import_id, first_row);
CREATE POLICY every_team ON import_chunks FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON import_chunks FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT DELETE, INSERT, SELECT, UPDATE ON import_chunks TO outdial_app;

CREATE TABLE import_contacts (
  import_id uuid NOT NULL,
  contact_id uuid NOT NULL,
  team_id uuid NOT NULL,
  created boolean NOT NULL DEFAULT false,
  changed_at timestamp with time zone,
  enrollments uuid[],
  undone text,
  CONSTRAINT pk_import_contacts PRIMARY KEY (import_id, contact_id)
);
ALTER TABLE import_contacts ENABLE ROW LEVEL SECURITY;
ALTER TABLE import_contacts FORCE ROW LEVEL SECURITY;
CREATE POLICY every_team ON import_contacts FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON import_contacts FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT INSERT, SELECT, UPDATE ON import_contacts TO outdial_app;

CREATE TABLE import_results (
  import_id uuid NOT NULL,
  first_row integer NOT NULL,
  team_id uuid NOT NULL,
  failed integer NOT NULL,
  results json NOT NULL,
  failed_rows json,
  endings integer[],
  CONSTRAINT pk_import_results PRIMARY KEY (import_id, first_row),
  CONSTRAINT fk_import_results_import FOREIGN KEY (team_id, import_id) REFERENCES imports(team_id, id)
);
ALTER TABLE import_results ENABLE ROW LEVEL SECURITY;
ALTER TABLE import_results FORCE ROW LEVEL SECURITY;
CREATE INDEX ix_import_results_failed ON public.import_results USING btree (team_id, import_id, first_row) WHERE (endings IS NOT NULL);
CREATE POLICY every_team ON import_results FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON import_results FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT INSERT, SELECT, UPDATE ON import_results TO outdial_app;

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
  created_at timestamp with time zone NOT NULL,
  finished_at timestamp with time zone,
  leased_until timestamp with time zone,
  worked_at timestamp with time zone,
  mapping json,
  strict boolean NOT NULL DEFAULT false,
  warned integer NOT NULL DEFAULT 0,
  without_timezone integer NOT NULL DEFAULT 0,
  repeated_numbers integer NOT NULL DEFAULT 0,
  countries jsonb NOT NULL DEFAULT '{}'::jsonb,
  tracked boolean NOT NULL DEFAULT false,
  undone_after uuid,
  undo jsonb,
  undo_began_at timestamp with time zone,
  undone_at timestamp with time zone,
  type text NOT NULL DEFAULT 'contacts'::text,
  CONSTRAINT uq_imports_team_id UNIQUE (team_id, id),
  CONSTRAINT pk_imports PRIMARY KEY (id),
  CONSTRAINT fk_imports_team FOREIGN KEY (team_id) REFERENCES teams(id),
  CONSTRAINT ck_imports_finished CHECK (((finished_at IS NULL) = (status = ANY (ARRAY['staging'::text, 'held'::text, 'running'::text])))),
  CONSTRAINT ck_imports_mode CHECK ((mode = ANY (ARRAY['create'::text, 'upsert'::text]))),
  CONSTRAINT ck_imports_status CHECK ((status = ANY (ARRAY['staging'::text, 'running'::text, 'finished'::text, 'canceled'::text, 'failed'::text, 'held'::text, 'undoing'::text, 'undone'::text]))),
  CONSTRAINT ck_imports_type CHECK ((type = ANY (ARRAY['contacts'::text, 'suppressions'::text])))
);
ALTER TABLE imports ENABLE ROW LEVEL SECURITY;
ALTER TABLE imports FORCE ROW LEVEL SECURITY;
CREATE INDEX ix_imports_finished ON public.imports USING btree (finished_at) WHERE (finished_at IS NOT NULL);
CREATE INDEX ix_imports_listing ON public.imports USING btree (team_id, created_at, id);
CREATE INDEX ix_imports_open ON public.imports USING btree (team_id, created_at, id) WHERE (status = ANY (ARRAY['staging'::text, 'held'::text, 'running'::text, 'undoing'::text]));
CREATE UNIQUE INDEX uq_imports_staging ON public.imports USING btree (team_id) WHERE (status = 'staging'::text);
CREATE TRIGGER audit_changed_row AFTER UPDATE ON public.imports FOR EACH ROW WHEN (((old.status <> new.status) AND ((new.status = ANY (ARRAY['canceled'::text, 'undoing'::text])) OR (old.status = 'held'::text)))) EXECUTE FUNCTION audit_change('import', 'id', '', 'id,rows,next_row,created,updated,enrolled,failed,warned,without_timezone,repeated_numbers,countries,mapping,leased_until,worked_at,finished_at,tracked,undone_after,undo,undo_began_at,undone_at,error');
CREATE TRIGGER audit_row AFTER INSERT OR DELETE ON public.imports FOR EACH ROW EXECUTE FUNCTION audit_change('import', 'id', '', 'id,rows,next_row,created,updated,enrolled,failed,warned,without_timezone,repeated_numbers,countries,mapping,leased_until,worked_at,finished_at,tracked,undone_after,undo,undo_began_at,undone_at,error');
CREATE TRIGGER write_event_of_import AFTER UPDATE OF status ON public.imports FOR EACH ROW WHEN (((old.status <> new.status) AND (old.finished_at IS NULL) AND (new.finished_at IS NOT NULL))) EXECUTE FUNCTION write_import_event();
CREATE POLICY every_team ON imports FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON imports FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT INSERT, SELECT, UPDATE ON imports TO outdial_app;

CREATE TABLE memberships (
  user_id uuid NOT NULL,
  team_id uuid NOT NULL,
  role text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT pk_memberships PRIMARY KEY (user_id, team_id),
  CONSTRAINT fk_memberships_team FOREIGN KEY (team_id) REFERENCES teams(id),
  CONSTRAINT fk_memberships_user FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT ck_memberships_role CHECK ((role = ANY (ARRAY['viewer'::text, 'manager'::text, 'admin'::text])))
);
ALTER TABLE memberships ENABLE ROW LEVEL SECURITY;
ALTER TABLE memberships FORCE ROW LEVEL SECURITY;
CREATE INDEX ix_memberships_team ON public.memberships USING btree (team_id);
CREATE TRIGGER audit_changed_row AFTER UPDATE ON public.memberships FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION audit_change('membership', 'user_id', '', 'user_id');
CREATE TRIGGER audit_row AFTER INSERT OR DELETE ON public.memberships FOR EACH ROW EXECUTE FUNCTION audit_change('membership', 'user_id', '', 'user_id');
CREATE POLICY every_team ON memberships FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON memberships FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));

CREATE TABLE number_pool_members (
  team_id uuid NOT NULL,
  number_pool_id uuid NOT NULL,
  phone_number text NOT NULL,
  CONSTRAINT pk_number_pool_members PRIMARY KEY (number_pool_id, phone_number),
  CONSTRAINT fk_number_pool_members_number FOREIGN KEY (team_id, phone_number) REFERENCES phone_numbers(team_id, phone_number),
  CONSTRAINT fk_number_pool_members_pool FOREIGN KEY (team_id, number_pool_id) REFERENCES number_pools(team_id, id) ON DELETE CASCADE
);
ALTER TABLE number_pool_members ENABLE ROW LEVEL SECURITY;
ALTER TABLE number_pool_members FORCE ROW LEVEL SECURITY;
CREATE TRIGGER audit_delete AFTER DELETE ON public.number_pool_members REFERENCING OLD TABLE AS entries FOR EACH STATEMENT EXECUTE FUNCTION audit_list_change('number_pool_member', 'number_pool_id');
CREATE TRIGGER audit_insert AFTER INSERT ON public.number_pool_members REFERENCING NEW TABLE AS entries FOR EACH STATEMENT EXECUTE FUNCTION audit_list_change('number_pool_member', 'number_pool_id');
CREATE TRIGGER audit_update AFTER UPDATE ON public.number_pool_members REFERENCING NEW TABLE AS entries FOR EACH STATEMENT EXECUTE FUNCTION audit_list_change('number_pool_member', 'number_pool_id');
CREATE POLICY every_team ON number_pool_members FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON number_pool_members FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT SELECT ON number_pool_members TO outdial_app;

CREATE TABLE number_pools (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  team_id uuid NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT uq_number_pools_team_id UNIQUE (team_id, id),
  CONSTRAINT pk_number_pools PRIMARY KEY (id),
  CONSTRAINT fk_number_pools_team FOREIGN KEY (team_id) REFERENCES teams(id)
);
ALTER TABLE number_pools ENABLE ROW LEVEL SECURITY;
ALTER TABLE number_pools FORCE ROW LEVEL SECURITY;
CREATE TRIGGER audit_changed_row AFTER UPDATE ON public.number_pools FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION audit_change('number_pool', 'id', '', 'id');
CREATE TRIGGER audit_row AFTER INSERT OR DELETE ON public.number_pools FOR EACH ROW EXECUTE FUNCTION audit_change('number_pool', 'id', '', 'id');
CREATE POLICY every_team ON number_pools FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON number_pools FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT SELECT ON number_pools TO outdial_app;

CREATE TABLE phone_numbers (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  team_id uuid NOT NULL,
  phone_number text NOT NULL,
  active boolean NOT NULL DEFAULT true,
  outbound_enabled boolean NOT NULL DEFAULT true,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT uq_phone_numbers_team_number UNIQUE (team_id, phone_number),
  CONSTRAINT pk_phone_numbers PRIMARY KEY (id),
  CONSTRAINT fk_phone_numbers_team FOREIGN KEY (team_id) REFERENCES teams(id),
  CONSTRAINT ck_phone_numbers_e164 CHECK ((phone_number ~ '^\+[1-9][0-9]{6,14}$'::text))
);
ALTER TABLE phone_numbers ENABLE ROW LEVEL SECURITY;
ALTER TABLE phone_numbers FORCE ROW LEVEL SECURITY;
CREATE TRIGGER audit_changed_row AFTER UPDATE ON public.phone_numbers FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION audit_change('phone_number', 'id', 'phone_number', 'id');
CREATE TRIGGER audit_row AFTER INSERT OR DELETE ON public.phone_numbers FOR EACH ROW EXECUTE FUNCTION audit_change('phone_number', 'id', 'phone_number', 'id');
CREATE POLICY every_team ON phone_numbers FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON phone_numbers FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT SELECT ON phone_numbers TO outdial_app;

CREATE TABLE plan_usage (
  team_id uuid NOT NULL,
  month date NOT NULL,
  used integer NOT NULL,
  shard integer NOT NULL DEFAULT 0,
  CONSTRAINT pk_plan_usage PRIMARY KEY (team_id, month, shard),
  CONSTRAINT fk_plan_usage_team FOREIGN KEY (team_id) REFERENCES teams(id)
);
ALTER TABLE plan_usage ENABLE ROW LEVEL SECURITY;
ALTER TABLE plan_usage FORCE ROW LEVEL SECURITY;
CREATE POLICY every_team ON plan_usage FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON plan_usage FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT INSERT, SELECT, UPDATE ON plan_usage TO outdial_app;

CREATE TABLE platform_settings (
  id boolean NOT NULL DEFAULT true,
  paused boolean NOT NULL DEFAULT false,
  call_retention_days integer NOT NULL DEFAULT 395,
  event_retention_days integer NOT NULL DEFAULT 7,
  zone_data_version text,
  zone_data_since timestamp with time zone,
  zone_data text,
  zone_data_version_before text,
  zone_data_before text,
  zone_data_moved text,
  CONSTRAINT pk_platform_settings PRIMARY KEY (id),
  CONSTRAINT ck_platform_settings_one_row CHECK (id),
  CONSTRAINT ck_platform_settings_retention CHECK ((((call_retention_days = 0) OR (call_retention_days >= 31)) AND (event_retention_days >= 0)))
);
CREATE TRIGGER audit_changed_row AFTER UPDATE ON public.platform_settings FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION audit_change('platform', '', '', 'id,zone_data_version,zone_data_since,zone_data,zone_data_version_before,zone_data_before,zone_data_moved');
CREATE TRIGGER audit_row AFTER INSERT OR DELETE ON public.platform_settings FOR EACH ROW EXECUTE FUNCTION audit_change('platform', '', '', 'id,zone_data_version,zone_data_since,zone_data,zone_data_version_before,zone_data_before,zone_data_moved');
GRANT SELECT ON platform_settings TO outdial_app;

CREATE TABLE sessions (
  token_hash bytea NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  last_seen_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT pk_sessions PRIMARY KEY (token_hash),
  CONSTRAINT fk_sessions_user FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE,
  CONSTRAINT ck_sessions_token CHECK ((length(token_hash) = 32))
);
CREATE INDEX ix_sessions_created ON public.sessions USING btree (created_at);
CREATE INDEX ix_sessions_user ON public.sessions USING btree (user_id);

CREATE TABLE sweeper_runs (
  worker text NOT NULL,
  started_at timestamp with time zone NOT NULL,
  ran_at timestamp with time zone NOT NULL,
  duration_ms integer NOT NULL,
  repaired_at timestamp with time zone,
  woken integer NOT NULL,
  expired integer NOT NULL,
  unknown integer NOT NULL,
  resolved integer NOT NULL,
  CONSTRAINT pk_sweeper_runs PRIMARY KEY (worker)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON sweeper_runs TO outdial_app;

CREATE TABLE teams (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  name text NOT NULL,
  timezone text NOT NULL DEFAULT 'UTC'::text,
  default_country text,
  allowed_countries text[],
  whitelist_only boolean NOT NULL DEFAULT false,
  monthly_call_limit integer,
  number_daily_limit integer,
  number_weekly_limit integer,
  number_monthly_limit integer,
  max_concurrent_calls integer,
  paused boolean NOT NULL DEFAULT false,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  has_erased_numbers boolean NOT NULL DEFAULT false,
  retry_within_redial_window boolean NOT NULL DEFAULT false,
  call_retention_days integer,
  event_retention_days integer,
  accept_unknown_ranges boolean NOT NULL DEFAULT false,
  allowed_carriers text[],
  paused_by_key boolean NOT NULL DEFAULT false,
  CONSTRAINT pk_teams PRIMARY KEY (id),
  CONSTRAINT ck_teams_limits CHECK (((monthly_call_limit >= 0) AND (number_daily_limit >= 0) AND (number_weekly_limit >= 0) AND (number_monthly_limit >= 0) AND (max_concurrent_calls >= 1))),
  CONSTRAINT ck_teams_retention CHECK ((((call_retention_days = 0) OR (call_retention_days >= 31)) AND (event_retention_days >= 0)))
);
ALTER TABLE teams ENABLE ROW LEVEL SECURITY;
ALTER TABLE teams FORCE ROW LEVEL SECURITY;
CREATE TRIGGER audit_changed_row AFTER UPDATE ON public.teams FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION audit_change('team', 'id', '', 'id,has_erased_numbers,paused_by_key');
CREATE TRIGGER audit_row AFTER INSERT OR DELETE ON public.teams FOR EACH ROW EXECUTE FUNCTION audit_change('team', 'id', '', 'id,has_erased_numbers,paused_by_key');
CREATE POLICY every_team ON teams FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON teams FOR ALL TO outdial_app
  USING ((id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT SELECT ON teams TO outdial_app;

CREATE TABLE users (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  email text NOT NULL,
  operator boolean NOT NULL DEFAULT false,
  password_hash text,
  oidc_issuer text,
  oidc_subject text,
  totp_secret text,
  totp_last_step bigint,
  recovery_codes text[] NOT NULL DEFAULT '{}'::text[],
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  last_sign_in_at timestamp with time zone,
  CONSTRAINT uq_users_email UNIQUE (email),
  CONSTRAINT uq_users_oidc UNIQUE (oidc_issuer, oidc_subject),
  CONSTRAINT pk_users PRIMARY KEY (id),
  CONSTRAINT ck_users_email CHECK ((email = lower(email))),
  CONSTRAINT ck_users_oidc CHECK (((oidc_issuer IS NULL) = (oidc_subject IS NULL)))
);
CREATE TRIGGER audit_changed_row AFTER UPDATE ON public.users FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION audit_change('user', 'id', 'email,password_hash,oidc_issuer,oidc_subject,totp_secret,recovery_codes', 'id,totp_last_step,last_sign_in_at');
CREATE TRIGGER audit_row AFTER INSERT OR DELETE ON public.users FOR EACH ROW EXECUTE FUNCTION audit_change('user', 'id', 'email,password_hash,oidc_issuer,oidc_subject,totp_secret,recovery_codes', 'id,totp_last_step,last_sign_in_at');

CREATE TABLE voice_agents (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  team_id uuid NOT NULL,
  name text NOT NULL,
  timezone text NOT NULL,
  calling_hours jsonb,
  closed_dates text[] NOT NULL DEFAULT '{}'::text[],
  prompt_template text NOT NULL DEFAULT ''::text,
  first_message_template text NOT NULL DEFAULT ''::text,
  outbound_phone_number text,
  number_pool_id uuid,
  carrier text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  carrier_settings jsonb NOT NULL DEFAULT '{}'::jsonb,
  deleted_at timestamp with time zone,
  CONSTRAINT uq_voice_agents_team_id UNIQUE (team_id, id),
  CONSTRAINT pk_voice_agents PRIMARY KEY (id),
  CONSTRAINT fk_voice_agents_number FOREIGN KEY (team_id, outbound_phone_number) REFERENCES phone_numbers(team_id, phone_number),
  CONSTRAINT fk_voice_agents_pool FOREIGN KEY (team_id, number_pool_id) REFERENCES number_pools(team_id, id),
  CONSTRAINT fk_voice_agents_team FOREIGN KEY (team_id) REFERENCES teams(id),
  CONSTRAINT ck_voice_agents_carrier_settings CHECK ((jsonb_typeof(carrier_settings) = 'object'::text))
);
ALTER TABLE voice_agents ENABLE ROW LEVEL SECURITY;
ALTER TABLE voice_agents FORCE ROW LEVEL SECURITY;
CREATE TRIGGER audit_changed_row AFTER UPDATE ON public.voice_agents FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION audit_change('voice_agent', 'id', 'carrier_settings,outbound_phone_number', 'id');
CREATE TRIGGER audit_row AFTER INSERT OR DELETE ON public.voice_agents FOR EACH ROW EXECUTE FUNCTION audit_change('voice_agent', 'id', 'carrier_settings,outbound_phone_number', 'id');
CREATE POLICY every_team ON voice_agents FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON voice_agents FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT SELECT ON voice_agents TO outdial_app;

CREATE TABLE webhook_deliveries (
  id uuid NOT NULL,
  team_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  event_id uuid NOT NULL,
  "position" bigint,
  sequence bigint,
  subject bigint,
  type text NOT NULL,
  status text NOT NULL DEFAULT 'pending'::text,
  attempts integer NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  next_at timestamp with time zone,
  claimed_until timestamp with time zone,
  attempted_at timestamp with time zone,
  response_code integer,
  answer text,
  error text,
  duration_ms integer,
  created_at timestamp with time zone NOT NULL,
  bulk boolean NOT NULL DEFAULT false,
  CONSTRAINT uq_webhook_deliveries_event UNIQUE (endpoint_id, event_id),
  CONSTRAINT pk_webhook_deliveries PRIMARY KEY (id),
  CONSTRAINT ck_webhook_deliveries_due CHECK (((status = 'pending'::text) = (next_at IS NOT NULL))),
  CONSTRAINT ck_webhook_deliveries_status CHECK ((status = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
);
ALTER TABLE webhook_deliveries SET (fillfactor=80);
ALTER TABLE webhook_deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_deliveries FORCE ROW LEVEL SECURITY;
CREATE INDEX ix_webhook_deliveries_pending ON public.webhook_deliveries USING btree (endpoint_id, bulk, next_at) WHERE (status = 'pending'::text);
CREATE INDEX ix_webhook_deliveries_subject ON public.webhook_deliveries USING btree (subject) WHERE (subject IS NOT NULL);
CREATE POLICY every_team ON webhook_deliveries FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON webhook_deliveries FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT INSERT, SELECT, UPDATE ON webhook_deliveries TO outdial_app;

CREATE TABLE webhook_endpoints (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  team_id uuid NOT NULL,
  url text NOT NULL,
  types text[],
  description text,
  secret text NOT NULL,
  previous_secret text,
  previous_until timestamp with time zone,
  disabled_at timestamp with time zone,
  disabled_reason text,
  failing_since timestamp with time zone,
  held_until timestamp with time zone,
  deleted_at timestamp with time zone,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT pk_webhook_endpoints PRIMARY KEY (id),
  CONSTRAINT fk_webhook_endpoints_team FOREIGN KEY (team_id) REFERENCES teams(id),
  CONSTRAINT ck_webhook_endpoints_disabled CHECK (((disabled_at IS NULL) = (disabled_reason IS NULL))),
  CONSTRAINT ck_webhook_endpoints_types CHECK ((cardinality(types) > 0))
);
ALTER TABLE webhook_endpoints ENABLE ROW LEVEL SECURITY;
ALTER TABLE webhook_endpoints FORCE ROW LEVEL SECURITY;
CREATE INDEX ix_webhook_endpoints_disabled ON public.webhook_endpoints USING btree (disabled_at) WHERE (disabled_at IS NOT NULL);
CREATE INDEX ix_webhook_endpoints_failing ON public.webhook_endpoints USING btree (failing_since) WHERE (failing_since IS NOT NULL);
CREATE INDEX ix_webhook_endpoints_team ON public.webhook_endpoints USING btree (team_id);
CREATE TRIGGER audit_changed_row AFTER UPDATE ON public.webhook_endpoints FOR EACH ROW WHEN ((old.* IS DISTINCT FROM new.*)) EXECUTE FUNCTION audit_change('webhook_endpoint', 'id', 'secret,previous_secret', 'id,previous_until,failing_since,held_until');
CREATE TRIGGER audit_row AFTER INSERT OR DELETE ON public.webhook_endpoints FOR EACH ROW EXECUTE FUNCTION audit_change('webhook_endpoint', 'id', 'secret,previous_secret', 'id,previous_until,failing_since,held_until');
CREATE POLICY every_team ON webhook_endpoints FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON webhook_endpoints FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT INSERT, SELECT, UPDATE ON webhook_endpoints TO outdial_app;

CREATE TABLE whitelist (
  team_id uuid NOT NULL,
  phone_number text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT pk_whitelist PRIMARY KEY (team_id, phone_number),
  CONSTRAINT fk_whitelist_team FOREIGN KEY (team_id) REFERENCES teams(id),
  CONSTRAINT ck_whitelist_e164 CHECK ((phone_number ~ '^\+[1-9][0-9]{6,14}$'::text))
);
ALTER TABLE whitelist ENABLE ROW LEVEL SECURITY;
ALTER TABLE whitelist FORCE ROW LEVEL SECURITY;
CREATE TRIGGER audit_delete AFTER DELETE ON public.whitelist REFERENCING OLD TABLE AS entries FOR EACH STATEMENT EXECUTE FUNCTION audit_list_change('whitelist');
CREATE TRIGGER audit_insert AFTER INSERT ON public.whitelist REFERENCING NEW TABLE AS entries FOR EACH STATEMENT EXECUTE FUNCTION audit_list_change('whitelist');
CREATE TRIGGER audit_update AFTER UPDATE ON public.whitelist REFERENCING NEW TABLE AS entries FOR EACH STATEMENT EXECUTE FUNCTION audit_list_change('whitelist');
CREATE POLICY every_team ON whitelist FOR ALL TO the_owner
  USING (true);
CREATE POLICY own_team ON whitelist FOR ALL TO outdial_app
  USING ((team_id = ANY (( SELECT (string_to_array(current_setting('outdial.team_id'::text, true), ','::text))::uuid[] AS string_to_array)::uuid[])));
GRANT DELETE, SELECT ON whitelist TO outdial_app;

CREATE OR REPLACE FUNCTION public.add_event(team uuid, event_type text, number text, data jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  now timestamptz := outdial_now();
  -- The transaction needs its id before the event gets its position: see `number_events`.
  transaction xid8 := pg_current_xact_id();
BEGIN
  INSERT INTO events (id, team_id, type, at, subject, data)
  VALUES (new_call_id(now), team, event_type, now,
    CASE WHEN NOT starts_with(number, 'erased:') THEN number_lock_key(team, number) END, data);
END $function$
;
REVOKE EXECUTE ON FUNCTION add_event FROM PUBLIC;
GRANT EXECUTE ON FUNCTION add_event TO outdial_app;

CREATE OR REPLACE FUNCTION public.advance_zone_data(given_version text, given_data text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
BEGIN
  -- After z comes za, so that the order of the bytes is that of the versions.
  UPDATE platform_settings SET
    zone_data_version = given_version, zone_data = given_data, zone_data_since = outdial_now(),
    zone_data_version_before = zone_data_version, zone_data_before = zone_data
  WHERE zone_data_version IS NULL OR zone_data_version < given_version COLLATE "C";
  RETURN FOUND;
END
$function$
;
REVOKE EXECUTE ON FUNCTION advance_zone_data FROM PUBLIC;
GRANT EXECUTE ON FUNCTION advance_zone_data TO outdial_app;

CREATE OR REPLACE FUNCTION public.agent_exists(agent_id uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ SELECT EXISTS (SELECT FROM voice_agents a WHERE a.id = agent_id AND a.deleted_at IS NULL) $function$
;
REVOKE EXECUTE ON FUNCTION agent_exists FROM PUBLIC;
GRANT EXECUTE ON FUNCTION agent_exists TO outdial_app;

CREATE OR REPLACE FUNCTION public.ask_silent_of(carrier_name text, after_ms double precision, grace_ms double precision, batch integer)
 RETURNS TABLE(id uuid, phone_number text, caller_id text, claimed_at timestamp with time zone, carrier_call_id text, carrier_settings jsonb, claimed_ms_ago double precision)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    due AS (
      SELECT r.id FROM call_requests r CROSS JOIN clock
      WHERE r.phase = 1 AND r.generation >= 0 AND r.status = 'in_progress' AND r.carrier = carrier_name
        AND r.claimed_at + after_ms * interval '1 ms' <= clock.now
        AND r.woken_at + grace_ms * interval '1 ms' * power(2, least(r.wakes, 3)) <= clock.now
      ORDER BY r.woken_at
      LIMIT batch
      FOR UPDATE OF r SKIP LOCKED
    )
    UPDATE call_requests r SET woken_at = clock.now, wakes = r.wakes + 1
    FROM due, clock, voice_agents a
    WHERE r.id = due.id AND a.team_id = r.team_id AND a.id = r.agent_id
    RETURNING r.id, r.phone_number, r.caller_id, r.claimed_at, r.carrier_call_id, a.carrier_settings,
      (extract(epoch FROM clock.now - r.claimed_at) * 1000)::float8
$function$
;
REVOKE EXECUTE ON FUNCTION ask_silent_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ask_silent_of TO outdial_app;

CREATE OR REPLACE FUNCTION public.ask_unknown_of(carrier_name text, grace_ms double precision, batch integer)
 RETURNS TABLE(id uuid, phone_number text, caller_id text, claimed_at timestamp with time zone, carrier_call_id text, carrier_settings jsonb, claimed_ms_ago double precision)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    due AS (
      SELECT r.id FROM call_requests r CROSS JOIN clock
      WHERE r.phase = 1 AND r.generation >= 0 AND r.status = 'dial_unknown' AND r.carrier = carrier_name
        AND r.woken_at + grace_ms * interval '1 ms' * power(2, least(r.wakes, 10)) <= clock.now
      ORDER BY r.woken_at
      LIMIT batch
      FOR UPDATE OF r SKIP LOCKED
    )
    UPDATE call_requests r SET woken_at = clock.now, wakes = r.wakes + 1
    FROM due, clock, voice_agents a
    WHERE r.id = due.id AND a.team_id = r.team_id AND a.id = r.agent_id
    RETURNING r.id, r.phone_number, r.caller_id, r.claimed_at, r.carrier_call_id, a.carrier_settings,
      (extract(epoch FROM clock.now - r.claimed_at) * 1000)::float8
$function$
;
REVOKE EXECUTE ON FUNCTION ask_unknown_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ask_unknown_of TO outdial_app;

CREATE OR REPLACE FUNCTION public.audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  of_type text := TG_ARGV[0];
  withheld text[] := string_to_array(TG_ARGV[2], ',');
  bookkeeping text[] := string_to_array(TG_ARGV[3], ',');
  is_before jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) END;
  is_after jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) END;
  subject jsonb := coalesce(is_after, is_before);
  of_team uuid := CASE TG_TABLE_NAME WHEN 'teams' THEN subject->>'id' ELSE subject->>'team_id' END;
  was jsonb := jsonb_strip_nulls(is_before - bookkeeping);
  becomes jsonb := jsonb_strip_nulls(is_after - bookkeeping);
BEGIN
  IF TG_OP = 'UPDATE' THEN
    was := differing_fields(is_before - bookkeeping, is_after);
    becomes := differing_fields(is_after - bookkeeping, is_before);
    IF becomes = '{}' THEN RETURN NULL; END IF;
  END IF;
  PERFORM write_audit(
    of_team,
    of_type || '.' || CASE
      WHEN TG_OP = 'INSERT' THEN 'created'
      WHEN TG_OP = 'DELETE' OR becomes->>'deleted_at' IS NOT NULL THEN 'removed'
      WHEN becomes->>'revoked_at' IS NOT NULL THEN 'revoked'
      WHEN becomes ? 'paused' THEN CASE becomes->>'paused' WHEN 'true' THEN 'paused' ELSE 'resumed' END
      WHEN becomes ? 'disabled_at' THEN CASE WHEN becomes->>'disabled_at' IS NULL THEN 'enabled' ELSE 'disabled' END
      WHEN becomes ? 'status' THEN
        CASE becomes->>'status' WHEN 'active' THEN 'activated' WHEN 'running' THEN 'started' ELSE becomes->>'status' END
      WHEN becomes ? 'secret' THEN 'secret_rotated'
      WHEN becomes ? 'password_hash' THEN 'password_changed'
      WHEN becomes ? 'role' THEN 'role_changed'
      ELSE 'changed'
    END,
    of_type,
    subject->>TG_ARGV[1],
    audited_fields(was, is_after, withheld),
    audited_fields(becomes, is_before, withheld)
  );
  RETURN NULL;
END
$function$
;
REVOKE EXECUTE ON FUNCTION audit_change FROM PUBLIC;

CREATE OR REPLACE FUNCTION public.audit_list_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  of_list record;
BEGIN
  FOR of_list IN EXECUTE format(
    'SELECT team_id, %s AS id, count(*) AS entries FROM entries GROUP BY 1, 2', coalesce(quote_ident(TG_ARGV[1]), 'NULL')
  ) LOOP
    PERFORM write_audit(
      of_list.team_id,
      TG_ARGV[0] || CASE TG_OP WHEN 'INSERT' THEN '.added' WHEN 'DELETE' THEN '.removed' ELSE '.changed' END,
      TG_ARGV[0],
      of_list.id::text,
      CASE WHEN TG_OP <> 'INSERT' THEN jsonb_build_object('entries', of_list.entries) END,
      CASE WHEN TG_OP <> 'DELETE' THEN jsonb_build_object('entries', of_list.entries) END
    );
  END LOOP;
  RETURN NULL;
END
$function$
;
REVOKE EXECUTE ON FUNCTION audit_list_change FROM PUBLIC;

CREATE OR REPLACE FUNCTION public.audited_fields(fields jsonb, other jsonb, withheld text[])
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT jsonb_object_agg(key, CASE
      WHEN value = 'null' THEN value
      WHEN key = ANY (withheld) THEN '"withheld"'
      WHEN key = 'url' THEN to_jsonb(regexp_replace(value #>> '{}', '^(\w+://)(?:[^/?#]*@)?([^/?#]*).*$', '\1\2'))
      WHEN length(told #>> '{}') > 4000 THEN to_jsonb(left(told #>> '{}', 4000) || '…')
      ELSE told
    END)
  FROM jsonb_each(fields), LATERAL (
    SELECT CASE WHEN jsonb_typeof(value) = 'object' AND jsonb_typeof(other->key) = 'object'
      THEN differing_fields(value, other->key) ELSE value END AS told
  ) narrowed
$function$
;
REVOKE EXECUTE ON FUNCTION audited_fields FROM PUBLIC;

CREATE OR REPLACE FUNCTION public.call_clock()
 RETURNS timestamp with time zone
 LANGUAGE plpgsql
AS $function$
DECLARE
  now timestamptz := date_trunc('milliseconds', outdial_now());
BEGIN
  IF to_regclass('public.call_details_' || to_char(now AT TIME ZONE 'UTC', 'YYYY_MM')) IS NULL THEN
    PERFORM make_call_month(now);
  END IF;
  -- The id of the call may be made shortly after this instant.
  IF date_trunc('month', now, 'UTC') <> date_trunc('month', now + interval '5 seconds', 'UTC') THEN
    PERFORM make_call_month(now + interval '5 seconds');
  END IF;
  RETURN now;
END $function$
;
REVOKE EXECUTE ON FUNCTION call_clock FROM PUBLIC;
GRANT EXECUTE ON FUNCTION call_clock TO outdial_app;

CREATE OR REPLACE FUNCTION public.call_event_data(r call_requests)
 RETURNS jsonb
 LANGUAGE sql
 STABLE
AS $function$
    SELECT jsonb_build_object(
      'id', r.id, 'agent_id', r.agent_id, 'enrollment_id', r.enrollment_id, 'accepted_at', r.accepted_at, 'status', r.status,
      'reason', r.reason, 'runs_at', r.runs_at, 'expires_at', r.expires_at, 'contact_id', r.contact_id,
      'phone_number', r.phone_number, 'caller_id', r.caller_id, 'answered_at', r.answered_at, 'ended_at', r.ended_at,
      'duration_seconds', r.duration_seconds, 'unknown_placeholders', r.unknown_placeholders)
$function$
;
REVOKE EXECUTE ON FUNCTION call_event_data FROM PUBLIC;

CREATE OR REPLACE FUNCTION public.call_retention(team uuid)
 RETURNS interval
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT greatest(
      coalesce(t.call_retention_days, s.call_retention_days) * interval '24 hours',
      31 * interval '24 hours',
      (SELECT max((cap.duration #>> '{}')::interval) + interval '48 hours'
        FROM campaign_versions v CROSS JOIN LATERAL (
          SELECT jsonb_path_query(v.definition, '$.caps.perNumber[*].per')
          UNION ALL
          SELECT v.definition #> '{caps,afterConversation}'
        ) cap (duration)
        WHERE v.team_id = t.id AND v.definition_format IS NOT NULL))
    FROM teams t CROSS JOIN platform_settings s
    WHERE t.id = team AND coalesce(t.call_retention_days, s.call_retention_days) > 0
$function$
;
REVOKE EXECUTE ON FUNCTION call_retention FROM PUBLIC;

CREATE OR REPLACE FUNCTION public.campaign_lock_key(campaign uuid)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ SELECT hashtextextended(campaign::text, 4) $function$
;
REVOKE EXECUTE ON FUNCTION campaign_lock_key FROM PUBLIC;
GRANT EXECUTE ON FUNCTION campaign_lock_key TO outdial_app;

CREATE OR REPLACE FUNCTION public.campaign_settling_key(campaign uuid)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ SELECT hashtextextended(campaign::text, 7) $function$
;
REVOKE EXECUTE ON FUNCTION campaign_settling_key FROM PUBLIC;
GRANT EXECUTE ON FUNCTION campaign_settling_key TO outdial_app;

CREATE OR REPLACE FUNCTION public.check_database_identity()
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  stored database_identity;
  cluster text;
  oid_now text := (SELECT d.oid::text FROM pg_database d WHERE d.datname = current_database());
  timeline_now integer;
  next_position bigint;
BEGIN
  BEGIN
    cluster := (SELECT c.system_identifier::text FROM pg_control_system() c);
  EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_function THEN NULL;
  END;
  BEGIN
    timeline_now := ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::integer;
  EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_function OR object_not_in_prerequisite_state THEN NULL;
  END;
  FOR attempt IN 1..2 LOOP
    IF attempt = 1 THEN
      SELECT * INTO stored FROM database_identity;
    ELSE
      SELECT * INTO stored FROM database_identity FOR UPDATE;
    END IF;
    IF FOUND AND stored.database_oid = oid_now
      AND coalesce(stored.system_identifier = cluster, true) AND coalesce(stored.timeline = timeline_now, true) THEN
      RETURN CASE WHEN stored.restored_at IS NULL THEN 'same' ELSE 'waiting' END;
    END IF;
    IF NOT FOUND THEN
      INSERT INTO database_identity (system_identifier, database_oid, timeline) VALUES (cluster, oid_now, timeline_now)
      ON CONFLICT (id) DO NOTHING;
      IF FOUND THEN RETURN 'first'; END IF;
    END IF;
  END LOOP;
  UPDATE database_identity SET
    system_identifier = coalesce(cluster, system_identifier), database_oid = oid_now,
    timeline = coalesce(timeline_now, timeline), restored_at = outdial_now(),
    newest_row_at = greatest(
      (SELECT max(newest.at) FROM teams t CROSS JOIN LATERAL (
         SELECT max(r.accepted_at) AS at FROM call_requests r WHERE r.team_id = t.id) newest),
      (SELECT max(r.ended_at) FROM call_requests r WHERE r.ended_at IS NOT NULL),
      (SELECT max(r.claimed_at) FROM call_requests r
       WHERE r.phase = 1 AND r.generation >= 0),
      (SELECT max(i.created_at) FROM idempotency_keys i),
      (SELECT max(s.ran_at) FROM sweeper_runs s));
  -- Readers may have seen numbers of events that the backup does not have.
  INSERT INTO event_sequences AS n (team_id, last, removed_through) SELECT t.id, 1000000, 0 FROM teams t
  ON CONFLICT (team_id) DO UPDATE SET last = n.last + excluded.last;
  -- The restore may have set the sequence to the last event that was left. If later events had been removed,
  -- the next positions are below the highest one that was numbered.
  SELECT p.last_value + p.is_called::integer INTO next_position FROM events_position_seq p;
  DELETE FROM event_gaps g WHERE g.found_by IS NOT NULL AND g.first >= next_position;
  UPDATE event_gaps g SET first = least(g.first, next_position) WHERE g.found_by IS NULL;
  UPDATE platform_settings SET paused = true;
  RETURN 'noticed';
END
$function$
;
REVOKE EXECUTE ON FUNCTION check_database_identity FROM PUBLIC;
GRANT EXECUTE ON FUNCTION check_database_identity TO outdial_app;

CREATE OR REPLACE FUNCTION public.claim_webhook_deliveries(endpoints uuid[], counts integer[], lease_ms integer)
 RETURNS TABLE(id uuid, endpoint_id uuid, team_id uuid, event_id uuid, "position" bigint, sequence bigint, type text, attempt integer, failures integer, created_at timestamp with time zone, url text, types text[], description text, secrets text[])
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    asked AS MATERIALIZED (
      SELECT q.endpoint, q.most, random() < 0.2 AS bulk_first FROM unnest(endpoints, counts) AS q (endpoint, most)
    ), due AS MATERIALIZED (
      SELECT d.id FROM clock
      CROSS JOIN asked q
      JOIN webhook_endpoints w ON w.id = q.endpoint AND w.disabled_at IS NULL AND w.deleted_at IS NULL
        AND (w.held_until IS NULL OR w.held_until <= clock.now)
      CROSS JOIN LATERAL (
        -- The second part is read only as far as the first leaves places.
        SELECT first.id FROM (
          SELECT d.id FROM webhook_deliveries d
          WHERE d.endpoint_id = q.endpoint AND d.status = 'pending' AND d.bulk = q.bulk_first AND d.next_at <= clock.now
            AND (d.claimed_until IS NULL OR d.claimed_until <= clock.now)
          ORDER BY d.next_at
          LIMIT q.most
          FOR UPDATE SKIP LOCKED) first
        UNION ALL
        SELECT second.id FROM (
          SELECT d.id FROM webhook_deliveries d
          WHERE d.endpoint_id = q.endpoint AND d.status = 'pending' AND d.bulk = NOT q.bulk_first AND d.next_at <= clock.now
            AND (d.claimed_until IS NULL OR d.claimed_until <= clock.now)
          ORDER BY d.next_at
          LIMIT q.most
          FOR UPDATE SKIP LOCKED) second
        LIMIT q.most) d
    ), claimed AS (
      UPDATE webhook_deliveries d SET
        claimed_until = clock.now + lease_ms * interval '1 millisecond', attempted_at = clock.now, attempts = d.attempts + 1
      FROM due, clock
      WHERE d.id = due.id
      RETURNING d.*
    )
    SELECT c.id, c.endpoint_id, c.team_id, c.event_id, c.position, c.sequence, c.type, c.attempts, c.failures,
      c.created_at, w.url, w.types, w.description,
      CASE WHEN w.previous_until > clock.now THEN ARRAY[w.secret, w.previous_secret] ELSE ARRAY[w.secret] END
    FROM clock CROSS JOIN claimed c
    JOIN webhook_endpoints w ON w.id = c.endpoint_id
    ORDER BY c.position
$function$
;
REVOKE EXECUTE ON FUNCTION claim_webhook_deliveries FROM PUBLIC;
GRANT EXECUTE ON FUNCTION claim_webhook_deliveries TO outdial_app;

CREATE OR REPLACE FUNCTION public.close_stale_imports()
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now), closed AS (
      UPDATE imports i SET status = 'failed', finished_at = clock.now, leased_until = NULL,
        error = CASE i.status WHEN 'staging' THEN 'The upload was interrupted' ELSE 'The import was not processed within three days' END
      FROM clock
      WHERE i.status IN ('staging', 'running')
        AND (i.status = 'staging' AND i.leased_until <= clock.now OR i.created_at <= clock.now - interval '3 days')
      RETURNING 1
    )
    SELECT count(*)::integer FROM closed
$function$
;
REVOKE EXECUTE ON FUNCTION close_stale_imports FROM PUBLIC;
GRANT EXECUTE ON FUNCTION close_stale_imports TO outdial_app;

CREATE OR REPLACE FUNCTION public.count_call(calls jsonb, came_from text, became text, processed boolean)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
    SELECT jsonb_strip_nulls(calls
      || jsonb_build_object(moved.gone, nullif(greatest(coalesce((calls->>moved.gone)::integer, 0) - 1, 0), 0))
      || CASE WHEN processed THEN jsonb_build_object(moved.come, coalesce((calls->>moved.come)::integer, 0) + 1) ELSE '{}' END)
    FROM (SELECT
      CASE came_from WHEN 'dial_unknown' THEN 'unknown' ELSE 'under_way' END AS gone,
      CASE became WHEN 'dial_unknown' THEN 'unknown' ELSE became END AS come) moved
$function$
;
REVOKE EXECUTE ON FUNCTION count_call FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_call TO outdial_app;

CREATE OR REPLACE FUNCTION public.count_enrollments()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ BEGIN
    IF TG_OP = 'INSERT' THEN
      -- Enrolling is frequent, and a new enrollment has no calls.
      INSERT INTO campaign_count_changes (campaign_id, team_id, version_id, kind, name, n)
      SELECT e.campaign_id, e.team_id, e.version_id, CASE WHEN e.status IN ('active', 'paused') THEN 'live' ELSE 'ended' END,
        CASE WHEN e.status IN ('active', 'paused') THEN coalesce(e.waiting_for, '') ELSE coalesce(e.end_reason, 'manual') END, count(*)
      FROM after e
      GROUP BY 1, 2, 3, 4, 5;
    ELSE
      INSERT INTO campaign_count_changes (campaign_id, team_id, version_id, kind, name, n)
      SELECT campaign_id, team_id, version_id, kind, name, sum(n)
      FROM (
        SELECT e.campaign_id, e.team_id, e.version_id, c.kind, c.name, -c.n AS n
        FROM before e CROSS JOIN LATERAL enrollment_counts(e.status, e.waiting_for, e.end_reason, e.calls) c
        UNION ALL
        SELECT e.campaign_id, e.team_id, e.version_id, c.kind, c.name, c.n
        FROM after e CROSS JOIN LATERAL enrollment_counts(e.status, e.waiting_for, e.end_reason, e.calls) c) changes
      GROUP BY 1, 2, 3, 4, 5
      HAVING sum(n) <> 0;
    END IF;
    RETURN NULL;
END $function$
;
REVOKE EXECUTE ON FUNCTION count_enrollments FROM PUBLIC;

CREATE OR REPLACE FUNCTION public.count_open_calls()
 RETURNS TABLE(status text, calls double precision)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT CASE r.phase WHEN -1 THEN 'scheduled' ELSE 'queued' END, count(*)::float8 FROM call_requests r
    WHERE r.phase <= 0 AND r.generation >= 0 GROUP BY r.phase
    UNION ALL
    SELECT r.status, count(*)::float8 FROM call_requests r
    WHERE r.phase = 1 AND r.generation >= 0 GROUP BY r.status
$function$
;
REVOKE EXECUTE ON FUNCTION count_open_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_open_calls TO outdial_app;

CREATE OR REPLACE FUNCTION public.count_overdue_calls()
 RETURNS TABLE(calls double precision, seconds double precision)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    SELECT count(*)::float8, coalesce(extract(epoch FROM max(clock.now - r.runs_at)), 0)::float8
    FROM call_requests r JOIN teams t ON t.id = r.team_id CROSS JOIN platform_settings s CROSS JOIN clock
    WHERE r.phase <= 0 AND (waiting_since IS NULL OR line_offered_at IS NOT NULL) AND r.runs_at <= clock.now AND NOT t.paused AND NOT s.paused
$function$
;
REVOKE EXECUTE ON FUNCTION count_overdue_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_overdue_calls TO outdial_app;

CREATE OR REPLACE FUNCTION public.count_restored_calls()
 RETURNS integer
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT count(*)::integer FROM database_identity d JOIN call_requests r ON r.runs_at <= d.restored_at
    WHERE r.phase <= 0 AND r.generation >= 0 AND r.accepted_at < d.restored_at
$function$
;
REVOKE EXECUTE ON FUNCTION count_restored_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_restored_calls TO outdial_app;

CREATE OR REPLACE FUNCTION public.count_unknown_zones(known text[])
 RETURNS TABLE(agents integer, contacts integer, calls integer, enrollments integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    held_calls AS MATERIALIZED (
      SELECT c.id AS contact_id, r.timezone IS NULL AND c.timezone IS NOT NULL AS own
      FROM (
        SELECT r.team_id, r.contact_id, r.agent_id, r.timezone FROM call_requests r
        WHERE r.phase <= 0 AND (r.waiting_since IS NULL OR r.line_offered_at IS NOT NULL)
          AND r.runs_at <= (SELECT now FROM clock) AND r.expires_at > (SELECT now FROM clock)
        ORDER BY r.runs_at, r.id
        LIMIT 10000) r
      JOIN contacts c ON c.team_id = r.team_id AND c.id = r.contact_id
      JOIN voice_agents a ON a.team_id = r.team_id AND a.id = r.agent_id
      WHERE lower(coalesce(r.timezone, c.timezone, a.timezone)) <> ALL(known)
    ), held_enrollments AS MATERIALIZED (
      SELECT c.id AS contact_id, c.timezone IS NOT NULL AS own
      FROM campaigns p CROSS JOIN LATERAL (
        SELECT e.team_id, e.contact_id FROM enrollments e
        WHERE e.campaign_id = p.id AND e.waiting_for = 'zone'
        ORDER BY e.created_at
        LIMIT 10000) e
      JOIN contacts c ON c.team_id = e.team_id AND c.id = e.contact_id
      LIMIT 10000
    )
    SELECT
      (SELECT count(*)::integer FROM voice_agents a WHERE a.deleted_at IS NULL AND lower(a.timezone) <> ALL(known)),
      (SELECT count(*)::integer FROM (
        SELECT contact_id FROM held_calls WHERE own UNION SELECT contact_id FROM held_enrollments WHERE own) held),
      (SELECT count(*)::integer FROM held_calls),
      (SELECT count(*)::integer FROM held_enrollments)
$function$
;
REVOKE EXECUTE ON FUNCTION count_unknown_zones FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_unknown_zones TO outdial_app;

CREATE OR REPLACE FUNCTION public.count_unnumbered_events()
 RETURNS TABLE(events integer, seconds double precision)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT count(*)::integer, coalesce(greatest(0, extract(epoch FROM outdial_now() - min(u.at))), 0)::float8
    FROM (
      SELECT e.at FROM event_gaps g
      CROSS JOIN LATERAL (
        SELECT e.at FROM events e WHERE e.position BETWEEN g.first AND g.last ORDER BY e.position LIMIT 10000) e
      LIMIT 10000) u
$function$
;
REVOKE EXECUTE ON FUNCTION count_unnumbered_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_unnumbered_events TO outdial_app;

CREATE OR REPLACE FUNCTION public.count_waiting_calls()
 RETURNS double precision
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ SELECT count(*)::float8 FROM call_requests WHERE phase <= 0 AND waiting_since IS NOT NULL $function$
;
REVOKE EXECUTE ON FUNCTION count_waiting_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION count_waiting_calls TO outdial_app;

CREATE OR REPLACE FUNCTION public.counted_calls(team uuid, of_month date)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
    SELECT greatest(coalesce(sum(u.used), 0), 0)::integer FROM plan_usage u
    WHERE u.team_id = team AND u.month = of_month
$function$
;
REVOKE EXECUTE ON FUNCTION counted_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION counted_calls TO outdial_app;

CREATE OR REPLACE FUNCTION public.decide_enrollments_of_zones(zones text[], after_id uuid, batch integer)
 RETURNS TABLE(last uuid, decided integer)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    page AS MATERIALIZED (
      SELECT e.id FROM enrollments e WHERE e.id > after_id ORDER BY e.id LIMIT batch
    ), concerned AS MATERIALIZED (
      -- Another transaction that has locked a row is deciding it.
      SELECT e.id FROM enrollments e CROSS JOIN clock JOIN contacts c ON c.team_id = e.team_id AND c.id = e.contact_id
      WHERE e.id = ANY(ARRAY(SELECT id FROM page)) AND e.status IN ('active', 'paused') AND e.next_attempt_at > clock.now
        AND CASE WHEN c.timezone IS NOT NULL THEN lower(c.timezone) = ANY(zones)
          ELSE EXISTS (SELECT FROM voice_agents a WHERE a.team_id = e.team_id AND lower(a.timezone) = ANY(zones)) END
      ORDER BY e.id
      FOR UPDATE OF e SKIP LOCKED
    ), changed AS (
      UPDATE enrollments e SET settle_at = least(e.settle_at, clock.now)
      FROM concerned, clock
      WHERE e.id = concerned.id AND e.id = ANY(ARRAY(SELECT id FROM concerned))
      RETURNING 1
    )
    SELECT (SELECT id FROM page ORDER BY id DESC LIMIT 1), (SELECT count(*)::integer FROM changed)
$function$
;
REVOKE EXECUTE ON FUNCTION decide_enrollments_of_zones FROM PUBLIC;
GRANT EXECUTE ON FUNCTION decide_enrollments_of_zones TO outdial_app;

CREATE OR REPLACE FUNCTION public.delete_old_audit(days integer, most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  removed integer;
BEGIN
  DELETE FROM audit_log WHERE id IN (
    SELECT id FROM audit_log WHERE at < now() - make_interval(days => greatest(days, 30))
    ORDER BY at LIMIT most FOR UPDATE SKIP LOCKED
  );
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END
$function$
;
REVOKE EXECUTE ON FUNCTION delete_old_audit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION delete_old_audit TO outdial_app;

CREATE OR REPLACE FUNCTION public.differing_fields(one jsonb, other jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
AS $function$
  SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(one) WHERE other->key IS DISTINCT FROM value
$function$
;
REVOKE EXECUTE ON FUNCTION differing_fields FROM PUBLIC;

CREATE OR REPLACE FUNCTION public.drop_old_call_month()
 RETURNS double precision
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  oldest record;
  since timestamptz;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('remove_ended_calls', 5)) THEN RETURN NULL; END IF;
  SELECT c.relname AS name, c.reltuples AS calls, month.first, month.first + interval '1 month' AS behind INTO oldest
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    CROSS JOIN LATERAL (SELECT to_timestamp(right(c.relname, 7), 'YYYY_MM') AS first) month
  WHERE i.inhparent = 'call_details'::regclass
  ORDER BY c.relname
  LIMIT 1;
  -- No retention is shorter.
  IF oldest.behind IS NULL OR oldest.behind > outdial_now() - interval '31 days' THEN RETURN NULL; END IF;
  IF EXISTS (SELECT FROM teams t CROSS JOIN platform_settings s
    WHERE coalesce(t.call_retention_days, s.call_retention_days) = 0) THEN RETURN NULL; END IF;
  SELECT outdial_now() - max(call_retention(t.id)) INTO since FROM teams t;
  IF oldest.behind > coalesce(since, '-infinity') OR EXISTS (
    SELECT FROM call_requests r
    WHERE r.id >= least_call_id(oldest.first) AND r.id < least_call_id(oldest.behind)
      AND (r.ended_at IS NULL OR r.ended_at > since)) THEN
    RETURN NULL;
  END IF;
  PERFORM set_config('lock_timeout', '100ms', true);
  EXECUTE format('DROP TABLE %I', oldest.name);
  RETURN greatest(oldest.calls, 0);
EXCEPTION WHEN lock_not_available THEN
  RETURN NULL;
END $function$
;
REVOKE EXECUTE ON FUNCTION drop_old_call_month FROM PUBLIC;
GRANT EXECUTE ON FUNCTION drop_old_call_month TO outdial_app;

CREATE OR REPLACE FUNCTION public.end_archived_enrollments(batch integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    live AS MATERIALIZED (
      SELECT l.id FROM clock CROSS JOIN campaigns p
      JOIN campaign_versions v ON v.campaign_id = p.id
      CROSS JOIN LATERAL (
        SELECT e.id FROM enrollments e
        WHERE e.version_id = v.id AND e.status IN ('active', 'paused')
          AND (e.settle_at IS NULL OR e.settle_at > clock.now OR e.calls = '{}')
        ORDER BY e.id
        LIMIT batch
        FOR UPDATE SKIP LOCKED) l
      WHERE p.status = 'archived'
    ), ended AS (
      UPDATE enrollments e SET
        status = 'exited', end_reason = 'archived', ended_at = clock.now, updated_at = clock.now,
        waiting_for = NULL, next_attempt_at = NULL, look_at = NULL, settle_at = NULL,
        timeline = e.timeline || jsonb_build_object(
          'at', to_char(clock.now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'kind', 'ended', 'status', 'exited', 'endReason', 'archived')
      FROM live, clock
      WHERE e.id = live.id
        -- Forces the index: with wrong statistics, a join reads the whole table.
        AND e.id = ANY(ARRAY(SELECT id FROM live))
      RETURNING 1
    )
    SELECT count(*)::integer FROM ended
$function$
;
REVOKE EXECUTE ON FUNCTION end_archived_enrollments FROM PUBLIC;
GRANT EXECUTE ON FUNCTION end_archived_enrollments TO outdial_app;

CREATE OR REPLACE FUNCTION public.enrollment_counts(status text, waiting_for text, end_reason text, calls jsonb)
 RETURNS TABLE(kind text, name text, n integer)
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
    SELECT 'live', coalesce(waiting_for, ''), 1 WHERE status IN ('active', 'paused')
    UNION ALL SELECT 'ended', coalesce(end_reason, 'manual'), 1 WHERE status NOT IN ('active', 'paused')
    UNION ALL SELECT 'attempted', '', 1 WHERE calls <> '{}'
    UNION ALL SELECT 'reached', '', 1 WHERE calls ? 'completed'
    UNION ALL SELECT 'attempt', key, value::integer FROM jsonb_each_text(calls) WHERE key <> 'under_way'
$function$
;
REVOKE EXECUTE ON FUNCTION enrollment_counts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION enrollment_counts TO outdial_app;

CREATE OR REPLACE FUNCTION public.find_calls_of_zones(zones text[], decided_before timestamp with time zone, after_runs_at timestamp with time zone, after_id uuid, batch integer)
 RETURNS TABLE(id uuid, generation integer, team_id uuid, accepted_at timestamp with time zone, runs_at timestamp with time zone, first_runs_at timestamp with time zone, not_before timestamp with time zone, not_after timestamp with time zone, zone text, calling_hours jsonb, closed_dates text[])
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT r.id, r.generation, r.team_id, r.accepted_at, r.runs_at, coalesce(r.first_runs_at, r.runs_at), r.not_before, r.not_after,
      found.zone, CASE WHEN found.zone IS NOT NULL THEN a.calling_hours END,
      CASE WHEN found.zone IS NOT NULL THEN a.closed_dates::text[] END
    FROM (
      SELECT * FROM call_requests r
      WHERE r.phase <= 0 AND (r.waiting_since IS NULL OR r.line_offered_at IS NOT NULL)
        AND (r.runs_at, r.id) > (greatest(after_runs_at, outdial_now()), after_id)
      ORDER BY r.runs_at, r.id
      LIMIT batch) r
    JOIN voice_agents a ON a.team_id = r.team_id AND a.id = r.agent_id
    JOIN contacts c ON c.team_id = r.team_id AND c.id = r.contact_id
    CROSS JOIN LATERAL (SELECT coalesce(r.timezone, c.timezone, a.timezone) AS name) stated
    CROSS JOIN LATERAL (
      SELECT CASE WHEN r.status = 'scheduled' AND lower(stated.name) = ANY(zones)
        AND (r.history->-1->>'at')::timestamptz < date_trunc('milliseconds', decided_before) THEN stated.name END AS zone) found
    ORDER BY r.runs_at, r.id
$function$
;
REVOKE EXECUTE ON FUNCTION find_calls_of_zones FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_calls_of_zones TO outdial_app;

CREATE OR REPLACE FUNCTION public.find_calls_under_way(of_team uuid, left_out uuid[], batch integer)
 RETURNS TABLE(id uuid, team_id uuid, in_progress boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT r.id, r.team_id, r.status = 'in_progress' FROM call_requests r
    WHERE r.phase = 1 AND r.generation >= 0 AND r.status IN ('dialing', 'in_progress')
      AND (of_team IS NULL OR r.team_id = of_team) AND r.id <> ALL(left_out)
    ORDER BY r.claimed_at
    LIMIT batch
$function$
;
REVOKE EXECUTE ON FUNCTION find_calls_under_way FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_calls_under_way TO outdial_app;

CREATE OR REPLACE FUNCTION public.find_dialing_campaigns()
 RETURNS TABLE(id uuid, team_id uuid, weight integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    SELECT p.id, p.team_id, coalesce((p.pacing->>'weight')::integer, 1)
    FROM clock CROSS JOIN platform_settings s CROSS JOIN campaigns p JOIN teams t ON t.id = p.team_id
    WHERE p.status = 'active' AND NOT t.paused AND NOT s.paused AND (
      SELECT true FROM generate_series(0, 2) AS rank CROSS JOIN LATERAL (
        SELECT FROM enrollments e
        WHERE e.campaign_id = p.id AND e.status = 'active' AND e.dial_rank = rank AND e.look_at IS NOT NULL AND e.look_at <= clock.now
        ORDER BY e.look_at
        LIMIT 1) due
      LIMIT 1)
$function$
;
REVOKE EXECUTE ON FUNCTION find_dialing_campaigns FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_dialing_campaigns TO outdial_app;

CREATE OR REPLACE FUNCTION public.find_due_webhook_endpoints()
 RETURNS TABLE(endpoint_id uuid, team_id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH RECURSIVE clock AS MATERIALIZED (SELECT outdial_now() AS now),
    pending AS (
      (SELECT d.endpoint_id, d.bulk, d.next_at FROM webhook_deliveries d
       WHERE d.status = 'pending'
       ORDER BY d.endpoint_id, d.bulk, d.next_at LIMIT 1)
      UNION ALL
      SELECT next.endpoint_id, next.bulk, next.next_at FROM pending p
      CROSS JOIN LATERAL (
        SELECT d.endpoint_id, d.bulk, d.next_at FROM webhook_deliveries d
        WHERE d.status = 'pending' AND (d.endpoint_id, d.bulk) > (p.endpoint_id, p.bulk)
        ORDER BY d.endpoint_id, d.bulk, d.next_at LIMIT 1) next
    )
    SELECT DISTINCT w.id, w.team_id
    FROM clock CROSS JOIN pending p JOIN webhook_endpoints w ON w.id = p.endpoint_id
    WHERE p.next_at <= clock.now AND w.disabled_at IS NULL AND w.deleted_at IS NULL
      AND (w.held_until IS NULL OR w.held_until <= clock.now)
$function$
;
REVOKE EXECUTE ON FUNCTION find_due_webhook_endpoints FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_due_webhook_endpoints TO outdial_app;

CREATE OR REPLACE FUNCTION public.find_expired_behind(after_expires_at timestamp with time zone, after_id uuid, batch integer)
 RETURNS TABLE(id uuid, team_id uuid, expires_at timestamp with time zone)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT r.id, r.team_id, r.expires_at FROM call_requests r
    WHERE r.phase <= 0 AND r.generation >= 0 AND r.expires_at <= (SELECT outdial_now())
      AND (r.expires_at, r.id) > (after_expires_at, after_id)
    ORDER BY r.expires_at, r.id
    LIMIT batch
$function$
;
REVOKE EXECUTE ON FUNCTION find_expired_behind FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_expired_behind TO outdial_app;

CREATE OR REPLACE FUNCTION public.find_migrating_versions()
 RETURNS TABLE(id uuid, team_id uuid, migrates_to uuid, first_after text, agent_timezone text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT v.id, v.team_id, v.migrates_to,
      CASE WHEN v.definition_format IS NOT NULL AND v.definition #> '{steps,0}' IS NOT NULL
        THEN coalesce(v.definition #>> '{steps,0,after}', 'PT0S') END,
      (SELECT a.timezone FROM voice_agents a
        WHERE a.team_id = v.team_id AND a.id::text = lower(v.definition #>> '{steps,0,agentId}'))
    FROM campaign_versions v
    WHERE v.migrates_to IS NOT NULL
    ORDER BY v.id
$function$
;
REVOKE EXECUTE ON FUNCTION find_migrating_versions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_migrating_versions TO outdial_app;

CREATE OR REPLACE FUNCTION public.find_settling_campaigns(blocked uuid[])
 RETURNS TABLE(id uuid, team_id uuid, settles boolean, unseen boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    SELECT p.id, p.team_id, found.settles, found.unseen
    FROM clock CROSS JOIN platform_settings s CROSS JOIN campaigns p JOIN teams t ON t.id = p.team_id
    CROSS JOIN LATERAL (
      SELECT coalesce((
        SELECT true FROM enrollments e
        WHERE e.campaign_id = p.id AND e.status IN ('active', 'paused') AND e.settle_at IS NOT NULL AND e.settle_at <= clock.now
        ORDER BY e.settle_at
        LIMIT 1), false) AS settles,
      CASE WHEN p.id = ANY(blocked) OR p.status <> 'archived' AND (p.status <> 'active' OR t.paused OR s.paused) AND EXISTS (
          SELECT FROM campaign_versions v WHERE v.campaign_id = p.id AND v.definition #>> '{caps,lifetime}' IS NOT NULL)
        THEN coalesce((
          SELECT true FROM enrollments e
          WHERE e.campaign_id = p.id AND e.status = 'active' AND e.dial_rank = 2 AND e.look_at IS NOT NULL AND e.look_at <= clock.now
          ORDER BY e.look_at
          LIMIT 1), false)
        ELSE false END AS unseen) found
    WHERE found.settles OR found.unseen
$function$
;
REVOKE EXECUTE ON FUNCTION find_settling_campaigns FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_settling_campaigns TO outdial_app;

CREATE OR REPLACE FUNCTION public.find_teams_with_free_concurrency_slots(unknown_ms double precision, batch integer)
 RETURNS TABLE(team_id uuid)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH RECURSIVE clock AS MATERIALIZED (SELECT outdial_now() AS now),
    waiting AS (
      (SELECT r.team_id FROM call_requests r
        WHERE r.phase <= 0 AND r.waiting_since IS NOT NULL ORDER BY r.team_id LIMIT 1)
      UNION ALL
      SELECT (SELECT r.team_id FROM call_requests r
        WHERE r.phase <= 0 AND r.waiting_since IS NOT NULL AND r.team_id > w.team_id ORDER BY r.team_id LIMIT 1)
      FROM waiting w WHERE w.team_id IS NOT NULL
    )
    SELECT t.id
    FROM waiting w JOIN teams t ON t.id = w.team_id CROSS JOIN platform_settings s CROSS JOIN clock
    CROSS JOIN LATERAL (
      SELECT t.max_concurrent_calls - count(*)::integer AS slots FROM call_requests b
      WHERE b.team_id = t.id AND b.phase = 1 AND b.generation >= 0
        AND (b.status <> 'dial_unknown' OR b.claimed_at > clock.now - unknown_ms * interval '1 ms')
    ) free
    WHERE NOT t.paused AND NOT s.paused AND EXISTS (
      SELECT FROM (
        SELECT o.line_offered_at FROM call_requests o
        WHERE o.team_id = t.id AND o.phase <= 0 AND o.waiting_since IS NOT NULL
        ORDER BY o.runs_at, o.id
        LIMIT greatest(0, coalesce(free.slots, 1000))
      ) oldest WHERE oldest.line_offered_at IS NULL)
    LIMIT batch
$function$
;
REVOKE EXECUTE ON FUNCTION find_teams_with_free_concurrency_slots FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_teams_with_free_concurrency_slots TO outdial_app;

CREATE OR REPLACE FUNCTION public.find_unsettled(carrier_name text, of_reason text, within_ms double precision, batch integer)
 RETURNS TABLE(id uuid, carrier_call_id text)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT r.id, r.carrier_call_id FROM call_requests r
    WHERE r.phase = 1 AND r.generation >= 0 AND r.status = 'dial_unknown' AND r.carrier = carrier_name
      AND r.reason = of_reason
      AND (r.history->-1->>'at')::timestamptz <= outdial_now() - within_ms * interval '1 ms'
    LIMIT batch
$function$
;
REVOKE EXECUTE ON FUNCTION find_unsettled FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_unsettled TO outdial_app;

CREATE OR REPLACE FUNCTION public.find_unwoken(grace_ms double precision, after_runs_at timestamp with time zone, after_id uuid, batch integer)
 RETURNS TABLE(id uuid, generation integer, team_id uuid, runs_at timestamp with time zone, overdue boolean, backed_off boolean, overlong boolean)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    SELECT r.id, r.generation, r.team_id, r.runs_at,
      NOT t.paused AND NOT s.paused AND r.expires_at > clock.now
        AND greatest(r.runs_at, r.woken_at) + grace_ms * interval '1 ms' <= clock.now,
      greatest(r.runs_at, r.woken_at) + grace_ms * interval '1 ms' * power(2, least(r.wakes, 6)) <= clock.now,
      greatest(r.runs_at, r.woken_at) + grace_ms * interval '1 ms' * 360 <= clock.now
    FROM call_requests r JOIN teams t ON t.id = r.team_id CROSS JOIN platform_settings s CROSS JOIN clock
    WHERE r.phase <= 0 AND (r.waiting_since IS NULL OR r.line_offered_at IS NOT NULL)
      AND r.runs_at <= clock.now - grace_ms * interval '1 ms'
      AND (r.runs_at, r.id) > (after_runs_at, after_id)
    ORDER BY r.runs_at, r.id
    LIMIT batch
$function$
;
REVOKE EXECUTE ON FUNCTION find_unwoken FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_unwoken TO outdial_app;

CREATE OR REPLACE FUNCTION public.find_wake_ups(after_runs_at timestamp with time zone, after_id uuid, batch integer)
 RETURNS TABLE(id uuid, generation integer, team_id uuid, runs_at timestamp with time zone, due_in_ms double precision)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    SELECT r.id, r.generation, r.team_id, r.runs_at,
      CASE WHEN r.expires_at > clock.now
        AND (NOT t.paused AND NOT s.paused OR greatest(r.runs_at, r.woken_at) > clock.now)
        THEN greatest(0, extract(epoch FROM greatest(r.runs_at, r.woken_at) - clock.now) * 1000)::float8 END
    FROM call_requests r JOIN teams t ON t.id = r.team_id CROSS JOIN platform_settings s CROSS JOIN clock
    WHERE r.phase <= 0 AND (r.waiting_since IS NULL OR r.line_offered_at IS NOT NULL) AND (r.runs_at, r.id) > (after_runs_at, after_id)
    ORDER BY r.runs_at, r.id
    LIMIT batch
$function$
;
REVOKE EXECUTE ON FUNCTION find_wake_ups FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_wake_ups TO outdial_app;

CREATE OR REPLACE FUNCTION public.finish_webhook_attempts(ids uuid[], attempts integer[], outcomes text[], codes integer[], answers text[], errors text[], durations integer[], pauses_ms bigint[], holds_ms bigint[])
 RETURNS TABLE(endpoint_id uuid, team_id uuid, reason text)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    results AS MATERIALIZED (
      SELECT * FROM unnest(ids, attempts, outcomes, codes, answers, errors, durations, pauses_ms, holds_ms)
        AS r (id, attempt, outcome, code, answer, error, duration, pause_ms, hold_ms)
    ), recorded AS (
      UPDATE webhook_deliveries d SET
        status = CASE WHEN r.outcome IN ('delivered', 'failed') THEN r.outcome ELSE 'pending' END,
        failures = d.failures + (r.outcome IN ('retry', 'failed'))::integer,
        next_at = CASE r.outcome
          WHEN 'retry' THEN clock.now + r.pause_ms * interval '1 millisecond'
          WHEN 'released' THEN d.next_at
        END,
        claimed_until = NULL, response_code = r.code, answer = CASE WHEN d.attempts = r.attempt THEN r.answer END, error = r.error, duration_ms = r.duration
      FROM results r, clock
      WHERE d.id = r.id AND d.status = 'pending' AND d.claimed_until IS NOT NULL
        AND (r.outcome = 'delivered' OR d.attempts = r.attempt)
      RETURNING d.endpoint_id, r.outcome, r.code, r.hold_ms
    ), by_endpoint AS (
      SELECT r.endpoint_id, bool_or(r.outcome = 'delivered') AS taken, bool_or(r.code = 410) AS gone, max(r.hold_ms) AS hold_ms
      FROM recorded r
      WHERE r.outcome <> 'released'
      GROUP BY 1
    ), changed AS MATERIALIZED (
      SELECT w.id, w.disabled_at AS was_disabled_at, b.taken, b.hold_ms, CASE
          WHEN b.gone THEN 'gone'
          WHEN NOT b.taken AND w.failing_since <= clock.now - interval '5 days' THEN 'failing'
        END AS reason
      FROM clock CROSS JOIN by_endpoint b JOIN webhook_endpoints w ON w.id = b.endpoint_id
      WHERE b.gone OR b.hold_ms IS NOT NULL
        OR CASE WHEN b.taken THEN w.failing_since IS NOT NULL
          ELSE w.failing_since IS NULL OR w.failing_since <= clock.now - interval '5 days' END
      -- In one order, because several workers do this.
      ORDER BY w.id
      FOR NO KEY UPDATE OF w
    ), written AS (
      UPDATE webhook_endpoints w SET
        failing_since = CASE WHEN NOT c.taken THEN coalesce(w.failing_since, clock.now) END,
        held_until = CASE WHEN c.hold_ms IS NULL THEN w.held_until ELSE clock.now + c.hold_ms * interval '1 millisecond' END,
        disabled_at = CASE WHEN c.reason IS NULL THEN w.disabled_at ELSE coalesce(w.disabled_at, clock.now) END,
        disabled_reason = CASE WHEN c.reason IS NULL THEN w.disabled_reason ELSE coalesce(w.disabled_reason, c.reason) END
      FROM changed c, clock
      WHERE w.id = c.id
      RETURNING w.id, w.team_id, c.reason, c.was_disabled_at
    )
    SELECT written.id, written.team_id, written.reason FROM written
    WHERE written.reason IS NOT NULL AND written.was_disabled_at IS NULL
$function$
;
REVOKE EXECUTE ON FUNCTION finish_webhook_attempts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION finish_webhook_attempts TO outdial_app;

CREATE OR REPLACE FUNCTION public.finish_zone_moves(given_version text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  UPDATE platform_settings SET zone_data_moved = given_version WHERE zone_data_version = given_version
$function$
;
REVOKE EXECUTE ON FUNCTION finish_zone_moves FROM PUBLIC;
GRANT EXECUTE ON FUNCTION finish_zone_moves TO outdial_app;

CREATE OR REPLACE FUNCTION public.fold_campaign_counts(batch integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH taken AS (
      DELETE FROM campaign_count_changes
      WHERE ctid = ANY(ARRAY(SELECT ctid FROM campaign_count_changes LIMIT batch FOR UPDATE SKIP LOCKED))
      RETURNING campaign_id, team_id, version_id, kind, name, n
    ), folded AS (
      INSERT INTO campaign_counts (campaign_id, team_id, version_id, kind, name, n)
      SELECT campaign_id, team_id, version_id, kind, name, sum(n) FROM taken
      GROUP BY 1, 2, 3, 4, 5
      ORDER BY campaign_id, version_id, kind, name
      ON CONFLICT (campaign_id, version_id, kind, name) DO UPDATE SET n = campaign_counts.n + excluded.n
    )
    SELECT count(*)::integer FROM taken
$function$
;
REVOKE EXECUTE ON FUNCTION fold_campaign_counts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fold_campaign_counts TO outdial_app;

CREATE OR REPLACE FUNCTION public.forget_details_of_erased_call()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  DECLARE
    talks boolean := NEW.status IN ('dialing', 'in_progress');
  BEGIN
    UPDATE call_details d SET
      decision = CASE WHEN jsonb_typeof(d.decision -> 'rules') = 'array'
        THEN d.decision || jsonb_build_object('rules', (
          SELECT coalesce(jsonb_agg(rules.rule || '{"evidence": {"erased": true}}' ORDER BY rules.n), '[]')
          FROM jsonb_array_elements(d.decision -> 'rules') WITH ORDINALITY AS rules (rule, n)))
        ELSE d.decision END,
      prompt = CASE WHEN talks AND d.generation = NEW.generation THEN d.prompt END,
      first_message = CASE WHEN talks AND d.generation = NEW.generation THEN d.first_message END,
      variables = CASE WHEN talks AND d.generation = NEW.generation THEN d.variables END
    WHERE d.id = NEW.id;
    RETURN NULL;
  END $function$
;
REVOKE EXECUTE ON FUNCTION forget_details_of_erased_call FROM PUBLIC;

CREATE OR REPLACE FUNCTION public.hold_restored_calls(default_carrier text, batch integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH clock AS MATERIALIZED (SELECT date_trunc('milliseconds', outdial_now()) AS now),
    due AS MATERIALIZED (
      SELECT r.id FROM database_identity d JOIN call_requests r ON r.runs_at <= d.restored_at
      WHERE r.phase <= 0 AND r.generation >= 0 AND r.accepted_at < d.restored_at
      ORDER BY r.runs_at
      LIMIT batch
      FOR UPDATE OF r SKIP LOCKED
    ), held AS (
      UPDATE call_requests r SET
        status = 'dial_unknown', phase = 1, reason = 'DATABASE_RESTORED', claimed_at = least(r.runs_at, clock.now), processed_at = clock.now,
        caller_id = coalesce(r.from_phone_number, a.outbound_phone_number, ''), carrier = coalesce(a.carrier, default_carrier),
        generation = r.generation + 1, woken_at = clock.now, wakes = 0, waiting_since = NULL, line_offered_at = NULL,
        history = r.history || (
          SELECT jsonb_agg(jsonb_build_object(
            'at', to_char(clock.now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'from', move.from_state, 'to', move.to_state, 'cause', 'database_restored'))
          FROM (VALUES (r.status, 'dialing'), ('dialing', 'dial_unknown')) AS move (from_state, to_state))
      FROM due, clock, voice_agents a
      WHERE r.id = due.id AND a.team_id = r.team_id AND a.id = r.agent_id
      RETURNING 1
    )
    SELECT count(*)::integer FROM held
$function$
;
REVOKE EXECUTE ON FUNCTION hold_restored_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hold_restored_calls TO outdial_app;

CREATE OR REPLACE FUNCTION public.idempotency_lock_key(team uuid, key text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ SELECT hashtextextended(team::text || key, 3) $function$
;
REVOKE EXECUTE ON FUNCTION idempotency_lock_key FROM PUBLIC;
GRANT EXECUTE ON FUNCTION idempotency_lock_key TO outdial_app;

CREATE OR REPLACE FUNCTION public.is_ahead(instant timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE PARALLEL SAFE
AS $function$ BEGIN RETURN instant > outdial_now(); END $function$
;
REVOKE EXECUTE ON FUNCTION is_ahead FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_ahead TO outdial_app;

CREATE OR REPLACE FUNCTION public.keep_audit_log()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
DECLARE
  callers text;
BEGIN
  GET DIAGNOSTICS callers = PG_CONTEXT;
  IF TG_OP = 'DELETE' AND callers ~ 'PL/pgSQL function delete_old_audit\(' THEN RETURN NULL; END IF;
  RAISE EXCEPTION 'rows of the audit log are never changed or removed' USING ERRCODE = 'insufficient_privilege';
END
$function$
;
REVOKE EXECUTE ON FUNCTION keep_audit_log FROM PUBLIC;

CREATE OR REPLACE FUNCTION public.key_is_live(revoked_at timestamp with time zone, expires_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ SELECT revoked_at IS NULL AND (expires_at IS NULL OR is_ahead(expires_at)) $function$
;
REVOKE EXECUTE ON FUNCTION key_is_live FROM PUBLIC;
GRANT EXECUTE ON FUNCTION key_is_live TO outdial_app;

CREATE OR REPLACE FUNCTION public.known_keys(hashes bytea[])
 RETURNS TABLE(key_hash bytea, team_id uuid, scopes text[], lasts_ms double precision)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT k.key_hash, k.team_id, k.scopes,
      (extract(epoch FROM k.expires_at - outdial_now()) * 1000)::double precision
    FROM api_keys k
    WHERE k.key_hash = ANY (hashes) AND key_is_live(k.revoked_at, k.expires_at)
$function$
;
REVOKE EXECUTE ON FUNCTION known_keys FROM PUBLIC;
GRANT EXECUTE ON FUNCTION known_keys TO outdial_app;

CREATE OR REPLACE FUNCTION public.least_call_id(at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ SELECT rpad(lpad(to_hex(floor(extract(epoch FROM at) * 1000)::bigint), 12, '0'), 32, '0')::uuid $function$
;
REVOKE EXECUTE ON FUNCTION least_call_id FROM PUBLIC;
GRANT EXECUTE ON FUNCTION least_call_id TO outdial_app;

CREATE OR REPLACE FUNCTION public.make_call_month(at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  first timestamp := date_trunc('month', at AT TIME ZONE 'UTC');
  name text := 'call_details_' || to_char(first, 'YYYY_MM');
BEGIN
  IF to_regclass(name) IS NOT NULL THEN RETURN false; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('make_call_month', 6));
  -- This statement has a new snapshot, because another transaction may have made the table meanwhile.
  -- `to_regclass` would return its cached result.
  IF EXISTS (SELECT FROM pg_class c WHERE c.relname = name AND c.relnamespace = 'public'::regnamespace) THEN RETURN false; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE call_details INCLUDING ALL)', name);
  EXECUTE format('ALTER TABLE call_details ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name,
    least_call_id(first AT TIME ZONE 'UTC'), least_call_id((first + interval '1 month') AT TIME ZONE 'UTC'));
  RETURN true;
END $function$
;
REVOKE EXECUTE ON FUNCTION make_call_month FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_call_month TO outdial_app;

CREATE OR REPLACE FUNCTION public.make_call_months()
 RETURNS integer
 LANGUAGE sql
AS $function$
    SELECT count(*) FILTER (WHERE make_call_month(clock.month + n * interval '1 month'))::integer
    FROM (SELECT date_trunc('month', outdial_now(), 'UTC') AS month) clock CROSS JOIN generate_series(0, 12) AS n
$function$
;
REVOKE EXECUTE ON FUNCTION make_call_months FROM PUBLIC;
GRANT EXECUTE ON FUNCTION make_call_months TO outdial_app;

CREATE OR REPLACE FUNCTION public.mark_unknown(dialing_ms double precision, in_progress_ms double precision, batch integer)
 RETURNS TABLE(id uuid)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    silent AS (
      SELECT r.id FROM call_requests r CROSS JOIN clock
      WHERE r.phase = 1 AND r.generation >= 0 AND (
        r.status = 'dialing' AND r.claimed_at < clock.now - dialing_ms * interval '1 ms'
        OR r.status = 'in_progress' AND r.claimed_at < clock.now - in_progress_ms * interval '1 ms')
      ORDER BY r.claimed_at
      LIMIT batch
      FOR UPDATE OF r SKIP LOCKED
    ), marked AS (
      UPDATE call_requests r SET
        status = 'dial_unknown', reason = 'NO_WORD',
        variables = CASE WHEN starts_with(r.phone_number, 'erased:') THEN '{}' ELSE r.variables END,
        prompt = CASE WHEN NOT starts_with(r.phone_number, 'erased:') THEN r.prompt END,
        first_message = CASE WHEN NOT starts_with(r.phone_number, 'erased:') THEN r.first_message END,
        history = r.history || jsonb_build_object(
          'at', to_char(clock.now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'from', r.status, 'to', 'dial_unknown', 'cause', 'no_word')
      FROM silent, clock
      WHERE r.id = silent.id
      RETURNING r.id, r.enrollment_id, r.status, r.history->-1->>'from' AS came_from
    ), recorded AS (
      UPDATE enrollments e SET
        calls = count_call(e.calls, m.came_from, m.status, true),
        look_at = CASE WHEN e.status IN ('active', 'paused') THEN clock.now ELSE e.look_at END,
        settle_at = CASE WHEN e.status IN ('active', 'paused') THEN '-infinity' ELSE e.settle_at END,
        timeline = e.timeline || jsonb_build_object(
          'at', to_char(clock.now AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'kind', 'call', 'callRequestId', m.id, 'status', m.status)
      FROM marked m, clock
      WHERE e.id = m.enrollment_id
        -- Forces the index: with wrong statistics, a join reads the whole table.
        AND e.id = ANY(ARRAY(SELECT enrollment_id FROM marked))
    )
    SELECT marked.id FROM marked
$function$
;
REVOKE EXECUTE ON FUNCTION mark_unknown FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mark_unknown TO outdial_app;

CREATE OR REPLACE FUNCTION public.may_be_another_call(call_id uuid, found_id text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
      WITH own AS MATERIALIZED (
        SELECT id, carrier, phone_number, caller_id, claimed_at FROM call_requests WHERE id = call_id
      ), others AS (
        SELECT r.* FROM own JOIN call_requests r
          ON r.phase = 1 AND r.generation >= 0 AND r.id <> own.id
          AND r.claimed_at BETWEEN own.claimed_at - interval '1 minute' AND own.claimed_at + interval '1 minute'
        UNION ALL
        SELECT r.* FROM own JOIN call_requests r
          ON r.ended_at BETWEEN own.claimed_at - interval '1 minute' AND own.claimed_at + interval '25 hours'
          AND r.processed_at BETWEEN own.claimed_at - interval '1 minute' AND own.claimed_at + interval '1 minute'
      )
      SELECT EXISTS (
        SELECT FROM others o, own
        WHERE o.carrier = own.carrier AND (
          o.carrier_call_id = found_id
          OR o.carrier_call_id IS NULL AND o.caller_id = own.caller_id
            AND (o.phone_number = own.phone_number OR starts_with(o.phone_number, 'erased:'))
        )
      )
$function$
;
REVOKE EXECUTE ON FUNCTION may_be_another_call FROM PUBLIC;
GRANT EXECUTE ON FUNCTION may_be_another_call TO outdial_app;

CREATE OR REPLACE FUNCTION public.measure_campaigns()
 RETURNS TABLE(due double precision, seconds double precision, stalled integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    dialing AS MATERIALIZED (
      SELECT c.id, (
        SELECT min(first.look_at) FROM generate_series(0, 2) AS rank CROSS JOIN LATERAL (
          SELECT e.look_at FROM enrollments e
          WHERE e.campaign_id = c.id AND e.status = 'active' AND e.dial_rank = rank AND e.look_at IS NOT NULL
          ORDER BY e.look_at
          LIMIT 1) first) AS oldest, (
        SELECT d.claimed_at FROM enrollment_dials d WHERE d.campaign_id = c.id ORDER BY d.claimed_at DESC LIMIT 1) AS dialed_at
      FROM find_dialing_campaigns() c
    )
    SELECT
      (SELECT count(*)::float8 FROM (
        SELECT FROM dialing c CROSS JOIN clock CROSS JOIN generate_series(0, 2) AS rank CROSS JOIN LATERAL (
          SELECT FROM enrollments e
          WHERE e.campaign_id = c.id AND e.status = 'active' AND e.dial_rank = rank AND e.look_at IS NOT NULL AND e.look_at <= clock.now
          LIMIT 100000) due
        LIMIT 100000) counted),
      coalesce((SELECT greatest(extract(epoch FROM clock.now - min(c.oldest)), 0)::float8 FROM dialing c CROSS JOIN clock GROUP BY clock.now), 0),
      (SELECT count(*)::integer FROM dialing c CROSS JOIN clock
       WHERE c.oldest < clock.now - interval '10 minutes'
         AND (c.dialed_at IS NULL OR c.dialed_at < clock.now - interval '10 minutes'))
$function$
;
REVOKE EXECUTE ON FUNCTION measure_campaigns FROM PUBLIC;
GRANT EXECUTE ON FUNCTION measure_campaigns TO outdial_app;

CREATE OR REPLACE FUNCTION public.measure_failing_webhooks()
 RETURNS TABLE(endpoints integer, seconds double precision)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT count(*)::integer, coalesce(greatest(0, extract(epoch FROM outdial_now() - min(w.failing_since))), 0)::float8
    FROM webhook_endpoints w
    WHERE w.failing_since IS NOT NULL AND w.disabled_at IS NULL AND w.deleted_at IS NULL
$function$
;
REVOKE EXECUTE ON FUNCTION measure_failing_webhooks FROM PUBLIC;
GRANT EXECUTE ON FUNCTION measure_failing_webhooks TO outdial_app;

CREATE OR REPLACE FUNCTION public.measure_imports()
 RETURNS TABLE(staging integer, running integer, idle_seconds double precision)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH opened AS MATERIALIZED (
      SELECT i.team_id, i.type, i.status, i.created_at, i.id, coalesce(greatest(i.worked_at, i.leased_until), i.created_at) AS since FROM imports i WHERE i.status IN ('staging', 'running')
    ), first AS (
      SELECT DISTINCT ON (o.team_id, o.type) o.since FROM opened o
      WHERE o.status = 'running'
      ORDER BY o.team_id, o.type, o.created_at, o.id
    )
    SELECT
      (SELECT count(*)::integer FROM opened o WHERE o.status = 'staging'),
      (SELECT count(*)::integer FROM opened o WHERE o.status = 'running'),
      coalesce((SELECT greatest(0, extract(epoch FROM outdial_now() - min(f.since))) FROM first f), 0)::float8
$function$
;
REVOKE EXECUTE ON FUNCTION measure_imports FROM PUBLIC;
GRANT EXECUTE ON FUNCTION measure_imports TO outdial_app;

CREATE OR REPLACE FUNCTION public.measure_webhooks()
 RETURNS TABLE(seconds double precision, disabled integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT
      coalesce((
        SELECT extract(epoch FROM outdial_now() - min(d.next_at))::float8
        FROM find_due_webhook_endpoints() due
        CROSS JOIN (VALUES (false), (true)) AS kinds (bulk)
        CROSS JOIN LATERAL (
          SELECT d.next_at FROM webhook_deliveries d
          WHERE d.endpoint_id = due.endpoint_id AND d.status = 'pending' AND d.bulk = kinds.bulk
          ORDER BY d.next_at LIMIT 1) d), 0),
      (SELECT count(*)::integer FROM webhook_endpoints w
       WHERE w.disabled_reason IN ('gone', 'failing') AND w.deleted_at IS NULL)
$function$
;
REVOKE EXECUTE ON FUNCTION measure_webhooks FROM PUBLIC;
GRANT EXECUTE ON FUNCTION measure_webhooks TO outdial_app;

CREATE OR REPLACE FUNCTION public.needs_exclusive_lock(team uuid, monthly_limit integer, slot_limit integer, distance integer)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
    SELECT slot_limit IS NOT NULL OR monthly_limit IS NOT NULL
      AND monthly_limit - counted_calls(team, date_trunc('month', outdial_now() AT TIME ZONE 'UTC')::date) <= distance
$function$
;
REVOKE EXECUTE ON FUNCTION needs_exclusive_lock FROM PUBLIC;
GRANT EXECUTE ON FUNCTION needs_exclusive_lock TO outdial_app;

CREATE OR REPLACE FUNCTION public.new_call_id(at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE
AS $function$ SELECT uuidv7(at - clock_timestamp()) $function$
;
REVOKE EXECUTE ON FUNCTION new_call_id FROM PUBLIC;
GRANT EXECUTE ON FUNCTION new_call_id TO outdial_app;

CREATE OR REPLACE FUNCTION public.note_key_uses(hashes bytea[], ages_ms double precision[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH used AS MATERIALIZED (
      SELECT u.hash, date_trunc('minute', outdial_now() - u.age_ms * interval '1 millisecond') AS at
      FROM unnest(hashes, ages_ms) AS u (hash, age_ms)
    ), behind AS MATERIALIZED (
      SELECT k.id, used.at FROM api_keys k
      JOIN used ON used.hash = k.key_hash
      WHERE k.last_used_at IS NULL OR k.last_used_at < used.at
      FOR NO KEY UPDATE OF k SKIP LOCKED
    )
    UPDATE api_keys k SET last_used_at = behind.at FROM behind WHERE k.id = behind.id
$function$
;
REVOKE EXECUTE ON FUNCTION note_key_uses FROM PUBLIC;
GRANT EXECUTE ON FUNCTION note_key_uses TO outdial_app;

CREATE OR REPLACE FUNCTION public.number_events(batch integer)
 RETURNS TABLE(numbered integer, highest bigint, woken jsonb)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  now timestamptz := outdial_now();
  many CONSTANT integer := 20;
BEGIN
  -- Most invocations end here.
  PERFORM FROM event_gaps g
  CROSS JOIN LATERAL (SELECT FROM events e WHERE e.position BETWEEN g.first AND g.last ORDER BY e.position LIMIT 1) e
  LIMIT 1;
  IF NOT FOUND THEN RETURN; END IF;
  IF NOT pg_try_advisory_xact_lock(hashtextextended('number_events', 7)) THEN RETURN; END IF;
  -- A separate statement, because its snapshot has the numbers of the transaction that held the lock before.
  RETURN QUERY
    WITH taken AS MATERIALIZED (
      -- The limit is of all ranges together: during an import, there are many.
      SELECT g.first, g.last, g.found_by, e.position, e.team_id FROM (SELECT * FROM event_gaps ORDER BY first) g
      CROSS JOIN LATERAL (
        SELECT e.position, e.team_id FROM events e
        WHERE e.position BETWEEN g.first AND g.last
        ORDER BY e.position
        LIMIT batch
        FOR NO KEY UPDATE SKIP LOCKED) e
      LIMIT batch
    ), of_teams AS MATERIALIZED (
      SELECT t.team_id, array_agg(t.position ORDER BY t.position) AS positions FROM taken t GROUP BY t.team_id
    ), reached AS (
      INSERT INTO event_sequences AS s (team_id, last, removed_through)
      SELECT o.team_id, cardinality(o.positions), 0 FROM of_teams o ORDER BY o.team_id
      ON CONFLICT (team_id) DO UPDATE SET last = s.last + excluded.last
      RETURNING s.team_id, s.last
    ), done AS (
      INSERT INTO event_batches AS b (team_id, last, positions)
      SELECT r.team_id, r.last, o.positions FROM reached r JOIN of_teams o ON o.team_id = r.team_id
      RETURNING b.team_id, b.last, b.positions
    ), closed AS (
      DELETE FROM event_gaps g
      WHERE g.first = ANY (ARRAY(SELECT t.first FROM taken t GROUP BY 1))
        OR g.found_by < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
          AND NOT EXISTS (SELECT FROM events e WHERE e.position BETWEEN g.first AND g.last)
      RETURNING 1
    ), opened AS (
      -- What is left of each range: before, between and behind its events.
      INSERT INTO event_gaps (first, last, found_by)
      SELECT parts.first, parts.last, parts.found_by FROM (
        SELECT coalesce(lag(t.position) OVER same_range + 1, t.first) AS first, t.position - 1 AS last,
          coalesce(t.found_by, pg_current_xact_id()::text::bigint) AS found_by
        FROM taken t WINDOW same_range AS (PARTITION BY t.first ORDER BY t.position)
        UNION ALL
        SELECT max(t.position) + 1, t.last, t.found_by FROM taken t GROUP BY t.first, t.last, t.found_by) parts
      -- A part may have the key of its range, so the range must be deleted first.
      WHERE parts.first <= parts.last AND (SELECT count(*) FROM closed) >= 0
    ), delivered AS (
      INSERT INTO webhook_deliveries (id, team_id, endpoint_id, event_id, position, sequence, type, subject, bulk, next_at, created_at)
      SELECT new_call_id(now), e.team_id, w.id, e.id, e.position, d.before + u.n, e.type,
        subject_of_event(e.team_id, e.subject, e.data),
        NOT starts_with(e.type, 'call.') AND count(*) OVER (PARTITION BY w.id, e.type) > many, now, now
      -- `OFFSET` keeps Postgres from reading the whole array for the number of each event.
      FROM (SELECT done.*, done.last - cardinality(done.positions) AS before FROM done OFFSET 0) d
      JOIN webhook_endpoints w ON w.team_id = d.team_id AND w.disabled_at IS NULL AND w.deleted_at IS NULL
      CROSS JOIN LATERAL unnest(d.positions) WITH ORDINALITY AS u (position, n)
      -- The lock makes Postgres read the current rows. An erasure may have changed them since the snapshot.
      CROSS JOIN LATERAL (SELECT * FROM events WHERE position = u.position FOR NO KEY UPDATE) e
      WHERE w.types IS NULL OR e.type = ANY (w.types)
      ORDER BY e.position
      RETURNING endpoint_id, webhook_deliveries.team_id
    )
    SELECT coalesce(sum(cardinality(done.positions)), 0)::integer, (SELECT max(t.position) FROM taken t),
      (SELECT jsonb_agg(DISTINCT jsonb_build_object('endpointId', d.endpoint_id, 'teamId', d.team_id)) FROM delivered d)
    FROM done;
END $function$
;
REVOKE EXECUTE ON FUNCTION number_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION number_events TO outdial_app;

CREATE OR REPLACE FUNCTION public.number_lock_key(team uuid, phone_number text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ SELECT hashtextextended(team::text || phone_number, 1) $function$
;
REVOKE EXECUTE ON FUNCTION number_lock_key FROM PUBLIC;
GRANT EXECUTE ON FUNCTION number_lock_key TO outdial_app;

CREATE OR REPLACE FUNCTION public.oldest_rows()
 RETURNS TABLE(name text, seconds double precision)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT oldest.name, greatest(0, extract(epoch FROM outdial_now() - oldest.at))::float8
    FROM (
      SELECT 'call_requests', min(r.ended_at) FROM call_requests r WHERE r.ended_at IS NOT NULL
      UNION ALL
      SELECT 'call_details', uuid_extract_timestamp(min_id.id) FROM (SELECT d.id FROM call_details d ORDER BY d.id LIMIT 1) min_id
      UNION ALL
      SELECT 'idempotency_keys', min(i.created_at) FROM idempotency_keys i
      UNION ALL
      SELECT 'events', (SELECT e.at FROM events e ORDER BY e.position LIMIT 1)
      UNION ALL
      SELECT 'webhook_deliveries', (SELECT d.created_at FROM webhook_deliveries d ORDER BY d.id LIMIT 1)
    ) oldest (name, at)
    WHERE oldest.at IS NOT NULL
$function$
;
REVOKE EXECUTE ON FUNCTION oldest_rows FROM PUBLIC;
GRANT EXECUTE ON FUNCTION oldest_rows TO outdial_app;

CREATE OR REPLACE FUNCTION public.other_number_of_person(number text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
    SELECT CASE
      WHEN length(number) = 14 AND left(number, 4) IN ('+549', '+521') THEN number
      WHEN length(number) = 13 AND left(number, 3) = '+54' THEN '+549' || substr(number, 4)
      WHEN length(number) = 13 AND left(number, 3) = '+52' THEN '+521' || substr(number, 4)
    END
$function$
;
REVOKE EXECUTE ON FUNCTION other_number_of_person FROM PUBLIC;
GRANT EXECUTE ON FUNCTION other_number_of_person TO outdial_app;

CREATE OR REPLACE FUNCTION public.outdial_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 PARALLEL SAFE
AS $function$SELECT clock_timestamp()$function$
;
REVOKE EXECUTE ON FUNCTION outdial_now FROM PUBLIC;
GRANT EXECUTE ON FUNCTION outdial_now TO outdial_app;

CREATE OR REPLACE FUNCTION public.person_number(number text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
    SELECT CASE WHEN length(number) = 14 AND left(number, 4) IN ('+549', '+521')
      THEN left(number, 3) || substr(number, 5)
      ELSE number END
$function$
;
REVOKE EXECUTE ON FUNCTION person_number FROM PUBLIC;
GRANT EXECUTE ON FUNCTION person_number TO outdial_app;

CREATE OR REPLACE FUNCTION public.remove_ended_access(idle interval, longest interval, batch integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH ended AS MATERIALIZED (
      SELECT s.token_hash FROM sessions s
      WHERE s.last_seen_at <= now() - idle OR s.created_at <= now() - longest
      LIMIT batch
      FOR UPDATE SKIP LOCKED
    ), expired AS MATERIALIZED (
      SELECT l.token_hash FROM access_links l
      WHERE l.expires_at <= now()
      LIMIT batch
      FOR UPDATE SKIP LOCKED
    ), sessions_removed AS (
      DELETE FROM sessions s WHERE s.token_hash = ANY (ARRAY(SELECT ended.token_hash FROM ended)) RETURNING 1
    ), links_removed AS (
      DELETE FROM access_links l WHERE l.token_hash = ANY (ARRAY(SELECT expired.token_hash FROM expired)) RETURNING 1
    )
    SELECT greatest(
      (SELECT count(*) FROM sessions_removed),
      (SELECT count(*) FROM links_removed)
    )::integer
$function$
;
REVOKE EXECUTE ON FUNCTION remove_ended_access FROM PUBLIC;
GRANT EXECUTE ON FUNCTION remove_ended_access TO outdial_app;

CREATE OR REPLACE FUNCTION public.remove_ended_calls(team uuid, after_accepted_at timestamp with time zone, after_id uuid, batch integer)
 RETURNS TABLE(looked_at integer, removed integer, accepted_at timestamp with time zone, id uuid, details integer)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH lock AS MATERIALIZED (
      SELECT pg_try_advisory_xact_lock(hashtextextended('remove_ended_calls', 5)) AS held
    ), kept AS MATERIALIZED (
      SELECT outdial_now() - call_retention(team) AS since FROM lock WHERE lock.held
    ), looked AS MATERIALIZED (
      SELECT r.id, r.accepted_at FROM call_requests r
      WHERE r.team_id = team
        AND r.accepted_at <= (SELECT kept.since FROM kept)
        AND (r.accepted_at, r.id) > (after_accepted_at, after_id)
      ORDER BY r.accepted_at, r.id
      LIMIT batch
    ), open AS MATERIALIZED (
      SELECT u.claimed_at FROM call_requests u
      WHERE u.phase = 1 AND u.generation >= 0 AND u.claimed_at <= (SELECT kept.since FROM kept) + interval '1 minute'
    ), ended AS MATERIALIZED (
      SELECT r.id, r.enrollment_id, r.processed_at IS NOT NULL AND r.caller_id IS NOT NULL AND (
          SELECT true FROM call_requests u
          WHERE u.team_id = r.team_id AND u.caller_id = r.caller_id AND u.caller_id IS NOT NULL
            AND u.processed_at > r.processed_at AND u.processed_at IS NOT NULL AND u.ended_at IS NOT NULL
          LIMIT 1) IS NULL AS last_use
      FROM call_requests r
      WHERE r.id = ANY (ARRAY(SELECT looked.id FROM looked))
        AND r.ended_at <= (SELECT kept.since FROM kept)
        AND r.phase = 2
        AND (SELECT true FROM open
          WHERE open.claimed_at BETWEEN r.processed_at - interval '1 minute' AND r.processed_at + interval '1 minute'
          LIMIT 1) IS NULL
        AND (SELECT true FROM enrollments e
          WHERE e.id = r.enrollment_id AND e.status IN ('active', 'paused')
          LIMIT 1) IS NULL
      FOR UPDATE OF r SKIP LOCKED
    ), forgotten AS (
      DELETE FROM call_results u WHERE u.call_request_id = ANY (ARRAY(SELECT ended.id FROM ended))
    ), dials AS (
      -- Of enrollments that have ended, so that no step follows from them.
      DELETE FROM enrollment_dials d
      WHERE d.enrollment_id = ANY (ARRAY(SELECT ended.enrollment_id FROM ended WHERE NOT ended.last_use AND ended.enrollment_id IS NOT NULL))
        AND d.call_request_id = ANY (ARRAY(SELECT ended.id FROM ended WHERE NOT ended.last_use))
    ), removed AS (
      DELETE FROM call_requests r WHERE r.id = ANY (ARRAY(SELECT ended.id FROM ended WHERE NOT ended.last_use))
      RETURNING 1
    ), details AS (
      DELETE FROM call_details d WHERE d.id = ANY (ARRAY(SELECT ended.id FROM ended WHERE NOT ended.last_use))
      RETURNING 1
    ), unsaid AS (
      UPDATE call_details d SET prompt = NULL, first_message = NULL, variables = NULL
      WHERE d.id = ANY (ARRAY(SELECT ended.id FROM ended WHERE ended.last_use))
        AND (d.prompt IS NOT NULL OR d.first_message IS NOT NULL OR d.variables IS NOT NULL)
    ), silenced AS (
      UPDATE call_requests r SET
        variables = '{}', prompt = NULL, first_message = NULL, unknown_placeholders = '{}'
      WHERE r.id = ANY (ARRAY(SELECT ended.id FROM ended WHERE ended.last_use))
        AND (r.variables <> '{}' OR r.prompt IS NOT NULL OR r.first_message IS NOT NULL)
    )
    SELECT
      (SELECT count(*) FROM looked)::integer, (SELECT count(*) FROM removed)::integer,
      last.accepted_at, last.id, (SELECT count(*) FROM details)::integer
    FROM (SELECT 1) one LEFT JOIN LATERAL (
      SELECT looked.accepted_at, looked.id FROM looked ORDER BY looked.accepted_at DESC, looked.id DESC LIMIT 1) last ON true
$function$
;
REVOKE EXECUTE ON FUNCTION remove_ended_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION remove_ended_calls TO outdial_app;

CREATE OR REPLACE FUNCTION public.remove_old_answers(since timestamp with time zone, batch integer)
 RETURNS TABLE(removed integer, created_at timestamp with time zone)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH old AS MATERIALIZED (
      SELECT i.ctid AS row, i.created_at FROM idempotency_keys i
      WHERE i.created_at >= since AND i.created_at <= (SELECT outdial_now()) - interval '24 hours'
      ORDER BY i.created_at
      LIMIT batch
      FOR UPDATE SKIP LOCKED
    ), removed AS (
      DELETE FROM idempotency_keys i WHERE i.ctid = ANY (ARRAY(SELECT old.row FROM old))
      RETURNING 1
    )
    SELECT (SELECT count(*) FROM removed)::integer, (SELECT max(old.created_at) FROM old)
$function$
;
REVOKE EXECUTE ON FUNCTION remove_old_answers FROM PUBLIC;
GRANT EXECUTE ON FUNCTION remove_old_answers TO outdial_app;

CREATE OR REPLACE FUNCTION public.remove_old_events(team uuid, batch integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH lock AS MATERIALIZED (
      SELECT pg_try_advisory_xact_lock(hashtextextended('remove_old_events', 8)) AS held
    ), kept AS MATERIALIZED (
      SELECT outdial_now() - coalesce(t.event_retention_days, s.event_retention_days) * interval '24 hours' AS since
      FROM lock CROSS JOIN platform_settings s CROSS JOIN teams t
      WHERE lock.held AND t.id = team AND coalesce(t.event_retention_days, s.event_retention_days) > 0
    ), first AS MATERIALIZED (
      SELECT b.last, b.positions FROM event_batches b
      WHERE b.team_id = team AND EXISTS (SELECT FROM kept)
      ORDER BY b.last
      LIMIT batch
    ), looked AS MATERIALIZED (
      SELECT f.last, f.positions, max((
        SELECT max(e.at) FROM unnest(f.positions) AS u (position)
        CROSS JOIN LATERAL (SELECT at FROM events WHERE position = u.position OFFSET 0) e)) OVER (ORDER BY f.last) AS youngest
      FROM (
        SELECT first.*, sum(cardinality(first.positions)) OVER (ORDER BY first.last) - cardinality(first.positions) AS before FROM first) f
      WHERE f.before < batch
    ), old AS MATERIALIZED (
      SELECT l.last, l.positions FROM looked l WHERE coalesce(l.youngest, '-infinity') <= (SELECT kept.since FROM kept)
    ), removed AS (
      DELETE FROM events e WHERE e.position = ANY (ARRAY(SELECT unnest(old.positions) FROM old))
      RETURNING 1
    ), unnumbered AS (
      DELETE FROM event_batches b WHERE b.team_id = team AND b.last = ANY (ARRAY(SELECT old.last FROM old))
    ), noted AS (
      -- Since the snapshot of this statement, another process may have removed later events.
      UPDATE event_sequences n SET removed_through = greatest(n.removed_through, reached.last)
      FROM (SELECT max(old.last) AS last FROM old) reached
      WHERE n.team_id = team AND reached.last IS NOT NULL
    )
    SELECT count(*)::integer FROM removed
$function$
;
REVOKE EXECUTE ON FUNCTION remove_old_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION remove_old_events TO outdial_app;

CREATE OR REPLACE FUNCTION public.remove_old_imports(batch integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  DECLARE
    before timestamptz := outdial_now() - interval '7 days';
    total integer;
    removed integer;
  BEGIN
    DELETE FROM import_chunks c WHERE c.ctid = ANY (ARRAY(
      SELECT c.ctid FROM imports i JOIN import_chunks c ON c.import_id = i.id
      WHERE i.finished_at IS NOT NULL LIMIT batch));
    GET DIAGNOSTICS total = ROW_COUNT;
    DELETE FROM import_chunks c WHERE c.ctid = ANY (ARRAY(
      SELECT c.ctid FROM imports i JOIN import_chunks c ON c.import_id = i.id
      WHERE i.status = 'held' AND i.leased_until <= outdial_now() LIMIT batch));
    GET DIAGNOSTICS removed = ROW_COUNT;
    total := total + removed;
    DELETE FROM imports i WHERE i.id = ANY (ARRAY(
      SELECT i.id FROM imports i
      WHERE i.status = 'held' AND i.leased_until <= outdial_now()
        AND NOT EXISTS (SELECT FROM import_chunks c WHERE c.import_id = i.id)
      LIMIT batch));
    GET DIAGNOSTICS removed = ROW_COUNT;
    total := total + removed;
    DELETE FROM import_contacts c WHERE c.ctid = ANY (ARRAY(
      SELECT c.ctid FROM imports i JOIN import_contacts c ON c.import_id = i.id
      WHERE i.finished_at <= before AND i.status <> 'undoing' AND coalesce(i.undone_at <= before, true) LIMIT 100 * batch));
    GET DIAGNOSTICS removed = ROW_COUNT;
    total := total + removed;
    DELETE FROM import_results r WHERE r.ctid = ANY (ARRAY(
      SELECT r.ctid FROM imports i JOIN import_results r ON r.import_id = i.id
      WHERE i.finished_at <= before AND i.status <> 'undoing' AND coalesce(i.undone_at <= before, true) LIMIT batch));
    GET DIAGNOSTICS removed = ROW_COUNT;
    total := total + removed;
    DELETE FROM imports i WHERE i.id = ANY (ARRAY(
      SELECT i.id FROM imports i
      WHERE i.finished_at <= before AND i.status <> 'undoing' AND coalesce(i.undone_at <= before, true)
        AND NOT EXISTS (SELECT FROM import_chunks c WHERE c.import_id = i.id)
        AND NOT EXISTS (SELECT FROM import_contacts c WHERE c.import_id = i.id)
        AND NOT EXISTS (SELECT FROM import_results r WHERE r.import_id = i.id)
      LIMIT batch));
    GET DIAGNOSTICS removed = ROW_COUNT;
    RETURN total + removed;
  END
$function$
;
REVOKE EXECUTE ON FUNCTION remove_old_imports FROM PUBLIC;
GRANT EXECUTE ON FUNCTION remove_old_imports TO outdial_app;

CREATE OR REPLACE FUNCTION public.remove_old_plan_usage(batch integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH old AS MATERIALIZED (
      SELECT p.ctid AS row FROM plan_usage p
      WHERE p.month < (SELECT date_trunc('month', outdial_now() AT TIME ZONE 'UTC') - interval '3 months')::date
      LIMIT batch
      FOR UPDATE SKIP LOCKED
    ), removed AS (
      DELETE FROM plan_usage p WHERE p.ctid = ANY (ARRAY(SELECT old.row FROM old))
      RETURNING 1
    )
    SELECT count(*)::integer FROM removed
$function$
;
REVOKE EXECUTE ON FUNCTION remove_old_plan_usage FROM PUBLIC;
GRANT EXECUTE ON FUNCTION remove_old_plan_usage TO outdial_app;

CREATE OR REPLACE FUNCTION public.remove_webhook_deliveries(batch integer)
 RETURNS TABLE(endpoint uuid, removed integer)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH lock AS MATERIALIZED (
      SELECT pg_try_advisory_xact_lock(hashtextextended('remove_webhook_deliveries', 5)) AS held
    ), clock AS MATERIALIZED (
      SELECT outdial_now() AS now FROM lock WHERE lock.held
    ), bounds AS (
      SELECT w.id, w.deleted_at IS NOT NULL AS is_deleted, CASE
          WHEN w.deleted_at IS NOT NULL THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid
          ELSE least_call_id(clock.now - coalesce(t.event_retention_days, s.event_retention_days) * interval '24 hours')
        END AS before
      FROM clock CROSS JOIN webhook_endpoints w JOIN teams t ON t.id = w.team_id CROSS JOIN platform_settings s
      WHERE w.deleted_at IS NOT NULL OR coalesce(t.event_retention_days, s.event_retention_days) > 0
    ), chosen AS MATERIALIZED (
      SELECT b.* FROM bounds b
      WHERE b.is_deleted OR (
        SELECT true FROM webhook_deliveries d WHERE d.endpoint_id = b.id AND d.event_id < b.before
        ORDER BY d.event_id LIMIT 1)
      LIMIT 1
    ), old AS MATERIALIZED (
      SELECT d.id FROM chosen b
      CROSS JOIN LATERAL (
        SELECT d.id FROM webhook_deliveries d WHERE d.endpoint_id = b.id AND d.event_id < b.before
        ORDER BY d.event_id
        LIMIT batch) d
    ), removed AS (
      DELETE FROM webhook_deliveries d WHERE d.id = ANY (ARRAY(SELECT old.id FROM old)) RETURNING 1
    ), emptied AS (
      DELETE FROM webhook_endpoints w
      WHERE w.id = (SELECT b.id FROM chosen b WHERE b.is_deleted) AND (SELECT count(*) FROM old) < batch
    )
    SELECT (SELECT b.id FROM chosen b), (SELECT count(*) FROM removed)::integer
$function$
;
REVOKE EXECUTE ON FUNCTION remove_webhook_deliveries FROM PUBLIC;
GRANT EXECUTE ON FUNCTION remove_webhook_deliveries TO outdial_app;

CREATE OR REPLACE FUNCTION public.say_phase_of_moved_call()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ BEGIN
    UPDATE call_requests r SET phase = CASE r.status WHEN 'scheduled' THEN -1 WHEN 'queued' THEN 0
     WHEN 'dialing' THEN 1 WHEN 'in_progress' THEN 1 WHEN 'dial_unknown' THEN 1 ELSE 2 END WHERE r.id = NEW.id;
    RETURN NULL;
  END $function$
;
REVOKE EXECUTE ON FUNCTION say_phase_of_moved_call FROM PUBLIC;

CREATE OR REPLACE FUNCTION public.say_phase_of_new_call()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ BEGIN
    NEW.phase := CASE NEW.status WHEN 'scheduled' THEN -1 WHEN 'queued' THEN 0
     WHEN 'dialing' THEN 1 WHEN 'in_progress' THEN 1 WHEN 'dial_unknown' THEN 1 ELSE 2 END;
    RETURN NEW;
  END $function$
;
REVOKE EXECUTE ON FUNCTION say_phase_of_new_call FROM PUBLIC;

CREATE OR REPLACE FUNCTION public.subject_of_event(team uuid, subject bigint, data jsonb)
 RETURNS bigint
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
    SELECT coalesce(subject, (
      SELECT number_lock_key(team, c.phone_number) FROM contacts c
      WHERE c.team_id = team AND c.id = (data ->> 'contact_id')::uuid AND NOT starts_with(c.phone_number, 'erased:')))
$function$
;
REVOKE EXECUTE ON FUNCTION subject_of_event FROM PUBLIC;
GRANT EXECUTE ON FUNCTION subject_of_event TO outdial_app;

CREATE OR REPLACE FUNCTION public.take_due_dials(campaigns uuid[], counts integer[], unseen integer)
 RETURNS TABLE(teams text, taken jsonb)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ BEGIN RETURN QUERY
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    due AS MATERIALIZED (
      SELECT d.* FROM clock
      CROSS JOIN unnest(campaigns, counts) WITH ORDINALITY AS q (campaign, most, n)
      CROSS JOIN LATERAL (
        -- The outer limit ends the loop, so that no more rows are locked.
        SELECT ranked.* FROM generate_series(0, 2) AS rank CROSS JOIN LATERAL (
          SELECT e.id, e.team_id, e.campaign_id, e.contact_id, e.dial_rank, e.look_at FROM enrollments e
          WHERE e.campaign_id = q.campaign AND e.status = 'active' AND e.dial_rank = rank
            AND e.look_at IS NOT NULL AND e.look_at <= clock.now
          ORDER BY e.look_at, e.id
          LIMIT q.most
          FOR UPDATE SKIP LOCKED) ranked
        LIMIT q.most) d
      -- While enrollments of the campaign are migrated to another version, none enters a step.
      WHERE NOT EXISTS (SELECT FROM campaign_versions v WHERE v.campaign_id = q.campaign AND v.migrates_to IS NOT NULL)
    ), asked AS MATERIALIZED (
      SELECT d.*, c.phone_number AS number,
        row_number() OVER (PARTITION BY d.team_id, person_number(c.phone_number) ORDER BY d.dial_rank, d.look_at, d.id) = 1 AS first_of_number,
        needs_exclusive_lock(t.id, t.monthly_call_limit, t.max_concurrent_calls, unseen) AS exclusively,
        coalesce(p.pacing->>'maxConcurrentCalls', p.pacing->>'callsPerMinute') IS NOT NULL AS counted
      FROM due d
      JOIN contacts c ON c.team_id = d.team_id AND c.id = d.contact_id
      JOIN teams t ON t.id = d.team_id
      JOIN campaigns p ON p.id = d.campaign_id
    ), locked AS MATERIALIZED (
      SELECT a.*, CASE WHEN a.first_of_number THEN try_locks(a.team_id, a.number, a.exclusively) END AS lock FROM asked a
    ), held AS MATERIALIZED (
      SELECT l.*, CASE
        WHEN l.lock IS NULL THEN NULL
        WHEN l.counted THEN CASE WHEN pg_try_advisory_xact_lock(campaign_lock_key(l.campaign_id)) THEN 'exclusive' END
        WHEN pg_try_advisory_xact_lock_shared(campaign_lock_key(l.campaign_id)) THEN 'shared'
      END AS campaign_lock
      FROM locked l
    )
    SELECT coalesce(string_agg(DISTINCT h.team_id::text, ','), ''),
      coalesce(jsonb_agg(jsonb_build_object('id', h.id, 'campaignId', h.campaign_id, 'lock', h.lock, 'campaignLock', h.campaign_lock)
        ORDER BY h.dial_rank, h.look_at, h.id), '[]')
    FROM held h; END
$function$
;
REVOKE EXECUTE ON FUNCTION take_due_dials FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_due_dials TO outdial_app;

CREATE OR REPLACE FUNCTION public.take_import(lease interval)
 RETURNS TABLE(id uuid, team_id uuid, mode text, campaign_id uuid, version_id uuid, next_row integer, default_country text, accept_unknown_ranges boolean)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now), oldest AS MATERIALIZED (
      SELECT DISTINCT ON (i.team_id) i.id, i.leased_until, i.worked_at
      FROM imports i WHERE i.status = 'running' AND i.type = 'contacts'
      ORDER BY i.team_id, i.created_at, i.id
    ), next AS MATERIALIZED (
      SELECT i.id
      FROM oldest CROSS JOIN clock JOIN imports i ON i.id = oldest.id
      WHERE i.status = 'running' AND (i.leased_until IS NULL OR i.leased_until <= clock.now)
      ORDER BY oldest.worked_at NULLS FIRST, oldest.id
      LIMIT 1
      FOR NO KEY UPDATE OF i SKIP LOCKED
    )
    UPDATE imports i SET leased_until = clock.now + lease, worked_at = clock.now
    FROM next, clock, teams t
    WHERE i.id = next.id AND t.id = i.team_id
    RETURNING i.id, i.team_id, i.mode, i.campaign_id, i.version_id, i.next_row, t.default_country, t.accept_unknown_ranges
$function$
;
REVOKE EXECUTE ON FUNCTION take_import FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_import TO outdial_app;

CREATE OR REPLACE FUNCTION public.take_settling_enrollments(campaigns uuid[], most integer, unseen boolean)
 RETURNS TABLE(teams text, taken jsonb)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ BEGIN RETURN QUERY
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    open AS MATERIALIZED (
      SELECT q.campaign FROM unnest(campaigns) AS q (campaign)
      WHERE pg_try_advisory_xact_lock_shared(campaign_settling_key(q.campaign))
    ), taken AS MATERIALIZED (
      SELECT d.* FROM clock CROSS JOIN open CROSS JOIN LATERAL (
        SELECT e.id, e.team_id, e.campaign_id FROM enrollments e
        WHERE NOT unseen AND e.campaign_id = open.campaign AND e.status IN ('active', 'paused')
          AND e.settle_at IS NOT NULL AND e.settle_at <= clock.now
          -- An enrollment is first migrated to its new version, and then decided by that one.
          AND NOT EXISTS (SELECT FROM campaign_versions v WHERE v.id = e.version_id AND v.migrates_to IS NOT NULL)
        ORDER BY e.settle_at, e.id
        LIMIT most
        FOR UPDATE OF e SKIP LOCKED) d
      UNION ALL
      SELECT d.* FROM clock CROSS JOIN open CROSS JOIN LATERAL (
        SELECT e.id, e.team_id, e.campaign_id FROM enrollments e
        WHERE unseen AND e.campaign_id = open.campaign AND e.status = 'active' AND e.dial_rank = 2
          AND e.look_at IS NOT NULL AND e.look_at <= clock.now
        ORDER BY e.look_at, e.id
        LIMIT most
        FOR UPDATE OF e SKIP LOCKED) d
      WHERE NOT EXISTS (SELECT FROM campaign_versions v WHERE v.campaign_id = open.campaign AND v.migrates_to IS NOT NULL)
    )
    SELECT coalesce(string_agg(DISTINCT t.team_id::text, ','), ''),
      coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'teamId', t.team_id)), '[]')
    FROM taken t; END
$function$
;
REVOKE EXECUTE ON FUNCTION take_settling_enrollments FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_settling_enrollments TO outdial_app;

CREATE OR REPLACE FUNCTION public.take_suppressions(lease interval)
 RETURNS TABLE(id uuid, team_id uuid, next_row integer, default_country text, has_erased_numbers boolean)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now), oldest AS MATERIALIZED (
      SELECT DISTINCT ON (i.team_id) i.id, i.worked_at
      FROM imports i WHERE i.status = 'running' AND i.type = 'suppressions'
      ORDER BY i.team_id, i.created_at, i.id
    ), next AS MATERIALIZED (
      SELECT i.id
      FROM oldest CROSS JOIN clock JOIN imports i ON i.id = oldest.id
      WHERE i.status = 'running' AND (i.leased_until IS NULL OR i.leased_until <= clock.now)
      ORDER BY oldest.worked_at NULLS FIRST, oldest.id
      LIMIT 1
      FOR NO KEY UPDATE OF i SKIP LOCKED
    )
    UPDATE imports i SET leased_until = clock.now + lease, worked_at = clock.now
    FROM next, clock, teams t
    WHERE i.id = next.id AND t.id = i.team_id
    RETURNING i.id, i.team_id, i.next_row, t.default_country, t.has_erased_numbers
$function$
;
REVOKE EXECUTE ON FUNCTION take_suppressions FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_suppressions TO outdial_app;

CREATE OR REPLACE FUNCTION public.take_undo(lease interval)
 RETURNS TABLE(id uuid, team_id uuid, undone_after uuid)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now), next AS MATERIALIZED (
      SELECT i.id FROM imports i CROSS JOIN clock
      WHERE i.status = 'undoing' AND (i.leased_until IS NULL OR i.leased_until <= clock.now)
      ORDER BY i.worked_at NULLS FIRST, i.id
      LIMIT 1
      FOR NO KEY UPDATE OF i SKIP LOCKED
    )
    UPDATE imports i SET leased_until = clock.now + lease, worked_at = clock.now
    FROM next, clock
    WHERE i.id = next.id
    RETURNING i.id, i.team_id, i.undone_after
$function$
;
REVOKE EXECUTE ON FUNCTION take_undo FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_undo TO outdial_app;

CREATE OR REPLACE FUNCTION public.team_lock_key(team uuid)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ SELECT hashtextextended(team::text, 2) $function$
;
REVOKE EXECUTE ON FUNCTION team_lock_key FROM PUBLIC;
GRANT EXECUTE ON FUNCTION team_lock_key TO outdial_app;

CREATE OR REPLACE FUNCTION public.team_of_call(call_id uuid)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ BEGIN RETURN (SELECT r.team_id FROM call_requests r WHERE r.id = call_id); END $function$
;
REVOKE EXECUTE ON FUNCTION team_of_call FROM PUBLIC;
GRANT EXECUTE ON FUNCTION team_of_call TO outdial_app;

CREATE OR REPLACE FUNCTION public.team_of_key(hash bytea)
 RETURNS uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ BEGIN RETURN (SELECT k.team_id FROM api_keys k WHERE k.key_hash = hash AND key_is_live(k.revoked_at, k.expires_at)); END $function$
;
REVOKE EXECUTE ON FUNCTION team_of_key FROM PUBLIC;
GRANT EXECUTE ON FUNCTION team_of_key TO outdial_app;

CREATE OR REPLACE FUNCTION public.teams_of_calls(ids uuid[])
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ BEGIN RETURN (SELECT coalesce(string_agg(DISTINCT r.team_id::text, ','), '') FROM call_requests r WHERE r.id = ANY (ids)); END $function$
;
REVOKE EXECUTE ON FUNCTION teams_of_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION teams_of_calls TO outdial_app;

CREATE OR REPLACE FUNCTION public.teams_of_keys(hashes bytea[])
 RETURNS text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ BEGIN RETURN (SELECT coalesce(string_agg(DISTINCT k.team_id::text, ','), '') FROM api_keys k
      WHERE k.key_hash = ANY (hashes) AND key_is_live(k.revoked_at, k.expires_at)); END
$function$
;
REVOKE EXECUTE ON FUNCTION teams_of_keys FROM PUBLIC;
GRANT EXECUTE ON FUNCTION teams_of_keys TO outdial_app;

CREATE OR REPLACE FUNCTION public.teams_with_old_calls(after_team uuid, batch integer)
 RETURNS TABLE(id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    SELECT t.id
    FROM teams t CROSS JOIN platform_settings s CROSS JOIN clock
    WHERE t.id > after_team AND coalesce(t.call_retention_days, s.call_retention_days) > 0
      AND (SELECT true FROM call_requests r
        WHERE r.team_id = t.id
          AND r.accepted_at <= clock.now - coalesce(t.call_retention_days, s.call_retention_days) * interval '24 hours'
        LIMIT 1) IS NOT NULL
    ORDER BY t.id
    LIMIT batch
$function$
;
REVOKE EXECUTE ON FUNCTION teams_with_old_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION teams_with_old_calls TO outdial_app;

CREATE OR REPLACE FUNCTION public.teams_with_old_events(after_team uuid, batch integer)
 RETURNS TABLE(id uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now)
    SELECT t.id
    FROM teams t CROSS JOIN platform_settings s CROSS JOIN clock
    CROSS JOIN LATERAL (
      SELECT b.positions FROM event_batches b WHERE b.team_id = t.id ORDER BY b.last LIMIT 1) first
    WHERE t.id > after_team AND coalesce(t.event_retention_days, s.event_retention_days) > 0
      -- A batch whose first event is missing is removed, too.
      AND coalesce((SELECT e.at FROM events e WHERE e.position = first.positions[1]), '-infinity')
        <= clock.now - coalesce(t.event_retention_days, s.event_retention_days) * interval '24 hours'
    ORDER BY t.id
    LIMIT batch
$function$
;
REVOKE EXECUTE ON FUNCTION teams_with_old_events FROM PUBLIC;
GRANT EXECUTE ON FUNCTION teams_with_old_events TO outdial_app;

CREATE OR REPLACE FUNCTION public.tell_campaign_states()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  now timestamptz := outdial_now();
  -- What neither time nor a call ends.
  lasting CONSTANT text[] := ARRAY['paused', 'no_steps', 'PLAN_LIMIT', 'COUNTRY_NOT_ALLOWED', 'NOT_WHITELISTED', 'caller_id', 'zone'];
  -- What an enrollment waits for although its campaign is held.
  going CONSTANT text[] := ARRAY['in_call', 'outcome', 'result', 'no_steps'];
  told integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('tell_campaign_states', 7)) THEN RETURN 0; END IF;
  WITH counted AS (
    SELECT c.campaign_id, c.kind, c.name, sum(c.n) AS n
    FROM (
      SELECT campaign_id, kind, name, n FROM campaign_counts WHERE kind IN ('live', 'ended')
      UNION ALL
      SELECT campaign_id, kind, name, n FROM campaign_count_changes WHERE kind IN ('live', 'ended')) c
    GROUP BY 1, 2, 3
    HAVING sum(c.n) > 0
  ), shown AS (
    SELECT p.id, p.team_id, p.status, c.kind, c.n,
      CASE WHEN (t.paused OR s.paused) AND c.name <> ALL(going) THEN 'paused' ELSE c.name END AS name
    FROM counted c JOIN campaigns p ON p.id = c.campaign_id JOIN teams t ON t.id = p.team_id CROSS JOIN platform_settings s
  ), found AS (
    SELECT f.id, f.team_id, CASE
        WHEN f.live IS NULL THEN 'finished'
        WHEN f.status = 'active' AND f.moving IS NULL THEN 'stalled'
      END AS state, f.enrolled, f.rule
    FROM (
      SELECT h.id, h.team_id, h.status, sum(h.n)::integer AS enrolled,
        sum(h.n) FILTER (WHERE h.kind = 'live') AS live,
        sum(h.n) FILTER (WHERE h.kind = 'live' AND h.name <> ALL(lasting)) AS moving,
        (array_agg(h.name ORDER BY h.n DESC, h.name) FILTER (WHERE h.kind = 'live'))[1] AS rule
      FROM shown h GROUP BY 1, 2, 3) f
  ), known AS (
    SELECT f.id, f.team_id, f.state, CASE WHEN f.state = 'stalled' THEN f.rule END AS rule,
      CASE WHEN f.state = 'finished' THEN f.enrolled ELSE 0 END AS enrolled
    FROM found f
  )
  INSERT INTO campaign_states AS w (campaign_id, team_id, state, rule, enrolled, since)
  SELECT k.id, k.team_id, k.state, k.rule, k.enrolled, now
  FROM known k LEFT JOIN campaign_states o ON o.campaign_id = k.id
  WHERE (k.state, k.rule, k.enrolled) IS DISTINCT FROM (o.state, o.rule, coalesce(o.enrolled, 0))
  ON CONFLICT (campaign_id) DO UPDATE SET
    state = excluded.state, rule = excluded.rule, enrolled = excluded.enrolled, since = excluded.since, told_at = NULL;

  WITH due AS (
    UPDATE campaign_states w SET told_at = now
    WHERE w.told_at IS NULL
      AND w.since <= now - CASE w.state WHEN 'finished' THEN interval '60 seconds' WHEN 'stalled' THEN interval '5 minutes' END
    RETURNING w.campaign_id, w.state, w.rule
  ), written AS MATERIALIZED (
    SELECT add_event(p.team_id, CASE d.state WHEN 'finished' THEN 'campaign.finished' ELSE 'campaign.stalled' END, NULL,
      jsonb_build_object('id', p.id, 'name', p.name, 'status', p.status, 'current_version_id', p.current_version_id,
        'draft_version_id', (SELECT v.id FROM campaign_versions v WHERE v.campaign_id = p.id AND v.status = 'draft'),
        'pacing', p.pacing, 'reentry', p.reentry, 'created_at', p.created_at, 'rule', d.rule))
    FROM due d JOIN campaigns p ON p.id = d.campaign_id
  )
  SELECT count(*)::integer INTO told FROM written;
  RETURN told;
END $function$
;
REVOKE EXECUTE ON FUNCTION tell_campaign_states FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tell_campaign_states TO outdial_app;

CREATE OR REPLACE FUNCTION public.try_locks(team uuid, number text, exclusively boolean)
 RETURNS text
 LANGUAGE sql
AS $function$
    SELECT CASE
      WHEN team IS NULL THEN 'shared'
      WHEN NOT pg_try_advisory_xact_lock(number_lock_key(team, person_number(number))) THEN NULL
      WHEN exclusively THEN CASE WHEN pg_try_advisory_xact_lock(team_lock_key(team)) THEN 'exclusive' END
      WHEN pg_try_advisory_xact_lock_shared(team_lock_key(team)) THEN 'shared'
    END
$function$
;
REVOKE EXECUTE ON FUNCTION try_locks FROM PUBLIC;
GRANT EXECUTE ON FUNCTION try_locks TO outdial_app;

CREATE OR REPLACE FUNCTION public.try_locks_of_calls(ids uuid[], unseen integer)
 RETURNS TABLE(teams text, locks text[])
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ BEGIN RETURN QUERY
    SELECT coalesce(string_agg(DISTINCT each.team::text, ','), ''), array_agg(each.lock ORDER BY each.n)
    FROM (
      SELECT asked.n, asked.team,
        CASE WHEN asked.team IS NULL OR row_number() OVER (PARTITION BY asked.team, person_number(asked.number) ORDER BY asked.n) = 1
          THEN try_locks(asked.team, asked.number, asked.exclusively) END AS lock
      FROM (
        SELECT a.n, t.id AS team, r.phone_number AS number,
          needs_exclusive_lock(t.id, t.monthly_call_limit, t.max_concurrent_calls, unseen) AS exclusively
        FROM unnest(ids) WITH ORDINALITY AS a (id, n)
        LEFT JOIN call_requests r ON r.id = a.id
        LEFT JOIN teams t ON t.id = r.team_id
        OFFSET 0
      ) asked
    ) each; END
$function$
;
REVOKE EXECUTE ON FUNCTION try_locks_of_calls FROM PUBLIC;
GRANT EXECUTE ON FUNCTION try_locks_of_calls TO outdial_app;

CREATE OR REPLACE FUNCTION public.try_locks_of_requests(hashes bytea[], numbers text[], keys text[], unseen integer)
 RETURNS TABLE(teams text, locks text[], key_locks boolean[])
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ BEGIN RETURN QUERY
    SELECT coalesce(string_agg(DISTINCT each.team::text, ','), ''),
      array_agg(each.lock ORDER BY each.n), array_agg(each.key_lock ORDER BY each.n)
    FROM (
      SELECT asked.n, asked.team, try_locks(asked.team, asked.number, asked.exclusively) AS lock,
        CASE WHEN asked.team IS NOT NULL AND asked.key IS NOT NULL
          THEN pg_try_advisory_xact_lock(idempotency_lock_key(asked.team, asked.key)) END AS key_lock
      FROM (
        SELECT a.n, t.id AS team, a.number, a.key,
          needs_exclusive_lock(t.id, t.monthly_call_limit, NULL, unseen) AS exclusively
        FROM unnest(hashes, numbers, keys) WITH ORDINALITY AS a (hash, number, key, n)
        LEFT JOIN api_keys k ON k.key_hash = a.hash AND key_is_live(k.revoked_at, k.expires_at)
        LEFT JOIN teams t ON t.id = k.team_id
        OFFSET 0
      ) asked
    ) each; END
$function$
;
REVOKE EXECUTE ON FUNCTION try_locks_of_requests FROM PUBLIC;
GRANT EXECUTE ON FUNCTION try_locks_of_requests TO outdial_app;

CREATE OR REPLACE FUNCTION public.wake_again(ids uuid[], generations integer[], in_vain boolean[])
 RETURNS TABLE(id uuid, generation integer, team_id uuid)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    WITH clock AS MATERIALIZED (SELECT outdial_now() AS now),
    found AS (
      SELECT r.id, f.in_vain FROM call_requests r
      JOIN unnest(ids, generations, in_vain) AS f (id, generation, in_vain)
        ON f.id = r.id AND f.generation = r.generation
      WHERE r.status IN ('scheduled', 'queued')
      ORDER BY r.id
      FOR UPDATE OF r SKIP LOCKED
    )
    UPDATE call_requests r SET
      woken_at = clock.now, wakes = CASE WHEN found.in_vain THEN r.wakes + 1 ELSE 0 END, generation = r.generation + 1
    FROM found, clock
    WHERE r.id = found.id
    RETURNING r.id, r.generation, r.team_id
$function$
;
REVOKE EXECUTE ON FUNCTION wake_again FROM PUBLIC;
GRANT EXECUTE ON FUNCTION wake_again TO outdial_app;

CREATE OR REPLACE FUNCTION public.write_audit(of_team uuid, of_action text, of_type text, of_id text, is_before jsonb, is_after jsonb)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  INSERT INTO audit_log (actor_kind, actor_id, actor_name, address, team_id, action, target_type, target_id, before, after)
  SELECT coalesce(actor->>'kind', 'system'), coalesce((actor->>'id')::uuid, k.id), coalesce(actor->>'name', k.name),
    actor->>'address', of_team, of_action, of_type, of_id, is_before, is_after
  FROM (SELECT nullif(current_setting('outdial.actor', true), '')::jsonb AS actor) setting
  LEFT JOIN api_keys k ON k.key_hash = decode(actor->>'keyHash', 'hex')
$function$
;
REVOKE EXECUTE ON FUNCTION write_audit FROM PUBLIC;
GRANT EXECUTE ON FUNCTION write_audit TO outdial_app;

CREATE OR REPLACE FUNCTION public.write_call_event()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  now timestamptz := outdial_now();
BEGIN
  INSERT INTO events (
    id, team_id, type, at, subject,
    call_id, agent_id, enrollment_id, accepted_at, status, reason, runs_at, expires_at, contact_id,
    phone_number, caller_id, answered_at, ended_at, duration_seconds, unknown_placeholders)
  VALUES (
    new_call_id(now), NEW.team_id,
    CASE WHEN TG_ARGV[0] = 'answered' THEN 'call.answered' ELSE CASE NEW.status WHEN 'scheduled' THEN 'call.scheduled'
      WHEN 'in_progress' THEN 'call.started' WHEN 'dial_unknown' THEN 'call.unknown' ELSE 'call.ended' END END,
    now, CASE WHEN NOT starts_with(NEW.phone_number, 'erased:') THEN number_lock_key(NEW.team_id, NEW.phone_number) END,
    NEW.id, NEW.agent_id, NEW.enrollment_id, NEW.accepted_at, NEW.status, NEW.reason, NEW.runs_at, NEW.expires_at, NEW.contact_id,
    NEW.phone_number, NEW.caller_id, NEW.answered_at, NEW.ended_at, NEW.duration_seconds, NEW.unknown_placeholders);
  RETURN NULL;
END $function$
;
REVOKE EXECUTE ON FUNCTION write_call_event FROM PUBLIC;

CREATE OR REPLACE FUNCTION public.write_campaign_event()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ BEGIN
    PERFORM add_event(NEW.team_id, CASE NEW.status WHEN 'paused' THEN 'campaign.paused' ELSE 'campaign.resumed' END, NULL,
      jsonb_build_object('id', NEW.id, 'name', NEW.name, 'status', NEW.status, 'current_version_id', NEW.current_version_id,
        'draft_version_id', (SELECT v.id FROM campaign_versions v WHERE v.campaign_id = NEW.id AND v.status = 'draft'),
        'pacing', NEW.pacing, 'reentry', NEW.reentry, 'created_at', NEW.created_at));
    RETURN NULL;
  END $function$
;
REVOKE EXECUTE ON FUNCTION write_campaign_event FROM PUBLIC;

CREATE OR REPLACE FUNCTION public.write_enrollment_event()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  now timestamptz := outdial_now();
BEGIN
  INSERT INTO events (id, team_id, type, at, data)
  VALUES (
    new_call_id(now), NEW.team_id, CASE TG_OP WHEN 'INSERT' THEN 'enrollment.created' ELSE 'enrollment.ended' END, now,
    jsonb_build_object('id', NEW.id, 'status', NEW.status, 'contact_id', NEW.contact_id, 'campaign_id', NEW.campaign_id,
      'version_id', NEW.version_id, 'entry', NEW.entry));
  RETURN NULL;
END $function$
;
REVOKE EXECUTE ON FUNCTION write_enrollment_event FROM PUBLIC;

CREATE OR REPLACE FUNCTION public.write_events_of_new_enrollments()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
DECLARE
  now timestamptz := outdial_now();
BEGIN
  INSERT INTO events (id, team_id, type, at, data)
  SELECT new_call_id(now), e.team_id, 'enrollment.created', now,
    jsonb_build_object('id', e.id, 'status', e.status, 'contact_id', e.contact_id, 'campaign_id', e.campaign_id,
      'version_id', e.version_id, 'entry', e.entry)
  FROM after e;
  RETURN NULL;
END $function$
;
REVOKE EXECUTE ON FUNCTION write_events_of_new_enrollments FROM PUBLIC;

CREATE OR REPLACE FUNCTION public.write_import_event()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ BEGIN
    PERFORM add_event(NEW.team_id, 'import.finished', NULL, jsonb_build_object(
      'importId', NEW.id, 'status', NEW.status, 'type', NEW.type, 'mode', NEW.mode, 'campaignId', NEW.campaign_id, 'versionId', NEW.version_id,
      'rows', NEW.rows, 'created', NEW.created, 'updated', NEW.updated, 'enrolled', NEW.enrolled, 'failed', NEW.failed,
      'warned', NEW.warned, 'withoutTimezone', NEW.without_timezone, 'repeatedNumbers', NEW.repeated_numbers, 'countries', NEW.countries,
      'error', NEW.error, 'createdAt', to_char(NEW.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'finishedAt', to_char(NEW.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')));
    RETURN NULL;
  END $function$
;
REVOKE EXECUTE ON FUNCTION write_import_event FROM PUBLIC;

CREATE OR REPLACE FUNCTION public.write_opt_out_event()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ BEGIN
    PERFORM add_event(NEW.team_id, 'contact.opted_out', NEW.phone_number,
      coalesce(to_jsonb(c), to_jsonb(jsonb_populate_record(NULL::contacts, '{}')))
        - ARRAY['team_id', 'created_at', 'updated_at', 'erased_at']
        || jsonb_build_object('phone_number', NEW.phone_number, 'reason', NEW.reason))
    FROM (SELECT) one
    LEFT JOIN contacts c ON c.team_id = NEW.team_id AND c.phone_number = NEW.phone_number;
    RETURN NULL;
  END $function$
;
REVOKE EXECUTE ON FUNCTION write_opt_out_event FROM PUBLIC;

CREATE OR REPLACE FUNCTION public.write_result_event()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ BEGIN
    PERFORM add_event(r.team_id, 'call.result', r.phone_number, call_event_data(r))
    FROM call_requests r WHERE r.id = NEW.call_request_id;
    RETURN NULL;
  END $function$
;
REVOKE EXECUTE ON FUNCTION write_result_event FROM PUBLIC;
