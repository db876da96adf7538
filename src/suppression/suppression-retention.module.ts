import { Module } from '@nestjs/common';
import { SuppressionRetention } from './suppression-retention.service.js';

/** Keeps the retention of the suppression ledger. Only the worker imports it. */
@Module({ providers: [SuppressionRetention] })
export class SuppressionRetentionModule {}
