import { type DynamicModule, Module } from '@nestjs/common';
import { CallsModule } from '../calls/calls.module.js';
import { type Config } from '../config/config.js';
import { HttpCallbackController } from './http-callback.controller.js';
import { LiveKitWebhookController } from './livekit-webhook.controller.js';
import { SimulatorCallbackController } from './simulator-callback.controller.js';
import { TwilioCallbackController } from './twilio-callback.controller.js';
import { TwilioCallbackService } from './twilio-callback.service.js';

/** Where carriers report; only the API process imports it. */
@Module({})
export class CarrierCallbacksModule {
  static forRoot(config: Config): DynamicModule {
    const simulated = config.nodeEnv !== 'production' || config.carrier === 'simulator';
    return {
      module: CarrierCallbacksModule,
      imports: [CallsModule],
      controllers: [
        // In production its token moves no calls, unless the deployment is a simulation by its own choice.
        ...(simulated ? [SimulatorCallbackController] : []),
        HttpCallbackController,
        TwilioCallbackController,
        LiveKitWebhookController,
      ],
      providers: [TwilioCallbackService],
    };
  }
}
