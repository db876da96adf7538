import { type DataSource } from 'typeorm';
import { buildAgent, buildCall, buildContact, type Row } from '../support/builders.js';

export interface StoredCall {
  status: string;
  reason: string | null;
  ended_at: Date | null;
  counted_month: Date | null;
  history: { at: string; from: string; to: string; cause: string }[];
}

/** A call of a new agent of the team; gives its id. */
export async function storeCall(
  db: DataSource,
  teamId: string,
  phoneNumber: string,
  row: Row,
): Promise<string> {
  const { id: agent_id } = await buildAgent(db, teamId);
  const { id: contact_id } = await buildContact(db, teamId);
  const keys = { team_id: teamId, agent_id, contact_id, phone_number: phoneNumber };
  return (await buildCall(db, keys, row)).id;
}

export async function storedCall(db: DataSource, id: string): Promise<StoredCall> {
  const [row] = await db.query<StoredCall[]>('SELECT * FROM call_requests WHERE id = $1', [id]);
  return row as StoredCall;
}
