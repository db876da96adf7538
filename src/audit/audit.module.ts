import { Global, Module } from '@nestjs/common';
import { AuditList } from './audit-list.service.js';
import { AuditService } from './audit.service.js';

/**
 * The audit log: who changed what, when and from where. In come changes, in their own transactions; out go rows that
 * are never changed. Table: `audit_log`.
 */
@Global()
@Module({ providers: [AuditService, AuditList], exports: [AuditService, AuditList] })
export class AuditModule {}
