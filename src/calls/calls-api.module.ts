import { Module } from '@nestjs/common';
import { TeamsModule } from '../teams/teams.module.js';
import { CallsAdminController } from './calls-admin.controller.js';
import { CallsAdminService } from './calls-admin.service.js';
import { CallsController } from './calls.controller.js';
import { CallsModule } from './calls.module.js';
import { TriggerGate } from './trigger-gate.service.js';
import { TriggerController } from './trigger.controller.js';

/** The HTTP side of calls; only the API process imports it. */
@Module({
  imports: [CallsModule, TeamsModule],
  providers: [CallsAdminService, TriggerGate],
  controllers: [TriggerController, CallsController, CallsAdminController],
  exports: [CallsAdminService],
})
export class CallsApiModule {}
