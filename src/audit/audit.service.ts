import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { type AuditedChange, auditing } from './audited-change.js';

export type { AuditedChange } from './audited-change.js';

/**
 * Writes what is not the change of an audited row: sign-ins, exports, reads of secrets, stops. The triggers of the
 * audited tables write all other rows of the log.
 */
@Injectable()
export class AuditService {
  constructor(private readonly dataSource: DataSource) {}

  /** @param manager of the transaction of what happened. */
  async write(manager: EntityManager, change: AuditedChange): Promise<void> {
    const { statement, values } = auditing(change);
    await manager.query(statement.text, values);
  }

  /** {@link write} for what has no transaction of its own. */
  async note(change: AuditedChange): Promise<void> {
    await this.dataSource.transaction((manager) => this.write(manager, change));
  }
}
