import { randomUUID } from 'node:crypto';
import { type DataSource } from 'typeorm';
import { DEFINITION_FORMAT } from '../../src/campaigns/definition/campaign-version.entity.js';
import { evaluateGuardrails } from '../../src/domain/guardrails/guardrails.js';
import { guardrailFacts, NOW } from '../domain/support/facts.js';
import {
  buildApiKey,
  buildCarrierAccount,
  buildConsent,
  buildImport,
  buildPool,
  insertRow,
} from '../support/builders.js';
import { type Caller } from '../support/call-builders.js';

/**
 * Text that becomes elements, runs a script and ends its place in the page, wherever it is written without escapes.
 *
 * @param field such as `contacts.name`, by which a page's text tells what it shows.
 */
export const markup = (field: string): string =>
  `${field}'"--></title></textarea></script><img data-planted src=x onerror=planted=1>` +
  '<script data-planted>planted=1</script><svg data-planted onload=planted=1></svg>{{7*7}}';

/** The free text of each table. */
const TEXTS: Record<string, readonly string[]> = {
  api_keys: ['name', 'prefix'],
  call_details: ['prompt', 'first_message'],
  call_requests: ['carrier', 'carrier_call_id', 'prompt', 'first_message', 'reason'],
  call_results: ['disposition'],
  campaign_counts: ['name'],
  campaign_count_changes: ['name'],
  campaign_states: ['rule'],
  campaigns: ['name'],
  carrier_accounts: ['name'],
  contacts: ['name', 'email', 'company_name', 'company_website', 'external_id'],
  do_not_call: ['reason'],
  enrollment_dials: ['step'],
  enrollments: ['source', 'step', 'end_reason', 'waiting_for'],
  events: ['reason', 'status'],
  idempotency_keys: ['key'],
  import_chunks: ['data'],
  import_contacts: ['undone'],
  imports: ['error'],
  limited_do_not_call: ['reason'],
  number_pools: ['name'],
  platform_do_not_call: ['reason'],
  register_versions: ['register'],
  sweeper_runs: ['worker'],
  teams: ['name'],
  users: ['email', 'oidc_issuer', 'oidc_subject'],
  voice_agents: ['name', 'prompt_template', 'first_message_template', 'carrier'],
  webhook_deliveries: ['answer', 'error'],
  webhook_endpoints: ['description', 'url'],
};

/** Lists of text, and JSON: its keys and values are markup, in the shape that the column has. */
const SHAPES: Record<string, (field: string) => unknown> = {
  'call_details.decision': decision,
  'call_details.variables': object,
  'call_requests.decisions': (field) => [decision(field)],
  'call_requests.history': (field) => [
    { at: NOW.toISOString(), from: null, to: markup(field), cause: markup(field) },
  ],
  'call_requests.unknown_placeholders': (field) => [markup(field)],
  'call_requests.variables': object,
  'call_results.data': object,
  'campaign_versions.definition': (field) => ({
    steps: [{ key: markup(field), agentId: randomUUID(), name: markup(field) }],
    source: markup(field),
  }),
  'contacts.custom_properties': object,
  'enrollments.timeline': (field) =>
    ['step', 'dial', 'call', 'deferred', 'ended', markup(field)].map((kind) => ({
      at: NOW.toISOString(),
      kind,
      step: markup(field),
      reason: markup(field),
      status: markup(field),
      waitingFor: markup(field),
      endReason: markup(field),
      callRequestId: markup(field),
    })),
  'events.data': object,
  'events.unknown_placeholders': (field) => [markup(field)],
  'idempotency_keys.body': object,
  'import_results.results': (field) => [{ error: markup(field), row: 1 }],
  'import_results.failed_rows': (field) => [[markup(field)]],
  'imports.mapping': (field) => [markup(field)],
  'imports.countries': (field) => ({ [markup(field)]: 1 }),
  'imports.undo': object,
  'teams.compliance': (field) => ({
    mode: 'warn',
    packs: 'auto',
    regionProperty: markup(field),
    consentProperty: markup(field),
  }),
  'voice_agents.carrier_settings': object,
};

/** Of ledgers, whose rows are never changed, so that they are inserted with the markup. */
const OF_LEDGERS = [
  'consents.source',
  'consents.evidence',
  'consent_endings.reason',
  'suppression_entries.actor_name',
  'suppression_entries.reason',
];

