import { type INestApplicationContext, Module } from '@nestjs/common';
import { ErasedNumbersModule } from '../erasure/erased-numbers.module.js';
import { QueueModule } from '../queue/queue.module.js';
import { TeamsModule } from '../teams/teams.module.js';
import { ExplainController } from './explain/explain.controller.js';
import { ExplainService } from './explain/explain.service.js';
import { CallListService } from './records/call-list.service.js';
import { CallsAdminController } from './records/calls-admin.controller.js';
import { CallsAdminService } from './records/calls-admin.service.js';
import { CallsController } from './records/calls.controller.js';
import { OperatorCallList } from './records/operator-list.service.js';
import { CallsModule } from './calls.module.js';
import { WalkedLists } from '../lists/walked-lists.js';
import { TestCallsService } from './trigger/test-calls.service.js';
import { TriggerGate } from './trigger/trigger-gate.service.js';
import { TriggerController } from './trigger/trigger.controller.js';
import { TriggerService } from './trigger/trigger.service.js';

/**
 * The HTTP side of calls. In come triggers, and requests of teams and operators about calls; out go responses
 * and pages of calls. Tables: those of CallsModule. Only the API process imports it.
 */
@Module({
  imports: [CallsModule, ErasedNumbersModule, QueueModule, TeamsModule],
  providers: [
    ExplainService,
    CallListService,
    CallsAdminService,
    OperatorCallList,
    TriggerGate,
    TriggerService,
    TestCallsService,
    WalkedLists,
  ],
  controllers: [TriggerController, ExplainController, CallsController, CallsAdminController],
  exports: [CallsAdminService, ExplainService, OperatorCallList, TestCallsService],
})
export class CallsApiModule {
  /**
   * Prepares all connections for triggers.
   * @throws the database's error. A connection is then prepared when a trigger first uses it.
   */
  static warmUp(app: INestApplicationContext): Promise<void> {
    return app.get(TriggerService, { strict: false }).warmUp();
  }
}
