import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Journal } from './journal.service.js';

const EVERY_MS = 60_000;

/**
 * Writes a record each minute. After a restore, the last record shows until when numbers may have been
 * called.
 */
@Injectable()
export class JournalHeartbeat implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly journal: Journal) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.journal.on) return;
    await this.journal.append({ kind: 'alive' });
    // The journal logs the error.
    this.timer = setInterval(
      () => void this.journal.append({ kind: 'alive' }).catch(() => undefined),
      EVERY_MS,
    );
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }
}
