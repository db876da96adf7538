import { Injectable } from '@nestjs/common';
import { CarrierRegistry } from '../../carriers/carrier-registry.js';
import { Circuits } from '../../carriers/circuits.service.js';
import { Batcher } from '../../database/batcher.js';
import { type LocksToWaitFor, type Outcome } from '../../database/batch-work.js';
import { limitLockWaits, teamOfCall } from '../../database/team-scope.js';
import { TeamSemaphore } from '../../database/team-semaphore.js';
import { type Query, query, Transactions } from '../../database/transactions.js';
import { decideFire, type FireDecision } from '../../domain/call-decision.js';
import { PENDING_STATES } from '../../domain/call-states.js';
import { renderTemplate } from '../../domain/template.js';
import { Pacer } from '../../pacing/pacer.service.js';
import { type Slot } from '../../pacing/slot.js';
import { type DialJob } from '../../queue/call-jobs.js';
import { CallQueue } from '../../queue/call-queue.js';
import { Metrics } from '../../telemetry/metrics.js';
import { runBehindLocks } from '../shared/behind-locks.js';
import { type ClaimedCall, DialService } from '../dial/dial.service.js';
import { EarlierFirings } from './earlier-firings.js';
import { fireFactsOf } from './facts.js';
import {
  carryOut,
  ended,
  endPending,
  entry,
  entryOf,
  type FireResult,
  ignored,
  type Next,
  nothing,
  type Verdict,
} from './decide.js';
import { ConcurrencySlotsService } from '../dial/concurrency-slots.service.js';
import { contactOf, FIRE_FACTS, type FireFactsRow, PUT_OFF, RESCHEDULE } from './fire.sql.js';
import { WAIT_FOR_LINE } from '../dial/concurrency-slots.sql.js';
import {
  LOCK_NUMBER_OF_CALL,
  LOCK_TEAM_OF_CALL,
  type TriedLocksRow,
  TRY_LOCKS_OF_CALLS,
} from '../shared/locks.sql.js';

/** The turn with a carrier in which a call is fired. */
export interface Turn {
  carrier: string;
  slot: Slot;
}

/** A wake-up to act on. */
interface FireCommand {
  job: DialJob;
  /** The call's team; the empty string until it is known. */
  teamId: string;
  turn: Turn | undefined;
  /** The destination that its claim probes, where a circuit is open. */
  probe?: string;
}

/** Fires pending calls: all is judged again in the transaction of the claim, and only the claimer dials. */
@Injectable()
export class FireService {
  private readonly batcher: Batcher<FireCommand, Next>;

  constructor(
    private readonly transactions: Transactions,
    private readonly queue: CallQueue,
    private readonly carriers: CarrierRegistry,
    private readonly dialer: DialService,
    private readonly metrics: Metrics,
    private readonly lines: ConcurrencySlotsService,
    private readonly pacer: Pacer,
    private readonly circuits: Circuits,
    semaphore: TeamSemaphore,
  ) {
    this.batcher = new Batcher<FireCommand, Next>(
      { run: (commands, wait) => this.decideOrForgo(commands, wait), teamOf: ({ teamId }) => teamId },
      semaphore,
    );
  }

