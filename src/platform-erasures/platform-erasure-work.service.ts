import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { CarrierAccountOpener } from '../carrier-accounts/carrier-account-opener.service.js';
import { eraseCallBounded } from '../carriers/bounded.js';
import { CarrierRegistry } from '../carriers/carrier-registry.js';
import { type EraseCallResult } from '../carriers/carrier.js';
import { team } from '../database/team-scope.js';
import { query, Transactions } from '../database/transactions.js';
import { PeriodicLoop } from '../loops/periodic-loop.js';
import { describeError } from '../telemetry/describe-error.js';
import { Metrics } from '../telemetry/metrics.js';
import { DROP_ERASURE, DUE_ERASURES, NOTE_ERASURE } from './platform-erasures.sql.js';

/** The pause between two runs, in ms. */
const PAUSE_MS = 30_000;
/** The most calls of one batch. */
const BATCH = 20;
/** The most batches of one run. */
const MAX_BATCHES = 50;

interface DueRow extends Record<string, unknown> {
  id: string;
  team_id: string;
  carrier: string;
  carrier_call_id: string | null;
  carrier_account_id: string | null;
  attempts: number;
  goes_on: boolean;
}

/**
 * Erases the calls of erased persons at the platforms on which their voice agents run, each once it has ended. A
 * failed attempt is repeated, ever less often, until the platform has erased the call or does not have it.
 */
@Injectable()
export class PlatformErasureWork implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(PlatformErasureWork.name);
  private loop: PeriodicLoop | undefined;

  constructor(
    private readonly transactions: Transactions,
    private readonly carriers: CarrierRegistry,
    private readonly accounts: CarrierAccountOpener,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    this.loop = new PeriodicLoop((signal) => this.runSafely(signal), PAUSE_MS);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop?.stop();
  }

  /** @returns how many calls it erased, or found missing at the platform. An abort of `signal` ends the run early. */
  async runOnce(signal: AbortSignal): Promise<number> {
    let erased = 0;
    for (let batch = 0; batch < MAX_BATCHES && !signal.aborted; batch += 1) {
      const rows = await this.transactions.autocommit<DueRow>(query(DUE_ERASURES, BATCH));
      for (const row of rows) {
        if (signal.aborted) break;
        if (!row.goes_on && (await this.erase(row))) erased += 1;
      }
      if (rows.length < BATCH) break;
    }
    return erased;
  }

  private async erase(row: DueRow): Promise<boolean> {
    const { id, team_id: teamId, carrier } = row;
    const result = await this.ask(row);
    const own = this.transactions.within(team(teamId));
    if (result.kind !== 'not_done') {
      await own.autocommit(query(DROP_ERASURE, teamId, id));
      this.metrics.erasedAtPlatform(carrier, result.kind);
      return true;
    }
    await own.autocommit(query(NOTE_ERASURE, teamId, id, result.reason));
    this.metrics.erasedAtPlatform(carrier, 'failed');
    const message = `the call of an erased person was not erased at its platform (${result.reason}); it is tried again`;
    this.logger.warn({ message, carrier, callRequestId: id, attempts: row.attempts });
    return false;
  }

  private async ask(row: DueRow): Promise<EraseCallResult> {
    const carrier = this.carriers.get(row.carrier);
    if (carrier === undefined) return { kind: 'not_done', reason: 'carrier_not_configured' };
    // The platform never took the call, or its answer was lost and nothing was found.
    if (row.carrier_call_id === null) return { kind: 'not_found' };
    const account = await this.accounts.openOf(row.carrier_account_id, row.carrier, this.logger);
    if (account === 'not_opened') return { kind: 'not_done', reason: 'carrier_account_missing' };
    return eraseCallBounded(carrier, { carrierCallId: row.carrier_call_id, account }, (error) =>
      this.logger.error({
        message: `erasure at a platform failed: ${describeError(error)}`,
        carrier: row.carrier,
      }),
    );
  }

  private async runSafely(signal: AbortSignal): Promise<void> {
    try {
      await this.runOnce(signal);
    } catch (error) {
      this.metrics.sweepFailed();
      this.logger.error(`calls not erased at platforms: ${describeError(error)}`);
    }
  }
}
