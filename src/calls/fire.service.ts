import { Injectable } from '@nestjs/common';
import { CarrierRegistry } from '../carriers/carrier-registry.js';
import { teamOfCall } from '../database/team-scope.js';
import { type Plan, type Query, query, Transactions } from '../database/transactions.js';
import { decideFire, type FireDecision } from '../domain/call-decision.js';
import { type CallState } from '../domain/call-states.js';
import { renderTemplate } from '../domain/template.js';
import { Pacer } from '../pacing/pacer.service.js';
import { type Slot } from '../pacing/slot.js';
import { type DialJob } from '../queue/call-jobs.js';
import { CallQueue } from '../queue/call-queue.js';
import { Metrics } from '../telemetry/metrics.js';
import { type ClaimedCall, DialService } from './dial.service.js';
import { fireFactsOf } from './fire-facts.js';
import { isNearPlanLimit } from './sql/facts.sql.js';
import { LinesService } from './lines.service.js';
import { CLAIM, contactOf, END_PENDING, FIRE_FACTS, type FireFactsRow, RESCHEDULE } from './sql/fire.sql.js';
import { WAIT_FOR_LINE } from './sql/lines.sql.js';
import { LOCK_NUMBER_OF_CALL, LOCK_TEAM_OF_CALL, type TeamLockRow } from './sql/locks.sql.js';

/** What came of a wake-up; `early` asks for another one in `delayMs`. */
export type FireResult =
  | { kind: 'ignored'; why: 'not_found' | 'not_pending' | 'old_generation' | 'paused' | 'lost_claim' }
  | { kind: 'early'; delayMs: number }
  /** The agent has another carrier by now, which is asked in its own turn. */
  | { kind: 'other_carrier'; carrier: string }
  | { kind: 'expired' | 'blocked' | 'rescheduled' | 'waiting' | 'dialed' };

/** What is left to do after the commit. */
type Next = {
  result: FireResult;
  /** Why the call was blocked. */
  reason?: string;
  wake?: { job: DialJob; delayMs: number };
  dial?: ClaimedCall;
  /** The team that has a line for another call, because this one needs none any more. */
  lineOf?: string;
};

/** The turn with a carrier in which a call is fired. */
export interface Turn {
  carrier: string;
  slot: Slot;
}

/** As in the trigger: a limit appeared between the lock and the facts, so the turn is taken again. */
const AGAIN = Symbol('again');

/** Fires pending calls: all is judged again in the transaction of the claim, and only the claimer dials. */
@Injectable()
export class FireService {
  constructor(
    private readonly transactions: Transactions,
    private readonly queue: CallQueue,
    private readonly carriers: CarrierRegistry,
    private readonly dialer: DialService,
    private readonly metrics: Metrics,
    private readonly lines: LinesService,
    private readonly pacer: Pacer,
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
      const next = await this.decide(job, turn).catch(this.metrics.undecided('fire'));
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

  private async decide(job: DialJob, turn: Turn | undefined): Promise<Next> {
    let next = await this.take(job, turn);
    while (next === AGAIN) next = await this.take(job, turn);
    return next;
  }

  private take(job: DialJob, turn: Turn | undefined): Promise<Next | typeof AGAIN> {
    const id = job.callRequestId;
    const own = this.transactions.within(teamOfCall(id));
    return own.run<Next | typeof AGAIN>(
      [
        query(LOCK_NUMBER_OF_CALL, id),
        query(LOCK_TEAM_OF_CALL, id),
        query(FIRE_FACTS, id, this.lines.unknownMs),
      ],
      ([, locked, facts]) => {
        const row = facts?.rows[0] as FireFactsRow | undefined;
        if (row === undefined) return { rollback: ignored('not_found') };
        const lock = locked?.rows[0] as TeamLockRow | undefined;
        const counted = isNearPlanLimit(row) || row.max_concurrent_calls !== null;
        if (counted && lock?.exclusive !== true) return { rollback: AGAIN };
        return this.planOf(job, row, turn);
      },
    );
  }

  private planOf(job: DialJob, row: FireFactsRow, turn: Turn | undefined): Plan<Next> {
    const { callRequestId: id, generation } = job;
    const decision = decideFire(fireFactsOf(row), generation, row.now);
    const lineOf = row.waiting ? row.team_id : undefined;
    switch (decision.kind) {
      case 'ignored':
        return { rollback: ignored(decision.why) };
      case 'early':
        return { rollback: { result: { kind: 'early', delayMs: decision.delayMs } } };
      case 'expired':
        return ended(
          query(END_PENDING, id, generation, 'expired', null, row.now, entry(row, 'expired'), '[]'),
          { result: { kind: 'expired' }, lineOf },
        );
      case 'blocked': {
        const decisions = JSON.stringify([decision.decision]);
        const move = entry(row, 'blocked', decision.reason);
        return ended(
          query(END_PENDING, id, generation, 'blocked', decision.reason, row.now, move, decisions),
          { result: { kind: 'blocked' }, reason: decision.reason, lineOf },
        );
      }
      case 'rescheduled': {
        const { runsAt, expiresAt } = decision;
        const move = entry(row, 'scheduled', 'outside_calling_hours');
        return {
          commit: [query(RESCHEDULE, id, generation, runsAt, expiresAt, row.now, move)],
          value: ([updated]) => {
            const [moved] = (updated?.rows ?? []) as { generation: number }[];
            if (moved === undefined) return ignored('lost_claim');
            const delayMs = runsAt.getTime() - row.now.getTime();
            const wake = { job: { ...job, generation: moved.generation, teamId: row.team_id }, delayMs };
            return { result: { kind: 'rescheduled' }, wake, lineOf };
          },
        };
      }
      case 'waiting':
        return ended(query(WAIT_FOR_LINE, id, generation, row.now), {
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
  ): Plan<Next> {
    const carrier = row.carrier ?? this.carriers.defaultName;
    const slot = turn?.carrier === carrier ? turn.slot : undefined;
    // Before anything is rendered: the claim waits for the carrier, never the other way round.
    if (this.pacer.paces(carrier) && slot === undefined) {
      return { rollback: { result: { kind: 'other_carrier', carrier } } };
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
    const claim = query(
      CLAIM,
      ...[job.callRequestId, job.generation, row.now],
      ...[decision.callerId, prompt.text, firstMessage.text, unknown, carrier],
      ...[
        entry(row, 'dialing', 'claimed'),
        JSON.stringify([decision.decision]),
        row.monthly_call_limit !== null,
      ],
    );
    return {
      commit: [claim],
      value: ([claimed]) => {
        if (claimed?.rows.length !== 1) return ignored('lost_claim');
        this.metrics.claimed(row.status, (row.now.getTime() - row.runs_at.getTime()) / 1_000);
        return { result: { kind: 'dialed' }, dial };
      },
    };
  }
}

function ignored(why: (FireResult & { kind: 'ignored' })['why']): Next {
  return { result: { kind: 'ignored', why } };
}

function ended(end: Query, next: Next): Plan<Next> {
  return { commit: [end], value: ([rows]) => (rows?.rows.length === 1 ? next : ignored('lost_claim')) };
}

/** A history entry as JSON; the statement itself fills in `from`. */
function entry(row: FireFactsRow, to: CallState, cause: string = to): string {
  return JSON.stringify({ at: row.now.toISOString(), from: null, to, cause });
}
