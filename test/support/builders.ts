import { randomBytes, randomUUID } from 'node:crypto';
import { type DataSource } from 'typeorm';

/**
 * A row as Postgres has it: snake_case columns. Builders choose the columns that are not given, and return
 * ids and foreign keys.
 */
export type Row = Record<string, unknown>;

let sequence = 0;

/** A US number that no other call of this process gave. */
export function nextNumber(): string {
  sequence += 1;
  return `+1415555${String(1000 + (sequence % 9000)).padStart(4, '0')}`;
}

/**
 * Inserts exactly these columns and gives the stored row. Objects go in as JSON, arrays of strings as arrays.
 */
export async function insertRow<T extends Row>(db: DataSource, table: string, row: Row): Promise<T> {
  const columns = Object.keys(row);
  const parameters = columns.map((_, index) => `$${index + 1}`);
  const values = Object.values(row).map((value) =>
    Array.isArray(value) && typeof value[0] === 'object' ? JSON.stringify(value) : value,
  );
  const rows = await db.query<T[]>(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${parameters.join(', ')}) RETURNING *`,
    values,
  );
  return rows[0] as T;
}

type WithId = Row & { id: string };

export function buildTeam(db: DataSource, row: Row = {}): Promise<WithId> {
  return insertRow(db, 'teams', { name: 'Team', ...row });
}

export function buildApiKey(db: DataSource, teamId: string, row: Row = {}): Promise<WithId> {
  return insertRow(db, 'api_keys', {
    team_id: teamId,
    name: 'Key',
    prefix: 'od_live_test',
    key_hash: randomBytes(32),
    ...row,
  });
}

export function buildPhoneNumber(
  db: DataSource,
  teamId: string,
  row: Row = {},
): Promise<WithId & { phone_number: string }> {
  return insertRow(db, 'phone_numbers', { team_id: teamId, phone_number: nextNumber(), ...row });
}

export function buildPool(db: DataSource, teamId: string, row: Row = {}): Promise<WithId> {
  return insertRow(db, 'number_pools', { team_id: teamId, name: 'Pool', ...row });
}

export function buildAgent(db: DataSource, teamId: string, row: Row = {}): Promise<WithId> {
  return insertRow(db, 'voice_agents', { team_id: teamId, name: 'Agent', timezone: 'UTC', ...row });
}

export function buildContact(
  db: DataSource,
  teamId: string,
  row: Row = {},
): Promise<WithId & { phone_number: string }> {
  return insertRow(db, 'contacts', { team_id: teamId, phone_number: nextNumber(), ...row });
}

/** A campaign with its first, current version. */
export async function buildCampaign(
  db: DataSource,
  teamId: string,
  row: Row = {},
): Promise<WithId & { current_version_id: string }> {
  const [id, versionId] = [randomUUID(), randomUUID()];
  // One statement, because the two refer to each other and constraints wait only for the commit.
  await db.query(
    `WITH campaign AS (
       INSERT INTO campaigns (id, team_id, name, status, current_version_id) VALUES ($1, $2, $3, $4, $5)
     )
     INSERT INTO campaign_versions (id, team_id, campaign_id, number, status, published_at)
     VALUES ($5, $2, $1, 1, 'published', now())`,
    [id, teamId, row.name ?? 'Campaign', row.status ?? 'active', versionId],
  );
  return { id, team_id: teamId, current_version_id: versionId };
}

export function buildVersion(
  db: DataSource,
  teamId: string,
  campaignId: string,
  row: Row = {},
): Promise<WithId> {
  return insertRow(db, 'campaign_versions', {
    team_id: teamId,
    campaign_id: campaignId,
    number: 2,
    status: 'draft',
    ...row,
  });
}

/** `keys` are `team_id`, `campaign_id`, `contact_id` and `version_id`. */
export function buildEnrollment(db: DataSource, keys: Row, row: Row = {}): Promise<WithId> {
  return insertRow(db, 'enrollments', { ...keys, ...row });
}

/** A queued call, accepted now; `keys` are `team_id`, `agent_id`, `contact_id` and `phone_number`. */
export function buildCall(db: DataSource, keys: Row, row: Row = {}): Promise<WithId> {
  const now = new Date();
  return insertRow(db, 'call_requests', {
    id: randomUUID(),
    status: 'queued',
    accepted_at: now,
    runs_at: now,
    expires_at: new Date(now.getTime() + 86_400_000),
    woken_at: now,
    history: [{ at: now.toISOString(), from: null, to: 'queued', cause: 'accepted' }],
    ...keys,
    ...row,
  });
}

/** A consent by letter to every call, given long ago. */
export function buildConsent(db: DataSource, teamId: string, row: Row = {}): Promise<WithId> {
  return insertRow(db, 'consents', {
    team_id: teamId,
    phone_number: nextNumber(),
    level: 'express',
    source: 'letter',
    granted_at: new Date(0),
    created_at: new Date(),
    ...row,
  });
}

/** An account at Retell. Its credentials are plain, as before the first key. */
export function buildCarrierAccount(db: DataSource, teamId: string, row: Row = {}): Promise<WithId> {
  return insertRow(db, 'carrier_accounts', {
    team_id: teamId,
    carrier: 'retell',
    name: 'Account',
    credentials: '{}',
    ...row,
  });
}

/** An import of a team with a staged chunk and a batch of results. */
export async function buildImport(db: DataSource, teamId: string, row: Row = {}): Promise<WithId> {
  const built = await insertRow<WithId>(db, 'imports', {
    team_id: teamId,
    status: 'running',
    mode: 'upsert',
    rows: 2,
    created_at: new Date(),
    next_row: 2,
    tracked: true,
    ...row,
  });
  const part = { import_id: built.id, team_id: teamId };
  await insertRow(db, 'import_results', { ...part, first_row: 1, failed: 1, results: '[{"error":"x"}]' });
  await insertRow(db, 'import_chunks', { ...part, first_row: 2, rows: 1, data: '["x"]', endings: [-1] });
  await insertRow(db, 'import_contacts', { ...part, contact_id: randomUUID() });
  return built;
}