/** The audit log is never changed, so its row is inserted with all of them. */
const OF_AUDIT = ['actor_name', 'address', 'action', 'target_type', 'target_id', 'before', 'after'];

const CHECKED = 'one of the words that the code knows';
const CODE = 'a number, a zone or a code of the standard, checked on its way in';
const NEVER_SHOWN = 'a hash or what is sealed, written by the product alone';
const OWN = 'written by the product alone';

/** Columns of text that hold no text of people, carriers or receivers, and why. */
const NO_TEXT: Record<string, string> = {
  'access_links.kind': CHECKED,
  'access_links.role': CHECKED,
  'api_keys.scopes': CHECKED,
  'audit_log.actor_kind': CHECKED,
  'call_requests.caller_id': CODE,
  'call_requests.from_phone_number': CODE,
  'call_requests.phone_number': CODE,
  'call_requests.status': CHECKED,
  'call_requests.timezone': CODE,
  'campaign_count_changes.kind': CHECKED,
  'campaign_counts.kind': CHECKED,
  'campaign_states.state': CHECKED,
  'campaign_versions.status': CHECKED,
  'campaigns.pacing': 'numbers',
  'campaigns.purpose': CHECKED,
  'campaigns.reentry': 'numbers and words that the code knows',
  'campaigns.status': CHECKED,
  'carrier_accounts.carrier': CHECKED,
  'carrier_accounts.credentials': NEVER_SHOWN,
  'carrier_accounts.previous_credentials': NEVER_SHOWN,
  'consent_endings.phone_number': CODE,
  'consents.level': CHECKED,
  'consents.phone_number': CODE,
  'consents.purpose': CHECKED,
  'consents.voice': CHECKED,
  'contacts.phone_number': CODE,
  'contacts.timezone': CODE,
  'database_identity.database_oid': OWN,
  'database_identity.system_identifier': OWN,
  'do_not_call.phone_number': CODE,
  'enrollments.calls': 'numbers by words that the code knows',
  'enrollments.status': CHECKED,
  'erasure_key.check_value': NEVER_SHOWN,
  'events.caller_id': CODE,
  'events.phone_number': CODE,
  'events.type': CHECKED,
  'imports.mode': CHECKED,
  'imports.status': CHECKED,
  'imports.type': CHECKED,
  'limited_do_not_call.phone_number': CODE,
  'limited_do_not_call.purpose': CHECKED,
  'limited_do_not_call.scope': CHECKED,
  'memberships.role': CHECKED,
  'number_pool_members.phone_number': CODE,
  'pack_versions.content': OWN,
  'pack_versions.pack': OWN,
  'pack_versions.version': OWN,
  'phone_numbers.phone_number': CODE,
  'platform_do_not_call.phone_number': CODE,
  'platform_erasures.carrier': CHECKED,
  'platform_erasures.carrier_call_id': CODE,
  'platform_erasures.reason': OWN,
  'platform_settings.zone_data': OWN,
  'platform_settings.zone_data_before': OWN,
  'platform_settings.zone_data_moved': OWN,
  'platform_settings.zone_data_version': OWN,
  'platform_settings.zone_data_version_before': OWN,
  'register_versions.format': CHECKED,
  'register_versions.status': CHECKED,
  'suppression_entries.action': CHECKED,
  'suppression_entries.actor_kind': CHECKED,
  'suppression_entries.phone_number': CODE,
  'suppression_entries.purpose': CHECKED,
  'suppression_entries.scope': CHECKED,
  'suppression_entries.source': CHECKED,
  'teams.allowed_carriers': CHECKED,
  'teams.allowed_countries': CODE,
  'teams.default_country': CODE,
  'teams.timezone': CODE,
  'users.password_hash': NEVER_SHOWN,
  'users.recovery_codes': NEVER_SHOWN,
  'users.timezone': CODE,
  'users.totp_secret': NEVER_SHOWN,
  'voice_agents.calling_hours': CODE,
  'voice_agents.closed_dates': CODE,
  'voice_agents.outbound_phone_number': CODE,
  'voice_agents.purpose': CHECKED,
  'voice_agents.timezone': CODE,
  'webhook_deliveries.status': CHECKED,
  'webhook_deliveries.type': CHECKED,
  'webhook_endpoints.disabled_reason': CHECKED,
  'webhook_endpoints.previous_secret': NEVER_SHOWN,
  'webhook_endpoints.secret': NEVER_SHOWN,
  'webhook_endpoints.types': CHECKED,
  'whitelist.phone_number': CODE,
  'zone_data_versions.content': OWN,
  'zone_data_versions.version': OWN,
};

