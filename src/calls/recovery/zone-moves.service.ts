import { Injectable, Logger } from '@nestjs/common';
import { teamsOfCalls } from '../../database/team-scope.js';
import { query, Transactions } from '../../database/transactions.js';
import { ZoneDataInForce } from '../../database/zone-data-in-force.js';
import { type CallState } from '../../domain/call-states.js';
import { expiryOf } from '../../domain/expiry.js';
import { zoneData } from '../../domain/zones/time-zone.js';
import { CallQueue } from '../../queue/call-queue.js';
import { changeFrom, LEAST_ID, movingCalls, type MovingCall } from './moving-calls.js';
import {
  DECIDE_ENROLLMENTS_OF_ZONES,
  FINISH_ZONE_MOVES,
  MOVE_CALLS,
  ZONE_DATA_IN_FORCE,
  type ZoneDataRow,
} from './zone-moves.sql.js';

const ENROLLMENTS_AT_ONCE = 1_000;
const SCHEDULED: CallState[] = ['scheduled'];

interface MovedRow {
  id: string;
  generation: number;
  team_id: string;
  due_in_ms: number;
}

interface DecidedPage extends Record<string, unknown> {
  last: string | null;
  decided: number;
}

/**
 * Moves pending calls and enrollments whose instants newer zone data move, once the data are in force. A run that
 * did not finish is followed by another one, which leaves alone what has moved.
 */
@Injectable()
export class ZoneMovesService {
  private readonly logger = new Logger('ZoneData');
  /** The version whose moves are known to be done. */
  private done: string | undefined;

  constructor(
    private readonly transactions: Transactions,
    private readonly inForce: ZoneDataInForce,
    private readonly queue: CallQueue,
  ) {}

  /** @returns how many calls it moved. */
  async move(signal: AbortSignal): Promise<number> {
    const { version } = zoneData();
    // A process with older data could not tell where the calls move.
    if (this.done === version || (await this.inForce.version()) !== version) return 0;
    const [row] = await this.transactions.read<ZoneDataRow>(query(ZONE_DATA_IN_FORCE, false));
    if (row?.version !== version) return 0;
    if (row.moved !== version) {
      const { moved, finished } = await this.moveAll(row, signal);
      if (!finished) return moved;
      await this.transactions.autocommit(query(FINISH_ZONE_MOVES, version));
      this.done = version;
      return moved;
    }
    this.done = version;
    return 0;
  }

  private async moveAll(
    { version, before, since }: ZoneDataRow,
    signal: AbortSignal,
  ): Promise<{ moved: number; finished: boolean }> {
    // Before the first release with zone data of its own, the data are not known.
    if (before === null || since === null) return { moved: 0, finished: true };
    const change = changeFrom(before, since);
    let moved = 0;
    let left = 0;
    for await (const calls of movingCalls(this.transactions, change)) {
      if (signal.aborted) return { moved, finished: false };
      const done = await this.moveCalls(calls);
      moved += done;
      left += calls.length - done;
    }
    const decided = change.zones.length === 0 ? 0 : await this.decideEnrollments(change.zones, signal);
    if (moved + decided > 0) {
      const { zones } = change;
      this.logger.log({
        message: `the zone data ${version} moved calls`,
        calls: moved,
        enrollments: decided,
        zones,
      });
    }
    // Calls that were locked, or that changed meanwhile, are looked at by the next run.
    return { moved, finished: left === 0 && !signal.aborted };
  }

  private async moveCalls(calls: MovingCall[]): Promise<number> {
    if (calls.length === 0) return 0;
    const ids = calls.map(({ row }) => row.id);
    const move = query(
      MOVE_CALLS,
      ids,
      calls.map(({ row }) => row.generation),
      calls.map(({ runsAt }) => runsAt),
      calls.map(({ row, runsAt }) => expiryOf(runsAt, row.not_after)),
      SCHEDULED,
    );
    const [result] = await this.transactions.within(teamsOfCalls(ids)).inOneRoundTrip([move]);
    const moved = (result?.rows ?? []) as MovedRow[];
    await Promise.all(
      moved.map(({ id, generation, team_id: teamId, due_in_ms: delayMs }) =>
        this.queue.wake({ callRequestId: id, generation, teamId }, delayMs),
      ),
    );
    return moved.length;
  }

  private async decideEnrollments(zones: string[], signal: AbortSignal): Promise<number> {
    let decided = 0;
    for (let after: string | null = LEAST_ID; after !== null && !signal.aborted;) {
      const [page]: DecidedPage[] = await this.transactions.autocommit<DecidedPage>(
        query(DECIDE_ENROLLMENTS_OF_ZONES, zones, after, ENROLLMENTS_AT_ONCE),
      );
      decided += page?.decided ?? 0;
      after = page?.last ?? null;
    }
    return decided;
  }
}
