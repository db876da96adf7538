import { Module } from '@nestjs/common';
import { CallsModule } from '../calls/calls.module.js';
import { HttpCallbackController } from './http-callback.controller.js';
import { LiveKitWebhookController } from './livekit-webhook.controller.js';
import { SimulatorCallbackController } from './simulator-callback.controller.js';
import { TwilioCallbackController } from './twilio-callback.controller.js';
import { TwilioCallbackService } from './twilio-callback.service.js';

/** Where carriers report; only the API process imports it. */
@Module({
  imports: [CallsModule],
  controllers: [
    SimulatorCallbackController,
    HttpCallbackController,
    TwilioCallbackController,
    LiveKitWebhookController,
  ],
  providers: [TwilioCallbackService],
})
export class CarrierCallbacksModule {}
