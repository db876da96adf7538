import { Injectable } from '@nestjs/common';
import { CarrierRegistry } from '../../carriers/carrier-registry.js';
import { Circuits } from '../../carriers/circuits.service.js';
import { Batchers, type ItemBatcher, type LocksToWaitFor, type Outcome } from '../../database/batch-work.js';
import { Transactions } from '../../database/transactions.js';
import { ErasedForms } from '../../domain/erased-number.js';
import { Pacer } from '../../pacing/pacer.js';
import { type DialJob, WakeUps } from '../../queue/wake-ups.js';
import { Metrics } from '../../telemetry/metrics.js';
import { ConcurrencySlots } from '../dial/concurrency-slots.js';
import { DialService } from '../dial/dial.service.js';
import { decideEach, runBehindLocks } from '../shared/behind-locks.js';
import { type ErasedFacts, readErasedFacts } from '../shared/erased-facts.js';
import { type FireCommand, type FireOutcome, type FireResult, type PacingSlot } from './command.js';
import { decide, type Route } from './decide.js';
import { scriptOf } from './agent-facts.js';
import { FireBatchFacts, locksToWaitFor, readFacts } from './facts.js';
import { type FireFactsRow } from './fire.sql.js';
import { type DecidedFiring, persist } from './persist.js';

/**
 * Fires pending calls: command, facts, decision and persistence of a batch in one transaction. That transaction judges
 * again everything that the trigger has judged. Only the firing whose claim it commits dials.
 */
@Injectable()
export class FireService {
  private readonly batcher: ItemBatcher<FireCommand, FireOutcome>;

  constructor(
    private readonly transactions: Transactions,
    private readonly wakeUps: WakeUps,
    private readonly carriers: CarrierRegistry,
    private readonly dialer: DialService,
    private readonly metrics: Metrics,
    private readonly slots: ConcurrencySlots,
    private readonly pacer: Pacer,
    private readonly circuits: Circuits,
    private readonly erasedNumbers: ErasedForms,
    batchers: Batchers,
  ) {
    this.batcher = batchers.of<FireCommand, FireOutcome>({
      run: (commands, locks) => this.runOrForgo(commands, locks),
      teamOf: ({ teamId }) => teamId,
    });
  }

  /**
   * Processes one wake-up. It may arrive late, and more than once.
   *
   * @param pacingSlot with the carrier, where that is paced; without it such a carrier is not asked.
   * @throws the database's error when nothing was decided; the row is then as it was, and the sweeper wakes it.
   */
  async fire(job: DialJob, pacingSlot?: PacingSlot): Promise<FireResult> {
    let used = false;
    try {
      const command = { job, pacingSlot, teamId: job.teamId ?? '' };
      const outcome = await this.batcher.add(command).catch(this.metrics.undecided('fire'));
      used = outcome.claim?.call.slot !== undefined;
      return await this.follow(outcome);
    } finally {
      if (pacingSlot !== undefined && !used) this.pacer.release(pacingSlot.carrier, pacingSlot.slot);
    }
  }

  private async follow({ result, reason, wake, claim, freedSlotOf }: FireOutcome): Promise<FireResult> {
    this.metrics.decided('fire', result.kind, result.kind === 'ignored' ? result.why : reason);
    if (wake) await this.wakeUps.wake(wake.job, wake.delayMs);
    if (freedSlotOf !== undefined) await this.slots.offer(freedSlotOf);
    if (claim) {
      this.metrics.claimed(claim.from, claim.lateSeconds);
      await this.dialer.dial(claim.call);
    }
    return result;
  }

  /** A call that was to probe a circuit, and was not claimed, leaves the probe to another call. */
  private async runOrForgo(commands: FireCommand[], locks: LocksToWaitFor): Promise<Outcome<FireOutcome>[]> {
    const dialing = new Set<FireCommand | undefined>();
    try {
      const outcomes = await this.run(commands, locks);
      for (const [n, outcome] of outcomes.entries()) {
        if (outcome.done && outcome.value.claim) dialing.add(commands[n]);
      }
      return outcomes;
    } finally {
      for (const command of commands) {
        if (command.probe !== undefined && !dialing.has(command)) this.circuits.forgo(command.probe);
        command.probe = undefined;
      }
    }
  }

  private run(commands: FireCommand[], locks: LocksToWaitFor): Promise<Outcome<FireOutcome>[]> {
    return runBehindLocks(this.transactions, commands, locks, {
      waits: locksToWaitFor(commands, locks),
      facts: readFacts(commands, locks, this.slots.callTimeLimitMs),
      decide: (results) => {
        const facts = new FireBatchFacts(results);
        return readErasedFacts(this.erasedNumbers, facts.erasableNumbers(), (erased) =>
          persist(decideEach(commands, (command, n) => this.decideOne(command, facts, erased, n))),
        );
      },
    });
  }

  /** @returns null where a lock is missing. */
  private decideOne(
    command: FireCommand,
    facts: FireBatchFacts,
    erased: ErasedFacts,
    n: number,
  ): DecidedFiring | null {
    const row = facts.rowOf(command);
    command.teamId = row?.team_id ?? command.teamId;
    if (!facts.isLocked(n, row)) return null;
    if (row === undefined) return { command, row };
    const { generation } = command.job;
    const route = () => this.routeOf(command, row);
    const decision = decide(
      facts.factsOf(row, erased),
      scriptOf(row, row.variables),
      generation,
      row.now,
      route,
    );
    facts.add(row, decision);
    return { command, row, decision };
  }

  /** A paced carrier is asked only in a pacing slot, which the worker takes before the claim. */
  private routeOf(command: FireCommand, row: FireFactsRow): Route {
    const carrier = row.carrier ?? this.carriers.defaultName;
    if (this.pacer.paces(carrier) && command.pacingSlot?.carrier !== carrier) {
      return { kind: 'needs_pacing_slot', carrier };
    }
    const destination = this.carriers.destinationOf(carrier, row.carrier_settings);
    const delayMs = this.circuits.putOffMs(destination);
    if (delayMs !== null) return { kind: 'away', delayMs };
    if (this.circuits.isOpen(destination)) command.probe = destination;
    return { kind: 'open', carrier };
  }
}
