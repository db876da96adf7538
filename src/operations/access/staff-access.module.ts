import { Module } from '@nestjs/common';
import { StaffAccess } from './staff-access.service.js';

/** One instance for all operations pages, so that failures count together. */
@Module({ providers: [StaffAccess], exports: [StaffAccess] })
export class StaffAccessModule {}