/** Every column of text of the database that no list above names. */
export async function unknownTexts(db: DataSource): Promise<string[]> {
  const rows = await db.query<{ field: string }[]>(
    `SELECT c.table_name || '.' || c.column_name AS field
     FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.table_name !~ '_\\d{4}_\\d\\d$'
       AND c.table_name NOT IN ('migrations', 'repeatable_scripts') AND c.table_name NOT LIKE 'pg%'
       AND (c.data_type IN ('text', 'json', 'jsonb', 'character varying') OR c.udt_name = '_text')
     ORDER BY 1`,
  );
  const known = new Set([...filledTexts(), ...Object.keys(NO_TEXT)]);
  return rows.map(({ field }) => field).filter((field) => !known.has(field));
}

/** The columns that {@link plantMarkup} fills. */
export const filledTexts = (): string[] => [
  ...Object.entries(TEXTS).flatMap(([table, columns]) => columns.map((column) => `${table}.${column}`)),
  ...Object.keys(SHAPES),
  ...OF_LEDGERS,
  ...OF_AUDIT.map((column) => `audit_log.${column}`),
];

/**
 * Fills every text of every row with markup.
 *
 * @param caller whose team has the rows that no builder of pages makes.
 * @param phoneNumber of the rows of ledgers and lists: a number that pages show.
 */
export async function plantMarkup(db: DataSource, caller: Caller, phoneNumber: string): Promise<void> {
  await buildOtherRows(db, caller, phoneNumber);
  for (const [table, columns] of Object.entries(TEXTS)) {
    for (const column of columns) await fill(db, table, column);
  }
  for (const [field, shape] of Object.entries(SHAPES)) {
    const [table = '', column = ''] = field.split('.');
    const value = shape(field);
    const isList = column === 'unknown_placeholders';
    await db.query(`UPDATE ${table} SET ${column} = $1`, [isList ? value : JSON.stringify(value)]);
  }
  const text = (column: string) => markup(`audit_log.${column}`);
  for (const teamId of [caller.teamId, null]) {
    await insertRow(db, 'audit_log', {
      actor_kind: 'user',
      team_id: teamId,
      ...Object.fromEntries(OF_AUDIT.slice(0, 5).map((column) => [column, text(column)])),
      before: object('audit_log.before'),
      after: object('audit_log.after'),
    });
  }
}

/** Each row's text ends differently, because some are unique. */
async function fill(db: DataSource, table: string, column: string): Promise<void> {
  const field = `${table}.${column}`;
  const begins =
    column === 'url'
      ? 'https://receiver.example/'
      : column === 'company_website'
        ? 'javascript:planted=1//'
        : '';
  const where = column === 'reason' && table === 'call_requests' ? `WHERE status <> 'dial_unknown'` : '';
  const other = column === 'oidc_subject' ? `, oidc_issuer = ''` : '';
  if (column === 'oidc_issuer') return fillBoth(db);
  if (column === 'oidc_subject') return;
  await db.query(`UPDATE ${table} t SET ${column} = $1 || t.ctid::text${other} ${where}`, [
    begins + (table === 'users' ? markup(field).toLowerCase() : markup(field)),
  ]);
}

/** Both are set, or none. */
async function fillBoth(db: DataSource): Promise<void> {
  await db.query('UPDATE users t SET oidc_issuer = $1, oidc_subject = $2 || t.ctid::text', [
    markup('users.oidc_issuer'),
    markup('users.oidc_subject'),
  ]);
}

function object(field: string): Record<string, unknown> {
  return { [markup(field)]: markup(field), list: [markup(field)], inner: { text: markup(field) } };
}

function decision(field: string): unknown {
  return {
    ...evaluateGuardrails(guardrailFacts(), NOW),
    rules: [
      {
        reason: markup(field),
        allow: false,
        evidence: { [markup(field)]: markup(field) },
        retryAt: NOW.toISOString(),
      },
    ],
  };
}

