import { Module } from '@nestjs/common';
import { CallsModule } from '../../calls/calls.module.js';
import { TeamsModule } from '../../teams/teams.module.js';
import { PlatformModule } from '../platform.module.js';
import { StopsService } from './stops.service.js';

/**
 * Stops teams and the platform. In come requests of operators and teams; out go pauses and requests to hang up. No
 * tables.
 */
@Module({
  imports: [CallsModule, TeamsModule, PlatformModule],
  providers: [StopsService],
  exports: [StopsService],
})
export class StopsModule {}
