import { Module } from '@nestjs/common';
import { AuditRetention } from './audit-retention.service.js';

/** Keeps the retention of the audit log. Only the worker imports it. */
@Module({ providers: [AuditRetention] })
export class AuditRetentionModule {}
