import { Injectable } from '@nestjs/common';
import { CarrierRegistry } from '../../carriers/carrier-registry.js';
import { Circuits } from '../../carriers/circuits.service.js';
import {
  Batchers,
  type ItemBatcher,
  type LocksToWaitFor,
  type ItemResult,
} from '../../database/batch-work.js';
import { Transactions } from '../../database/transactions.js';
import { PackIndex } from '../../domain/compliance/pack-index.js';
import { ErasedForms } from '../../domain/erased-number.js';
import { type ComplianceCase } from '../../domain/compliance/compliance-case.js';
import { disclosuresOf } from '../../domain/compliance/disclosures.js';
import { decideFire, type FireDecision } from '../../domain/fire-decision.js';
import { Pacer, type HeldPacingSlot } from '../../pacing/pacer.js';
import { CallQueue } from '../../queue/call-queue.js';
import { type DialJob } from '../../queue/wake-ups.js';
import { Metrics } from '../../telemetry/metrics.js';
import { ConcurrencySlots } from '../../dialing/concurrency-slots/concurrency-slots.js';
import { type AccountLimits, findAccountLimits } from '../../dialing/account-limits/account-limits.js';
import { DialService } from '../../dialing/dial.service.js';
import { decideEach, runUnderLocks } from '../../dialing/facts/under-locks.js';
import { type ErasedFacts, findErasedFacts } from '../../dialing/facts/facts.js';
import { type FireCommand, type FireOutcome, type FireResult } from './command.js';
import {
  type CarrierAvailability,
  decideWithCarrier,
  type DecisionWithCarrier,
} from '../../dialing/claim/decide.js';
import { scriptOf } from '../../dialing/claim/agent-facts.js';
import { FireBatchFacts, locksToWaitFor, readFacts } from './facts.js';
import { type FireFactsRow } from './fire.sql.js';
import { type DecidedFiring, persist } from './persist.js';

/**
 * Fires pending calls. One transaction takes the locks, reads the facts, decides and writes for a batch.
 * Inside calling hours, the decision evaluates all guardrails, also those that the trigger has evaluated. A
 * firing dials only if the transaction has committed its claim.
 */
@Injectable()
export class FireService {
  private readonly batcher: ItemBatcher<FireCommand, FireOutcome>;

  constructor(
    private readonly transactions: Transactions,
    private readonly wakeUps: CallQueue,
    private readonly carriers: CarrierRegistry,
    private readonly dialer: DialService,
    private readonly metrics: Metrics,
    private readonly concurrencySlots: ConcurrencySlots,
    private readonly pacer: Pacer,
    private readonly circuits: Circuits,
    private readonly erasedNumbers: ErasedForms,
    private readonly packs: PackIndex,
    batchers: Batchers,
  ) {
    this.batcher = batchers.of<FireCommand, FireOutcome>({
      run: (commands, locks) => this.runAndReleaseProbes(commands, locks),
      teamOf: ({ teamId }) => teamId,
    });
  }

  /**
   * Processes one wake-up. It may arrive late, and more than once.
   *
   * @param held a pacing slot of the call's carrier. Without it, a call through a paced carrier is not
   *   claimed.
   * @throws the database's error. The call is not dialed then. If its claim was committed, which is
   *   possible after a `CommitUnknownError`, the sweeper marks the call `dial_unknown`. Otherwise the sweeper
   *   wakes it.
   */
  async fire(job: DialJob, held?: HeldPacingSlot): Promise<FireResult> {
    let used = false;
    try {
      const command = { job, heldPacingSlot: held, teamId: job.teamId ?? '' };
      const outcome = await this.batcher.add(command).catch(this.metrics.undecided('fire'));
      used = outcome.claim?.call.pacingSlot !== undefined;
      return await this.afterCommit(outcome);
    } finally {
      if (held !== undefined && !used) this.pacer.release(held.carrier, held.pacingSlot);
    }
  }

  private async afterCommit({
    result,
    reason,
    wake,
    claim,
    freedConcurrencySlotOf,
  }: FireOutcome): Promise<FireResult> {
    // The metric is public, and keeps its word for a claim.
    const counted = result.kind === 'claimed' ? 'dialed' : result.kind;
    this.metrics.decided('fire', counted, result.kind === 'ignored' ? result.why : reason);
    if (wake) await this.wakeUps.wake(wake.job, wake.delayMs);
    if (freedConcurrencySlotOf !== undefined) await this.concurrencySlots.offer(freedConcurrencySlotOf);
    if (claim) {
      this.metrics.claimed(claim.from, claim.lateSeconds);
      await this.dialer.dial(claim.call);
    }
    return result;
  }

