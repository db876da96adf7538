import { Module } from '@nestjs/common';
import { CallsController } from './calls.controller.js';
import { CallsModule } from './calls.module.js';
import { TriggerController } from './trigger.controller.js';

/** The HTTP side of calls; only the API process imports it. */
@Module({ imports: [CallsModule], controllers: [TriggerController, CallsController] })
export class CallsApiModule {}
