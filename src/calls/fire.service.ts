import { Injectable } from '@nestjs/common';
import { CarrierRegistry } from '../carriers/carrier-registry.js';
import { Circuits } from '../carriers/circuits.service.js';
import { teamOfCall } from '../database/team-scope.js';
import { ALONE, Batcher } from '../database/batcher.js';
import { type Query, query, Transactions } from '../database/transactions.js';
import { decideFire, type FireDecision } from '../domain/call-decision.js';
import { type CallState, type HistoryEntry, PENDING_STATES } from '../domain/call-states.js';
import { type Decision } from '../domain/guardrails.js';
import { renderTemplate } from '../domain/template.js';
import { Pacer } from '../pacing/pacer.service.js';
import { type Slot } from '../pacing/slot.js';
import { type DialJob } from '../queue/call-jobs.js';
import { CallQueue } from '../queue/call-queue.js';
import { Metrics } from '../telemetry/metrics.js';
import { type ClaimedCall, DialService } from './dial.service.js';
import { fireFactsOf } from './fire-facts.js';
import { carryOut, type FireResult, ignored, type Next, type Verdict } from './fire-verdict.js';
import { isNearPlanLimit } from './sql/facts.sql.js';
import { LinesService } from './lines.service.js';
import {
  contactOf,
  END_PENDING,
  FIRE_FACTS,
  type FireFactsRow,
  PUT_OFF,
  RESCHEDULE,
} from './sql/fire.sql.js';
import { WAIT_FOR_LINE } from './sql/lines.sql.js';
import {
  type FreeLocksRow,
  LOCK_FREE_OF_CALLS,
  LOCK_NUMBER_OF_CALL,
  LOCK_TEAM_OF_CALL,
  type TeamLockRow,
} from './sql/locks.sql.js';
import { judgeUnder } from './under-lock.js';

/** The turn with a carrier in which a call is fired. */
export interface Turn {
  carrier: string;
  slot: Slot;
}

/** A wake-up to act on. */
interface Asked {
  job: DialJob;
  turn: Turn | undefined;
}

/** Fires pending calls: all is judged again in the transaction of the claim, and only the claimer dials. */
@Injectable()
export class FireService {
  private readonly batcher = new Batcher<Asked, Next>(
    (all) => this.takeTogether(all),
    (one) => this.takeAlone(one),
  );

  constructor(
    private readonly transactions: Transactions,
    private readonly queue: CallQueue,
    private readonly carriers: CarrierRegistry,
    private readonly dialer: DialService,
    private readonly metrics: Metrics,
    private readonly lines: LinesService,
    private readonly pacer: Pacer,
    private readonly circuits: Circuits,
  ) {}

  /**
   * Acts on one wake-up, however often and late it comes.
   *
   * @param turn with the carrier, where that is paced; without it such a carrier is not asked.
   * @throws the database's error when nothing was decided; the row is then as it was, and the sweeper wakes it.
   */
  async fire(job: DialJob, turn?: Turn): Promise<FireResult> {
    let used = false;
    try {
      const next = await this.batcher.add({ job, turn }).catch(this.metrics.undecided('fire'));
      used = next.dial?.slot !== undefined;
      return await this.follow(next);
    } finally {
      if (turn !== undefined && !used) this.pacer.giveBack(turn.carrier, turn.slot);
    }
  }

  private async follow(next: Next): Promise<FireResult> {
    const { result } = next;
    this.metrics.decided('fire', result.kind, result.kind === 'ignored' ? result.why : next.reason);
    if (next.wake) await this.queue.wake(next.wake.job, next.wake.delayMs);
    if (next.lineOf !== undefined) await this.lines.offer(next.lineOf);
    if (next.dial) await this.dialer.dial(next.dial);
    return result;
  }

  /** Those whose locks are free. */
  private takeTogether(all: Asked[]): Promise<(Next | typeof ALONE)[]> {
    const ids = all.map(({ job }) => job.callRequestId);
    return this.transactions.run<(Next | typeof ALONE)[]>(
      [query(LOCK_FREE_OF_CALLS, ids), query(FIRE_FACTS, ids, this.lines.unknownMs)],
      ([locked, found]) => {
        const { locks } = locked?.rows[0] as FreeLocksRow;
        const rows = new Map((found?.rows as FireFactsRow[]).map((row) => [row.id, row]));
        return carryOut(
          all.map((asked, index) =>
            judgeUnder(locks[index], (exclusive) =>
              this.judge(asked, rows.get(asked.job.callRequestId), exclusive),
            ),
          ),
        );
      },
    );
  }

  /** Waits for its locks. */
  private async takeAlone(asked: Asked): Promise<Next> {
    for (;;) {
      const [next = ALONE] = await this.tryAlone(asked);
      // Something came to be counted between the lock and the facts.
      if (next !== ALONE) return next;
    }
  }

  private tryAlone(asked: Asked): Promise<(Next | typeof ALONE)[]> {
    const { callRequestId: id } = asked.job;
    const own = this.transactions.within(teamOfCall(id));
    return own.run<(Next | typeof ALONE)[]>(
      [
        query(LOCK_NUMBER_OF_CALL, id),
        query(LOCK_TEAM_OF_CALL, id),
        query(FIRE_FACTS, [id], this.lines.unknownMs),
      ],
      ([, locked, found]) => {
        const lock = locked?.rows[0] as TeamLockRow | undefined;
        const row = found?.rows[0] as FireFactsRow | undefined;
        return carryOut([this.judge(asked, row, lock?.exclusive === true)]);
      },
    );
  }