  /**
   * Runs a batch. Releases the probes of calls that were not claimed, so that other calls can be the probe.
   */
  private async runAndReleaseProbes(
    commands: FireCommand[],
    locks: LocksToWaitFor,
  ): Promise<ItemResult<FireOutcome>[]> {
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

  private run(commands: FireCommand[], locks: LocksToWaitFor): Promise<ItemResult<FireOutcome>[]> {
    const waits = locksToWaitFor(commands, locks);
    return runUnderLocks(this.transactions, commands, locks, waits, async (transaction) => {
      const { callTimeLimitMs } = this.concurrencySlots;
      const read = await transaction.send(readFacts(commands, locks, callTimeLimitMs));
      const facts = new FireBatchFacts(read, this.packs);
      const erased = await findErasedFacts(transaction, this.erasedNumbers, facts.erasableNumbers());
      const accounts = await findAccountLimits(transaction, facts.all(), callTimeLimitMs, locks !== 'none');
      const decided = decideEach(
        commands,
        (command, n) => this.decideOne(command, n, facts, erased, accounts),
        facts.orderOf(commands),
      );
      const written = await persist(transaction, decided, accounts.writes());
      for (const one of decided) this.metrics.judged(verdictsOf(one));
      return written;
    });
  }

  /** @returns null if a lock is missing. */
  private decideOne(
    command: FireCommand,
    n: number,
    facts: FireBatchFacts,
    erased: ErasedFacts,
    accounts: AccountLimits,
  ): DecidedFiring | null {
    const row = facts.rowOf(command);
    command.teamId = row?.team_id ?? command.teamId;
    if (!facts.isLocked(n, row)) return null;
    if (row === undefined) return { command, row };
    if (!accounts.allowsDecision(row)) return null;
    const known = facts.factsOf(row, erased);
    const byRules = decideFire(known, command.job.generation, row.now);
    const decision =
      byRules.kind === 'claimed'
        ? this.claimed(command, row, byRules, known.guardrails.compliance, accounts)
        : byRules;
    facts.add(row, decision);
    if (decision.kind === 'claimed') accounts.claim(row);
    return { command, row, decision };
  }

  private claimed(
    command: FireCommand,
    row: FireFactsRow,
    byRules: FireDecision & { kind: 'claimed' },
    compliance: ComplianceCase | null,
    accounts: AccountLimits,
  ): DecisionWithCarrier {
    const disclosures = disclosuresOf(compliance, row.now);
    const script = scriptOf(row, row.variables, disclosures);
    return decideWithCarrier(byRules, this.availabilityOf(command, row, accounts), script, disclosures);
  }

  /**
   * A call through a paced carrier needs a pacing slot before its claim. The call may become the probe of an
   * open circuit.
   */
  private availabilityOf(
    command: FireCommand,
    row: FireFactsRow,
    accounts: AccountLimits,
  ): CarrierAvailability {
    const carrier = row.carrier ?? this.carriers.defaultName;
    if (this.pacer.paces(carrier) && command.heldPacingSlot?.carrier !== carrier) {
      return { kind: 'needs_pacing_slot', carrier };
    }
    const room = accounts.roomFor(row);
    if (room.kind !== 'free') {
      return { kind: 'account_limit', limit: room.kind, delayMs: accounts.waitMs(row, room) };
    }
    const carrierHost = this.carriers.carrierHostOf(carrier, row.carrier_settings);
    const delayMs = this.circuits.putOffMs(carrierHost);
    if (delayMs !== null) return { kind: 'circuit_open', delayMs };
    if (this.circuits.isOpen(carrierHost)) command.probe = carrierHost;
    return { kind: 'available', carrier, dialAt: room.dialAt };
  }
}

function verdictsOf(decided: DecidedFiring | null): Readonly<Record<string, string>> | undefined {
  if (decided?.row === undefined || !('decision' in decided.decision)) return undefined;
  return decided.decision.decision?.compliance?.verdicts;
}
