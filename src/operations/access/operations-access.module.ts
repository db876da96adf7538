import { Module } from '@nestjs/common';
import { OperationsAccess } from './operations-access.service.js';

/**
 * Access to the operations pages; one instance, so that failures count together. In come requests; out go
 * visits and refusals. No tables.
 */
@Module({ providers: [OperationsAccess], exports: [OperationsAccess] })
export class OperationsAccessModule {}
