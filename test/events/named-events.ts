import { Client } from 'pg';
import { type Caller } from '../support/call-builders.js';
import { type Calling } from '../support/calling.js';

/** A connection beside those of the application, for a transaction of the test. */
export async function connectTo(calling: Calling): Promise<Client> {
  const client = new Client({ connectionString: calling.world.config.databaseUrl });
  await client.connect();
  return client;
}

/** Writes an event of the team that a test recognizes by its name. */
export function addNamed(
  client: { query(text: string, values: unknown[]): Promise<unknown> },
  { teamId }: Caller,
  name: string,
): Promise<unknown> {
  const event = `SELECT add_event($1, 'import.finished', NULL, jsonb_build_object('name', $2::text))`;
  return client.query(event, [teamId, name]);
}

export function namesOf(events: readonly { data: Record<string, unknown> }[]): unknown[] {
  return events.map(({ data }) => data.name);
}
