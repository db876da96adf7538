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
 * Fires pending calls. A batch has one transaction with four steps: command, facts, decision, persistence. It evaluates
 * every rule of the trigger again. A firing dials only if the transaction has committed its claim.
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
    private readonly concurrencySlots: ConcurrencySlots,
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
   * @param pacingSlot a slot of the call's carrier, if that is paced. Without one, the call is not claimed.
   * @throws the database's error if nothing was decided. The call is then unchanged, and the sweeper wakes it.
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
    if (freedSlotOf !== undefined) await this.concurrencySlots.offer(freedSlotOf);
    if (claim) {
      this.metrics.claimed(claim.from, claim.lateSeconds);
      await this.dialer.dial(claim.call);
    }
    return result;
  }

  /** If a call was to be the probe of a circuit and was not claimed, another call may be the probe. */
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
      facts: readFacts(commands, locks, this.concurrencySlots.callTimeLimitMs),
      decide: (results) => {
        const facts = new FireBatchFacts(results);
        return readErasedFacts(this.erasedNumbers, facts.erasableNumbers(), (erased) =>
          persist(decideEach(commands, (command, n) => this.decideOne(command, facts, erased, n))),
        );
      },
    });
  }

  /** @returns null if a lock is missing. */
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

  /** A call through a paced carrier needs a pacing slot before its claim. */
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
