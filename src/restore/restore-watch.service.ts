import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PeriodicLoop } from '../loops/periodic-loop.js';
import { describeError } from '../telemetry/describe-error.js';
import { RestoreCheck } from './restore-check.service.js';

const PAUSE_MS = 5_000;

/** Detects that the database was replaced while the worker runs. */
@Injectable()
export class RestoreWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Restore');
  private loop: PeriodicLoop | undefined;

  constructor(private readonly restores: RestoreCheck) {}

  onApplicationBootstrap(): void {
    this.loop = new PeriodicLoop(() => this.look(), PAUSE_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }

  private async look(): Promise<void> {
    try {
      await this.restores.check();
    } catch (error) {
      this.logger.warn(`not checked which database it is: ${describeError(error)}`);
    }
  }
}
