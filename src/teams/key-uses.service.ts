import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { query, type Statement, Transactions } from '../database/transactions.js';
import { describeError } from '../telemetry/describe-error.js';
import { KnownKeys } from './known-keys.js';

const EVERY_MS = 60_000;

/** $1 SHA-256 hashes of API keys, $2 how many milliseconds ago each was used. */
const NOTE_KEY_USES: Statement = { name: 'note_key_uses', text: 'SELECT note_key_uses($1, $2)' };

/**
 * Writes the instant of each key's last use: once a minute and when the process stops, in one statement.
 * Requests do not write it.
 */
@Injectable()
export class KeyUses implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('KeyUses');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly keys: KnownKeys,
    private readonly transactions: Transactions,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.write(), EVERY_MS);
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    await this.write();
  }

  /** If the statement fails, the uses are kept for the next write. */
  async write(): Promise<void> {
    const uses = this.keys.takeUses();
    if (uses.size === 0) return;
    const now = performance.now();
    const hashes = [...uses.keys()].map((hash) => Buffer.from(hash, 'base64'));
    const ages = [...uses.values()].map((at) => now - at);
    try {
      await this.transactions.autocommit(query(NOTE_KEY_USES, hashes, ages));
    } catch (error) {
      this.keys.returnUses(uses);
      this.logger.warn(`The last uses of keys are not written yet: ${describeError(error)}`);
    }
  }
}
