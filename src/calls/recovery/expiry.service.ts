import { Injectable, Logger } from '@nestjs/common';
import { team, teamsOfCalls } from '../../database/team-scope.js';
import { query, Transactions } from '../../database/transactions.js';
import { PENDING_STATES } from '../../domain/call-states.js';
import { describeError } from '../../http/describe-error.js';
import { Metrics } from '../../telemetry/metrics.js';
import { EXPIRE_CALLS, FIND_EXPIRED, LOCK_TEAM_SHARED, TRY_LOCK_TEAMS_OF_CALLS } from './sweep.sql.js';

const BATCH = 500;

interface TeamRow {
  id: string;
  locked: boolean;
}

/** Ends pending calls past their expiry, a batch in one transaction. */
@Injectable()
export class ExpiryService {
  private readonly logger = new Logger(ExpiryService.name);

  constructor(
    private readonly transactions: Transactions,
    private readonly metrics: Metrics,
  ) {}

  /** @returns how many calls it ended: all there are, unless `signal` aborts. */
  async expire(signal: AbortSignal): Promise<number> {
    for (let total = 0; ;) {
      const found = await this.transactions.autocommit<{ id: string }>(query(FIND_EXPIRED, BATCH));
      const ended = found.length === 0 ? 0 : await this.expireBatch(found.map(({ id }) => id));
      total += ended;
      for (let call = 0; call < ended; call += 1) this.metrics.decided('fire', 'expired');
      if (found.length < BATCH || ended === 0 || signal.aborted) return total;
    }
  }

  /** Those of teams whose lock is held come last, so that the others do not wait for them. */
  private async expireBatch(ids: string[]): Promise<number> {
    const { ended, held } = await this.transactions
      .within(teamsOfCalls(ids))
      .run<{ ended: number; held: string[] }>([query(TRY_LOCK_TEAMS_OF_CALLS, ids)], ([found]) => {
        const teams = (found?.rows ?? []) as TeamRow[];
        const free = teams.filter(({ locked }) => locked).map(({ id }) => id);
        const held = teams.filter(({ locked }) => !locked).map(({ id }) => id);
        if (free.length === 0) return { rollback: { ended: 0, held } };
        return {
          commit: [query(EXPIRE_CALLS, ids, free, PENDING_STATES)],
          value: ([result]) => ({ ended: result?.rows.length ?? 0, held }),
        };
      });
    let total = ended;
    for (const teamId of held) total += await this.expireOfTeam(teamId, ids);
    return total;
  }

  /** Waits for the team's lock. Never throws: what did not end now, the next run ends. */
  private async expireOfTeam(teamId: string, ids: string[]): Promise<number> {
    try {
      return await this.transactions
        .within(team(teamId))
        .run<number>([query(LOCK_TEAM_SHARED, teamId)], () => ({
          commit: [query(EXPIRE_CALLS, ids, [teamId], PENDING_STATES)],
          value: ([result]) => result?.rows.length ?? 0,
        }));
    } catch (error) {
      this.logger.warn({ message: `calls not expired: ${describeError(error)}`, teamId });
      return 0;
    }
  }
}
