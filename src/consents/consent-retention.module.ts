import { Module } from '@nestjs/common';
import { ConsentRetention } from './consent-retention.service.js';

/** Keeps the retention of the ledger of consents. Only the worker imports it. */
@Module({ providers: [ConsentRetention] })
export class ConsentRetentionModule {}
