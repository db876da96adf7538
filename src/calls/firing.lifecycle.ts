import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { CarrierRegistry } from '../carriers/carrier-registry.js';
import { CallResultsService } from '../results/call-results.service.js';
import { DialProcessor } from './fire/dial.processor.js';
import { OutcomeService } from '../dialing/outcome/outcome.service.js';
import { SweeperService } from './recovery/sweeper.service.js';

/**
 * Starts what fires and recovers calls once the application is ready, and stops them before the components that they
 * use.
 */
@Injectable()
export class FiringLifecycle implements OnApplicationBootstrap, BeforeApplicationShutdown {
  constructor(
    private readonly carriers: CarrierRegistry,
    private readonly results: CallResultsService,
    private readonly outcomes: OutcomeService,
    private readonly processor: DialProcessor,
    private readonly sweeper: SweeperService,
  ) {}

  onApplicationBootstrap(): void {
    this.carriers.start(async (carrier, event) => {
      await this.results.recordOf(carrier, event);
      await this.outcomes.recordEvent(carrier, event);
    });
    this.processor.start();
    this.sweeper.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([this.sweeper.stop(), this.processor.stop()]);
    // Last, because a carrier in this process reports the end of its calls when it closes.
    await this.carriers.close();
  }
}
