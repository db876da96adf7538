import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { RepairLoop } from '../calls/recovery/repair-loop.js';
import { describeError } from '../http/describe-error.js';
import { RestoreCheck } from './restore-check.service.js';

const PAUSE_MS = 5_000;

/** Detects that the database was replaced while the worker runs. */
@Injectable()
export class RestoreWatch implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Restore');
  private loop: RepairLoop | undefined;

  constructor(private readonly restores: RestoreCheck) {}

  onApplicationBootstrap(): void {
    this.loop = new RepairLoop(() => this.look(), PAUSE_MS);
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