/** One row at least of each table that has text. */
async function buildOtherRows(
  db: DataSource,
  { teamId, callerNumber }: Caller,
  phoneNumber: string,
): Promise<void> {
  const now = new Date();
  await buildApiKey(db, teamId);
  const pool = await buildPool(db, teamId);
  await insertRow(db, 'number_pool_members', {
    team_id: teamId,
    number_pool_id: pool.id,
    phone_number: callerNumber,
  });
  await buildImport(db, teamId, { status: 'failed', finished_at: now, error: 'x' });
  for (const row of [
    { failing_since: now },
    { failing_since: now, disabled_at: now, disabled_reason: 'failing' },
  ]) {
    const { id } = await insertRow<{ id: string }>(db, 'webhook_endpoints', {
      team_id: teamId,
      url: 'https://receiver.example/',
      secret: 'x',
      ...row,
    });
    await insertRow(db, 'webhook_deliveries', {
      id: randomUUID(),
      team_id: teamId,
      endpoint_id: id,
      event_id: randomUUID(),
      type: 'call.completed',
      status: 'failed',
      created_at: now,
    });
  }
  const none = { woken: 0, expired: 0, unknown: 0, resolved: 0 };
  await insertRow(db, 'sweeper_runs', { worker: 'x', started_at: now, ran_at: now, duration_ms: 1, ...none });
  await insertRow(db, 'idempotency_keys', {
    team_id: teamId,
    key: 'x',
    fingerprint: Buffer.alloc(32),
    status: 200,
    body: {},
    created_at: now,
  });
  await db.query(
    `INSERT INTO call_results (call_request_id, team_id, disposition, opt_out, data, recorded_at)
     SELECT id, team_id, 'x', false, '{}', now() FROM call_requests WHERE status = 'completed'
     ON CONFLICT DO NOTHING`,
  );
  await db.query(
    `INSERT INTO call_details (id, generation, team_id) SELECT new_call_id(outdial_now()), -1, $1`,
    [teamId],
  );
  await db.query(
    `INSERT INTO enrollment_dials (enrollment_id, seq, team_id, campaign_id, call_request_id, step, claimed_at)
     SELECT e.id, row_number() OVER (PARTITION BY e.id ORDER BY c.id), e.team_id, e.campaign_id, c.id, 'x', now()
     FROM enrollments e JOIN call_requests c ON c.team_id = e.team_id AND c.status = 'completed'`,
  );
  await db.query(
    `INSERT INTO campaign_states (campaign_id, team_id, state, rule, enrolled, since)
     SELECT id, team_id, 'stalled', 'x', 1, now() FROM campaigns ON CONFLICT DO NOTHING`,
  );
  await db.query(
    `INSERT INTO campaign_counts (campaign_id, version_id, kind, name, team_id, n)
     SELECT id, current_version_id, 'waiting', 'x', team_id, 1 FROM campaigns ON CONFLICT DO NOTHING`,
  );
  await db.query('UPDATE campaign_versions SET definition_format = $1', [DEFINITION_FORMAT]);
  await buildCarrierAccount(db, teamId);
  await insertRow(db, 'register_versions', {
    register: 'x',
    format: 'list',
    as_of: now,
    imported_at: now,
    numbers: 1,
  });
  await buildLedgers(db, teamId, phoneNumber);
}

async function buildLedgers(db: DataSource, teamId: string, phoneNumber: string): Promise<void> {
  const at = new Date();
  const number = { team_id: teamId, phone_number: phoneNumber };
  const { id } = await buildConsent(db, teamId, {
    phone_number: phoneNumber,
    source: markup('consents.source'),
    evidence: markup('consents.evidence'),
    // After the opt-out of the number, which would end the consent first.
    granted_at: at,
    created_at: at,
  });
  await insertRow(db, 'consent_endings', {
    ...number,
    consent_id: id,
    ended_at: at,
    reason: markup('consent_endings.reason'),
    created_at: at,
  });
  await insertRow(db, 'platform_do_not_call', { phone_number: phoneNumber });
  await insertRow(db, 'limited_do_not_call', {
    ...number,
    scope: 'team',
    effective_from: at,
    purpose: 'marketing',
  });
  await insertRow(db, 'suppression_entries', {
    ...number,
    action: 'added',
    scope: 'team',
    source: 'request',
    actor_kind: 'user',
    actor_name: markup('suppression_entries.actor_name'),
    reason: markup('suppression_entries.reason'),
    effective_from: at,
  });
}
