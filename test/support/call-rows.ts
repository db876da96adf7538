import { type Pool } from 'pg';
import { type DataSource } from 'typeorm';
import { decisionsOf, firstMessageOf, promptOf, variablesOf } from '../../src/dialing/facts/details.sql.js';
import { type Row } from './builders.js';

/** Also what a call's own row has not: the last of columns of one name counts. */
const WITH_DETAILS = `SELECT r.*, ${promptOf('r')} AS prompt, ${firstMessageOf('r')} AS first_message,
    ${variablesOf('r')} AS variables, ${decisionsOf('r')} AS decisions FROM call_requests r`;

/** A call request as Postgres has it. */
export type CallRow = Row & {
  id: string;
  status: string;
  reason: string | null;
  generation: number;
  runs_at: Date;
  expires_at: Date;
  counted_month: string | null;
  decisions: { allow: boolean; reason: string | null; rules: { allow: boolean; reason: string }[] }[];
  history: { at: string; from: string | null; to: string; cause: string }[];
};

/** Reads stored call requests. Planning takes far longer than reading, since details are partitioned. */
export class CallRows {
  constructor(private readonly db: () => DataSource) {}

  async row(callRequestId: string): Promise<CallRow> {
    const [row] = await this.read('call', 'WHERE r.id = $1', callRequestId);
    if (row === undefined) throw new Error(`no call request ${callRequestId}`);
    return row;
  }

  rows(teamId: string): Promise<CallRow[]> {
    return this.read('calls', 'WHERE r.team_id = $1 ORDER BY r.accepted_at, r.id', teamId);
  }

  async latest(teamId: string): Promise<CallRow | null> {
    const last = 'WHERE r.team_id = $1 ORDER BY r.accepted_at DESC, r.id DESC LIMIT 1';
    return (await this.read('latest call', last, teamId))[0] ?? null;
  }

  /** @param name of the prepared statement. */
  private async read(name: string, clause: string, value: string): Promise<CallRow[]> {
    const { master } = this.db().driver as unknown as { master: Pool };
    const query = { name, text: `${WITH_DETAILS} ${clause}`, values: [value] };
    return (await master.query<CallRow>(query)).rows;
  }
}