  /** @param exclusive whether the team's lock is held so; shared, it says ALONE where something is counted. */
  private judge(
    { job, turn }: Asked,
    row: FireFactsRow | undefined,
    exclusive: boolean,
  ): Verdict | typeof ALONE {
    if (row === undefined) return nothing(ignored('not_found'));
    if (!exclusive && (isNearPlanLimit(row) || row.max_concurrent_calls !== null)) return ALONE;
    const { callRequestId: id, generation } = job;
    const decision = decideFire(fireFactsOf(row), generation, row.now);
    const lineOf = row.waiting ? row.team_id : undefined;
    switch (decision.kind) {
      case 'ignored':
        return nothing(ignored(decision.why));
      case 'early':
        return nothing({ result: { kind: 'early', delayMs: decision.delayMs } });
      case 'expired':
        return ended(endPending(row, 'expired', decision.cause), { result: { kind: 'expired' }, lineOf });
      case 'blocked': {
        const { reason } = decision;
        const next: Next = { result: { kind: 'blocked' }, reason, lineOf };
        return ended(endPending(row, 'blocked', reason, reason, [decision.decision]), next);
      }
      case 'rescheduled': {
        const { runsAt, expiresAt } = decision;
        const move = entry(row, 'scheduled', 'outside_calling_hours');
        return {
          kind: 'change',
          change: query(RESCHEDULE, id, generation, runsAt, expiresAt, row.now, move, PENDING_STATES),
          changed: (moved) => {
            const { generation: next } = moved as { generation: number };
            const delayMs = runsAt.getTime() - row.now.getTime();
            const wake = { job: { ...job, generation: next, teamId: row.team_id }, delayMs };
            return { result: { kind: 'rescheduled' }, wake, lineOf };
          },
        };
      }
      case 'waiting':
        return ended(query(WAIT_FOR_LINE, id, generation, row.now, PENDING_STATES), {
          result: { kind: 'waiting' },
          reason: 'MAX_CONCURRENT_CALLS',
        });
      case 'claimed':
        return this.claim(job, row, decision, turn);
    }
  }

  private claim(
    job: DialJob,
    row: FireFactsRow,
    decision: FireDecision & { kind: 'claimed' },
    turn: Turn | undefined,
  ): Verdict {
    const carrier = row.carrier ?? this.carriers.defaultName;
    const slot = turn?.carrier === carrier ? turn.slot : undefined;
    // Before anything is rendered: the claim waits for the carrier, never the other way round.
    if (this.pacer.paces(carrier) && slot === undefined) {
      return nothing({ result: { kind: 'other_carrier', carrier } });
    }
    const delayMs = this.circuits.putOffMs(this.carriers.destinationOf(carrier, row.carrier_settings));
    if (delayMs !== null) {
      return ended(query(PUT_OFF, row.id, row.generation, row.now, delayMs, PENDING_STATES), {
        result: { kind: 'put_off', delayMs },
        reason: 'CARRIER_AWAY',
        lineOf: row.waiting ? row.team_id : undefined,
      });
    }
    const contact = contactOf(row);
    const prompt = renderTemplate(row.prompt_template, contact, row.variables);
    const firstMessage = renderTemplate(row.first_message_template, contact, row.variables);
    const unknown = [...new Set([...prompt.unknownPlaceholders, ...firstMessage.unknownPlaceholders])];
    const dial: ClaimedCall = {
      carrier,
      slot,
      request: {
        callRequestId: job.callRequestId,
        generation: job.generation,
        teamId: row.team_id,
        agentId: row.agent_id,
        to: row.phone_number,
        from: decision.callerId,
        prompt: prompt.text,
        firstMessage: firstMessage.text,
        variables: row.variables,
        carrierSettings: row.carrier_settings,
      },
      claimedAtMonotonic: performance.now(),
      requestId: job.requestId,
    };
    return {
      kind: 'claim',
      claim: {
        ...{ id: job.callRequestId, generation: job.generation, now: row.now },
        ...{ caller_id: decision.callerId, prompt: prompt.text, first_message: firstMessage.text },
        ...{ unknown_placeholders: unknown, carrier },
        entry: entryOf(row, 'dialing', 'claimed'),
        decision: decision.decision,
        limited: row.monthly_call_limit !== null,
      },
      won: () => {
        this.metrics.claimed(row.status, (row.now.getTime() - row.runs_at.getTime()) / 1_000);
        return { result: { kind: 'dialed' }, dial };
      },
    };
  }
}

function nothing(next: Next): Verdict {
  return { kind: 'nothing', next };
}

function ended(change: Query, next: Next): Verdict {
  return { kind: 'change', change, changed: () => next };
}

/** Ends the call as long as it has the generation that was judged. */
function endPending(
  row: FireFactsRow,
  status: 'expired' | 'blocked',
  cause: string,
  reason: string | null = null,
  decisions: Decision[] = [],
): Query {
  const move = entry(row, status, cause);
  const judged = JSON.stringify(decisions);
  const { id, generation, now } = row;
  return query(END_PENDING, id, generation, status, reason, now, move, judged, PENDING_STATES);
}

/** The statement itself fills in `from`. */
function entryOf(row: FireFactsRow, to: CallState, cause: string): HistoryEntry {
  return { at: row.now.toISOString(), from: null, to, cause };
}

function entry(row: FireFactsRow, to: CallState, cause: string): string {
  return JSON.stringify(entryOf(row, to, cause));
}
