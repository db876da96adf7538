import { Module } from '@nestjs/common';
import { TeamsModule } from '../teams/teams.module.js';
import { NumberPoolsService } from './number-pools.service.js';
import { PhoneNumbersService } from './phone-numbers.service.js';
import { TeamPhoneNumbersService } from './team-phone-numbers.service.js';

/**
 * The numbers that teams call from, and pools of them. In come operators' changes; out go caller IDs, which
 * the statements of calls read. Tables: `phone_numbers`, `number_pools`, `number_pool_members`.
 */
@Module({
  imports: [TeamsModule],
  providers: [PhoneNumbersService, NumberPoolsService, TeamPhoneNumbersService],
  exports: [PhoneNumbersService, NumberPoolsService, TeamPhoneNumbersService],
})
export class PhoneNumbersModule {}
