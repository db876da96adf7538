import { randomUUID } from 'node:crypto';
import { randomBytes } from 'node:crypto';
import { Client, DatabaseError, type QueryResultRow } from 'pg';
import { type DataSource } from 'typeorm';
import { RESTRICTED_ROLE, takeRole } from '../../src/database/restricted-role.js';
import {
  buildApiKey,
  buildCarrierAccount,
  buildConsent,
  buildImport,
  insertRow,
} from '../support/builders.js';
import { buildWorld, callOf, enroll } from './world.js';

/** A connection in the processes' role, for any SQL of a test. */
export async function connectRestricted(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await takeRole(client, RESTRICTED_ROLE);
  return client;
}

/** Runs `work` in a transaction that is undone; `team` is what it has set, if anything. */
export async function asTeam<T>(client: Client, team: string | null, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    if (team !== null) await client.query(`SELECT set_config('outdial.team_id', $1, true)`, [team]);
    return await work();
  } finally {
    await client.query('ROLLBACK');
  }
}

/** The rows of a statement, or the SQLSTATE that refused it. */
export async function attempt(client: Client, text: string, values: unknown[] = []) {
  try {
    return (await client.query<QueryResultRow>(text, values)).rows;
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    return error.code;
  }
}

/** A team with a row in every table of teams; gives what finds it. */
export async function buildEverything(db: DataSource) {
  const own = await buildWorld(db);
  const { team, number, pool } = own;
  const keyHash = randomBytes(32);
  await buildApiKey(db, team, { key_hash: keyHash });
  await insertRow(db, 'number_pool_members', { team_id: team, number_pool_id: pool, phone_number: number });
  const { id: enrollment } = await enroll(db, own);
  const { id: call } = await callOf(db, own);
  await insertRow(db, 'enrollment_dials', {
    enrollment_id: enrollment,
    seq: 1,
    team_id: team,
    campaign_id: own.campaign,
    call_request_id: call,
    step: 'first',
    claimed_at: new Date(),
  });
  const result = { call_request_id: call, team_id: team, opt_out: false, recorded_at: new Date() };
  await insertRow(db, 'call_results', result);
  await db.query(
    `INSERT INTO call_details (id, generation, team_id) SELECT new_call_id(outdial_now()), -1, $1`,
    [team],
  );
  for (const list of ['do_not_call', 'whitelist']) {
    await insertRow(db, list, { team_id: team, phone_number: own.contactNumber });
  }
  const entry = { team_id: team, phone_number: own.contactNumber, scope: 'team', effective_from: new Date() };
  await insertRow(db, 'limited_do_not_call', entry);
  const added = { action: 'added', source: 'request', actor_kind: 'system' };
  await insertRow(db, 'suppression_entries', { ...entry, ...added });
  const consent = await buildConsent(db, team, { phone_number: own.contactNumber });
  await insertRow(db, 'consent_endings', {
    team_id: team,
    phone_number: own.contactNumber,
    consent_id: consent.id,
    ended_at: new Date(),
    created_at: new Date(),
  });
  await insertRow(db, 'plan_usage', { team_id: team, month: '2026-01-01', used: 1 });
  const answer = { fingerprint: randomBytes(32), status: 200, body: {}, created_at: new Date() };
  await insertRow(db, 'idempotency_keys', { team_id: team, key: 'key', ...answer });
  await buildImport(db, team);
  await db.query(`SELECT write_audit($1, 'team.created', 'team', $2, NULL, NULL)`, [team, team]);
  const { id: user } = await insertRow<{ id: string }>(db, 'users', { email: `${team}@example.com` });
  await insertRow(db, 'memberships', { user_id: user, team_id: team, role: 'viewer' });
  const account = await buildCarrierAccount(db, team);
  await insertRow(db, 'carrier_account_turns', { account_id: account.id, team_id: team });
  await insertRow(db, 'platform_erasures', { id: randomUUID(), team_id: team, carrier: 'retell' });
  const endpoint = await insertRow<{ id: string }>(db, 'webhook_endpoints', {
    team_id: team,
    url: 'https://example.com/',
    secret: 'whsec_',
  });
  await insertRow(db, 'webhook_deliveries', {
    id: call,
    team_id: team,
    endpoint_id: endpoint.id,
    event_id: call,
    type: 'call.ended',
    next_at: new Date(),
    created_at: new Date(),
  });
  return { ...own, keyHash, call };
}

export type Everything = Awaited<ReturnType<typeof buildEverything>>;
