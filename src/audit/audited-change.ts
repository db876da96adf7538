import { query, type Query, type Statement } from '../database/transactions.js';

/** What happened, for the audit log. */
export interface AuditedChange {
  /** Null: the platform. */
  teamId: string | null;
  /** Such as `session.begun`. */
  action: string;
  /** The kind and id of the row. */
  target: { type: string; id: string | null };
  before?: Record<string, unknown> | null;
  after?: Record<string, unknown> | null;
}

/** $1 team or null, $2 action, $3 kind and $4 id of the row, $5 fields before and $6 after, as JSON or null. */
const WRITE_AUDIT: Statement = {
  name: 'write_audit',
  text: 'SELECT write_audit($1, $2, $3, $4, $5, $6)',
};

/** Writes a row in the transaction of the change. */
export function auditing({ teamId, action, target, before = null, after = null }: AuditedChange): Query {
  return query(
    WRITE_AUDIT,
    teamId,
    action,
    target.type,
    target.id,
    before && JSON.stringify(before),
    after && JSON.stringify(after),
  );
}

/** {@link auditing} what happened to a call. */
export function auditingCall(
  teamId: string,
  id: string,
  what: string,
  after?: AuditedChange['after'],
): Query {
  return auditing({ teamId, action: `call.${what}`, target: { type: 'call', id }, after });
}
