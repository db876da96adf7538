import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../config/config.js';
import { limitLockWaits, LOCK_TEAM, team } from '../../database/team-scope.js';
import { KeyedSemaphore } from '../../database/keyed-semaphore.js';
import { query, Transactions } from '../../database/transactions.js';
import { PENDING_STATES } from '../../domain/call-states.js';
import { describeError } from '../../telemetry/describe-error.js';
import { CallQueue } from '../../queue/call-queue.js';
import { ConcurrencySlots } from './concurrency-slots.js';
import { FIND_TEAMS_WITH_FREE_CONCURRENCY_SLOTS, OFFER_CONCURRENCY_SLOTS } from './concurrency-slots.sql.js';

const OFFERS = 500;
const TEAMS = 100;

/** Implements {@link ConcurrencySlots} in Postgres, and wakes the calls that get a concurrency slot. */
@Injectable()
export class ConcurrencySlotsService extends ConcurrencySlots {
  private readonly logger = new Logger(ConcurrencySlotsService.name);

  constructor(
    private readonly transactions: Transactions,
    private readonly wakeUps: CallQueue,
    private readonly config: Config,
    private readonly semaphore: KeyedSemaphore,
  ) {
    super();
  }

  get callTimeLimitMs(): number {
    return this.config.callTimeLimitSeconds * 1_000;
  }

  async offer(teamId: string): Promise<number> {
    try {
      const own = this.transactions.within(team(teamId));
      const offered = await this.semaphore.runWithLocks(teamId, () =>
        own.run<{ id: string; generation: number }[]>([limitLockWaits(), query(LOCK_TEAM, teamId)], () => ({
          commit: [query(OFFER_CONCURRENCY_SLOTS, teamId, this.callTimeLimitMs, OFFERS, PENDING_STATES)],
          value: ([rows]) => (rows?.rows ?? []) as { id: string; generation: number }[],
        })),
      );
      await this.wakeUps.wakeAll(
        offered.map(({ id, generation }) => ({ callRequestId: id, generation, teamId })),
      );
      return offered.length;
    } catch (error) {
      this.logger.warn({ message: `concurrency slots not offered: ${describeError(error)}`, teamId });
      return 0;
    }
  }

  /**
   * Offers concurrency slots that became free without an invocation of {@link offer}.
   * @returns how many calls it woke.
   */
  async offerAll(): Promise<number> {
    const teams = await this.transactions.autocommit<{ team_id: string }>(
      query(FIND_TEAMS_WITH_FREE_CONCURRENCY_SLOTS, this.callTimeLimitMs, TEAMS),
    );
    let offered = 0;
    for (const { team_id: teamId } of teams) offered += await this.offer(teamId);
    return offered;
  }
}
