import { Module } from '@nestjs/common';
import { CallsModule } from '../calls/calls.module.js';
import { HttpCallbackController } from './http-callback.controller.js';
import { SimulatorCallbackController } from './simulator-callback.controller.js';

/** Where carriers report; only the API process imports it. */
@Module({ imports: [CallsModule], controllers: [SimulatorCallbackController, HttpCallbackController] })
export class CarrierCallbacksModule {}
