import { Injectable, Logger } from '@nestjs/common';
import { LOCK_TEAM_SHARED, team, teamsOfCalls } from '../../database/team-scope.js';
import { query, Transactions } from '../../database/transactions.js';
import { PENDING_STATES } from '../../domain/call-states.js';
import { describeError } from '../../telemetry/describe-error.js';
import { Metrics } from '../../telemetry/metrics.js';
import { TRY_LOCK_TEAMS_OF_CALLS } from '../../dialing/facts/locks.sql.js';
import { EXPIRE_CALLS, FIND_EXPIRED } from './sweep.sql.js';

const PAGE_SIZE = 500;

interface ExpiredRow extends Record<string, unknown> {
  id: string;
  team_id: string;
  /**
   * As text: a `Date` has no microseconds. With a rounded cursor, the next page could return the same calls
   * again.
   */
  expires_at: string;
}

interface TeamRow {
  id: string;
  locked: boolean;
}

/** A cursor before the first call. */
const BEGINNING = { expires_at: '-infinity', id: '00000000-0000-0000-0000-000000000000' };

/** Ends pending calls past their expiry, a batch in one transaction. */
@Injectable()
export class ExpiryService {
  private readonly logger = new Logger(ExpiryService.name);

  constructor(
    private readonly transactions: Transactions,
    private readonly metrics: Metrics,
  ) {}

  /**
   * If another transaction holds a team's lock exclusively, calls of the team are ended last, in one batch for
   * each such team. Other teams do not wait.
   *
   * @returns how many calls it ended. A later run ends those that were locked, or left out after an abort
   *   of `signal`.
   */
  async expire(signal: AbortSignal): Promise<number> {
    const held = new Map<string, string[]>();
    let total = 0;
    let after: Pick<ExpiredRow, 'expires_at' | 'id'> | undefined = BEGINNING;
    while (after !== undefined && !signal.aborted) {
      const found: ExpiredRow[] = await this.transactions.autocommit<ExpiredRow>(
        query(FIND_EXPIRED, after.expires_at, after.id, PAGE_SIZE),
      );
      if (found.length > 0) total += await this.expireBatch(found, held);
      after = found.length < PAGE_SIZE ? undefined : found.at(-1);
    }
    for (const [teamId, ids] of held) if (!signal.aborted) total += await this.expireOfTeam(teamId, ids);
    return total;
  }

  /** @param held receives the calls of teams whose lock another transaction holds exclusively. */
  private async expireBatch(found: ExpiredRow[], held: Map<string, string[]>): Promise<number> {
    const ids = found.map(({ id }) => id);
    const { ended, free } = await this.transactions
      .within(teamsOfCalls(ids))
      .run<{ ended: number; free: string[] }>([query(TRY_LOCK_TEAMS_OF_CALLS, ids)], ([locks]) => {
        const teams = (locks?.rows ?? []) as TeamRow[];
        const free = teams.filter(({ locked }) => locked).map(({ id }) => id);
        if (free.length === 0) return { rollback: { ended: 0, free } };
        return {
          commit: [query(EXPIRE_CALLS, ids, free, PENDING_STATES)],
          value: ([result]) => ({ ended: result?.rows.length ?? 0, free }),
        };
      });
    for (const { id, team_id: teamId } of found) {
      if (free.includes(teamId)) continue;
      const waiting = held.get(teamId) ?? [];
      if (waiting.length < PAGE_SIZE) held.set(teamId, [...waiting, id]);
    }
    return this.noted(ended);
  }

  /** Waits for the team's lock. Never throws: the next run ends the calls that are left. */
  private async expireOfTeam(teamId: string, ids: string[]): Promise<number> {
    try {
      const ended = await this.transactions
        .within(team(teamId))
        .run<number>([query(LOCK_TEAM_SHARED, teamId)], () => ({
          commit: [query(EXPIRE_CALLS, ids, [teamId], PENDING_STATES)],
          value: ([result]) => result?.rows.length ?? 0,
        }));
      return this.noted(ended);
    } catch (error) {
      this.logger.warn({ message: `calls not expired: ${describeError(error)}`, teamId });
      return 0;
    }
  }

  private noted(ended: number): number {
    for (let call = 0; call < ended; call += 1) this.metrics.decided('fire', 'expired');
    return ended;
  }
}