  /**
   * Acts on one wake-up, however often and late it comes.
   *
   * @param turn with the carrier, where that is paced; without it such a carrier is not asked.
   * @throws the database's error when nothing was decided; the row is then as it was, and the sweeper wakes it.
   */
  async fire(job: DialJob, turn?: Turn): Promise<FireResult> {
    let used = false;
    try {
      const command = { job, turn, teamId: job.teamId ?? '' };
      const next = await this.batcher.add(command).catch(this.metrics.undecided('fire'));
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

  /** The probe of a circuit whose claim is lost, or not committed, is left to another call. */
  private async decideOrForgo(commands: FireCommand[], wait: LocksToWaitFor): Promise<Outcome<Next>[]> {
    const dialing = new Set<FireCommand | undefined>();
    try {
      const outcomes = await this.decide(commands, wait);
      for (const [n, outcome] of outcomes.entries()) {
        if (outcome.done && outcome.value.dial) dialing.add(commands[n]);
      }
      return outcomes;
    } finally {
      for (const command of commands) {
        if (command.probe !== undefined && !dialing.has(command)) this.circuits.forgo(command.probe);
        command.probe = undefined;
      }
    }
  }

  private decide(commands: FireCommand[], wait: LocksToWaitFor): Promise<Outcome<Next>[]> {
    const ids = commands.map(({ job }) => job.callRequestId);
    return runBehindLocks(this.transactions, commands, wait, {
      waits: locksToWaitFor(ids, wait),
      facts: [query(TRY_LOCKS_OF_CALLS, ids, wait !== 'none'), query(FIRE_FACTS, ids, this.lines.unknownMs)],
      plan: ([locked, found]) => {
        const { locks } = locked?.rows[0] as TriedLocksRow;
        const rows = new Map((found?.rows as FireFactsRow[]).map((row) => [row.id, row]));
        const earlier = new EarlierFirings();
        return carryOut(
          commands.map((command, n) => {
            const row = rows.get(command.job.callRequestId);
            command.teamId = row?.team_id ?? command.teamId;
            try {
              return this.judge(command, row, locks[n] ?? null, earlier);
            } catch (error) {
              // Facts that cannot be judged are the fault of this call alone.
              if (commands.length === 1) throw error;
              return null;
            }
          }),
        );
      },
    });
  }

  /** @param lock how the team's lock is held. @returns null where a lock is missing. */
  private judge(
    command: FireCommand,
    found: FireFactsRow | undefined,
    lock: TriedLocksRow['locks'][number],
    earlier: EarlierFirings,
  ): Verdict | null {
    if (lock === null) return null;
    if (found === undefined) return nothing(ignored('not_found'));
    if (lock === 'shared' && found.needs_exclusive_lock) return null;
    const row = earlier.adjust(found);
    const { job } = command;
    const { callRequestId: id, generation } = job;
    const decision = decideFire(fireFactsOf(row, earlier.picks), generation, row.now);
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
        earlier.addWaiting(found);
        return ended(query(WAIT_FOR_LINE, id, generation, row.now, PENDING_STATES), {
          result: { kind: 'waiting' },
          reason: 'MAX_CONCURRENT_CALLS',
        });
      case 'claimed': {
        const verdict = this.claim(command, row, decision);
        if (verdict.kind === 'claim') earlier.addClaim(found, decision.callerId);
        return verdict;
      }
    }
  }

  private claim(
    command: FireCommand,
    row: FireFactsRow,
    decision: FireDecision & { kind: 'claimed' },
  ): Verdict {
    const { job, turn } = command;
    const carrier = row.carrier ?? this.carriers.defaultName;
    const slot = turn?.carrier === carrier ? turn.slot : undefined;
    // Before anything is rendered: the claim waits for the carrier, never the other way round.
    if (this.pacer.paces(carrier) && slot === undefined) {
      return nothing({ result: { kind: 'other_carrier', carrier } });
    }
    const destination = this.carriers.destinationOf(carrier, row.carrier_settings);
    const delayMs = this.circuits.putOffMs(destination);
    if (delayMs !== null) {
      return ended(query(PUT_OFF, row.id, row.generation, row.now, delayMs, PENDING_STATES), {
        result: { kind: 'put_off', delayMs },
        reason: 'CARRIER_AWAY',
        lineOf: row.waiting ? row.team_id : undefined,
      });
    }
    if (this.circuits.isOpen(destination)) command.probe = destination;
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

function locksToWaitFor([id]: string[], wait: LocksToWaitFor): Query[] {
  if (id === undefined || wait === 'none') return [];
  const number = wait === 'all' ? [query(LOCK_NUMBER_OF_CALL, id)] : [];
  return [teamOfCall(id), limitLockWaits(), ...number, query(LOCK_TEAM_OF_CALL, id)];
}
