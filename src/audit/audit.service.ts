import { Injectable } from '@nestjs/common';
import { type EntityManager } from 'typeorm';

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

/**
 * Writes what is not the change of an audited row: sign-ins, exports, reads of secrets, stops. The triggers of the
 * audited tables write all other rows of the log.
 */
@Injectable()
export class AuditService {
  /** @param manager of the transaction of what happened. */
  async write(manager: EntityManager, change: AuditedChange): Promise<void> {
    const { teamId, action, target, before = null, after = null } = change;
    await manager.query('SELECT write_audit($1, $2, $3, $4, $5, $6)', [
      teamId,
      action,
      target.type,
      target.id,
      before && JSON.stringify(before),
      after && JSON.stringify(after),
    ]);
  }
}
