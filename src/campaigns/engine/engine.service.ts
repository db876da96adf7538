import { Injectable, Logger } from '@nestjs/common';
import { type CarrierAvailability } from '../../dialing/claim/decide.js';
import { type AccountLimits, readAccountLimits } from '../../dialing/account-limits/account-limits.js';
import { ConcurrencySlotsService } from '../../dialing/concurrency-slots/concurrency-slots.service.js';
import { type ErasedFacts, readErasedFacts } from '../../dialing/facts/facts.js';
import { CarrierRegistry } from '../../carriers/carrier-registry.js';
import { Circuits } from '../../carriers/circuits.service.js';
import { mayBeOfOneStatement } from '../../database/database-errors.js';
import { team } from '../../database/team-scope.js';
import { query, Transactions } from '../../database/transactions.js';
import { pickCallerId } from '../../domain/caller-id.js';
import { disclosuresOf } from '../../domain/compliance/disclosures.js';
import { exempted } from '../../domain/campaigns/decide/clock-rules.js';
import { evaluateGuardrails } from '../../domain/guardrails/guardrails.js';
import { PackIndex } from '../../domain/compliance/pack-index.js';
import { ErasedNumbers } from '../../erasure/erased-numbers.service.js';
import { Metrics } from '../../telemetry/metrics.js';
import { describeError } from '../../telemetry/describe-error.js';
import { Pacer, type PacingSlot } from '../../pacing/pacer.js';
import { type BatchResult, resultOf } from './batch-result.js';
import { decideWithCarrier } from './decide.js';
import { EngineBatchFacts } from './facts.js';
import {
  ENROLLMENT_FACTS,
  type EnrollmentFactsRow,
  TAKE_DUE_DIALS,
  type TakenEnrollment,
  type VersionRow,
  VERSIONS_OF_ENROLLMENTS,
} from './facts.sql.js';
import { type DecidedEnrollment, type DialToMake, persist } from './persist.js';
import { POSTPONE } from './persist.sql.js';
import { sceneOf, undecided } from './scene.js';

/** The only carrier that a batch dials through. */
export interface CarrierOfBatch {
  /** null: none. */
  carrier: string | null;
  /** For the first dial of the batch. null: the batch dials no call. */
  pacingSlot: PacingSlot | null;
}

interface DecidedWithProbe extends DecidedEnrollment {
  probe?: string;
}

/**
 * Decides a batch of enrollments whose dials are due, in one transaction: locks, facts, decision, writes. It locks the rows,
 * then tries the locks of their numbers, teams and campaigns. An enrollment whose locks are not free stays
 * due.
 */
@Injectable()
export class EngineService {
  private readonly logger = new Logger(EngineService.name);

  constructor(
    private readonly transactions: Transactions,
    private readonly carriers: CarrierRegistry,
    private readonly circuits: Circuits,
    private readonly pacer: Pacer,
    private readonly concurrencySlots: ConcurrencySlotsService,
    private readonly erasedNumbers: ErasedNumbers,
    private readonly packs: PackIndex,
    private readonly metrics: Metrics,
  ) {}

  /**
   * If the only enrollment of a batch causes an error, the error is logged and the enrollment is postponed.
   *
   * @param order campaign ids, in the order of the decisions. For each id, the run decides one due enrollment
   *   of that campaign. A campaign may repeat.
   * @param only a paced carrier, or none. The caller releases its pacing slot if no dial has used it. Without `only`,
   *   the batch dials through all carriers that are not paced.
   * @throws the database's error. No call is dialed then. After a `CommitUnknownError` the writes may be
   *   committed; after any other error nothing is written.
   */
  async run(teamId: string, order: readonly string[], only?: CarrierOfBatch): Promise<BatchResult> {
    const ids = [...new Set(order)];
    const counts = ids.map((id) => order.filter((campaignId) => campaignId === id).length);
    const decided: DecidedWithProbe[] = [];
    let taken: TakenEnrollment[] = [];
    let dials: DialToMake[] = [];
    try {
      dials = await this.transactions.run<DialToMake[]>([query(TAKE_DUE_DIALS, ids, counts)], ([result]) => {
        taken = sortByCampaignOrder(order, (result?.rows[0] as { taken: TakenEnrollment[] }).taken);
        if (taken.length === 0) return { rollback: [] };
        const enrollments = taken.map(({ id }) => id);
        return {
          next: [
            query(ENROLLMENT_FACTS, enrollments, this.concurrencySlots.callTimeLimitMs),
            query(VERSIONS_OF_ENROLLMENTS, enrollments),
          ],
          decide: ([rows, versions]) => {
            const facts = new EngineBatchFacts(
              (rows?.rows ?? []) as EnrollmentFactsRow[],
              (versions?.rows ?? []) as VersionRow[],
              this.packs,
            );
            const { callTimeLimitMs } = this.concurrencySlots;
            return readErasedFacts(this.erasedNumbers, facts.erasableNumbers(), (erased) =>
              readAccountLimits(facts.all(), callTimeLimitMs, (accounts) => {
                let free = only;
                for (const one of taken) {
                  const result = this.decideOne(one, facts, erased, accounts, free);
                  if (result === undefined) continue;
                  decided.push(result);
                  if (free && result.claim?.pacingSlot) free = { ...free, pacingSlot: null };
                }
                return persist(decided, () => accounts.writes());
              }),
            );
          },
        };
      });
    } catch (error) {
      if (taken.length !== 1 || !mayBeOfOneStatement(error)) throw error;
      await this.postpone(teamId, taken[0]!.id, error);
    } finally {
      this.forgoProbes(decided, dials);
    }
    if (dials.length > 0)
      for (const { claim } of decided) this.metrics.judged(claim?.decision.compliance?.verdicts);
    return resultOf(taken, decided, dials);
  }

  /** @returns undefined if a lock is missing. After an error, the enrollment is decided again in a minute. */
  private decideOne(
    one: TakenEnrollment,
    facts: EngineBatchFacts,
    erased: ErasedFacts,
    accounts: AccountLimits,
    only: CarrierOfBatch | undefined,
  ): DecidedWithProbe | undefined {
    const row = facts.lockedRowOf(one);
    if (row === undefined || !accounts.allowsDecision(row)) return undefined;
    try {
      return this.decide(row, facts, erased, accounts, only);
    } catch (error) {
      this.logger.error({ message: `not decided: ${describeError(error)}`, enrollmentId: one.id });
      return { row, ...undecided(row) };
    }
  }

  private decide(
    row: EnrollmentFactsRow,
    batch: EngineBatchFacts,
    erased: ErasedFacts,
    accounts: AccountLimits,
    only: CarrierOfBatch | undefined,
  ): DecidedWithProbe {
    const scene = sceneOf(row, batch, erased);
    if (scene.decision !== null) return { row, ...scene };
    const { state, definition, facts, lifetimeAt } = scene;
    let probe: string | undefined;
    const availabilityOfCarrier = () => {
      const found = this.availabilityOf(row, accounts, only);
      probe = found.probe;
      return found.availability;
    };
    const decision = decideWithCarrier(state, definition, facts, row.now, availabilityOfCarrier);
    if (decision.kind !== 'dial') return { row, lifetimeAt, decision };
    const callerId = pickCallerId(batch.callerIdsOf(row));
    if (callerId === null) throw new Error('a dial was decided without a caller ID');
    batch.addClaim(row, callerId);
    accounts.claim(row);
    // The guardrails are evaluated again only to store their results in the claim. `decideWithCarrier` has
    // evaluated them on the same facts, and all of them allow the dial.
    const withoutExempt = exempted(facts, state.attempts, decision.callback);
    const pacingSlot = only?.pacingSlot ?? undefined;
    const claim = {
      callerId,
      decision: evaluateGuardrails(facts.guardrails, row.now, withoutExempt),
      disclosures: disclosuresOf(facts.guardrails.compliance, row.now),
      pacingSlot,
    };
    return { row, lifetimeAt, decision, claim, probe };
  }

  private availabilityOf(
    row: EnrollmentFactsRow,
    accounts: AccountLimits,
    only: CarrierOfBatch | undefined,
  ): { availability: CarrierAvailability; probe?: string } {
    const carrier = row.carrier ?? this.carriers.defaultName;
    const carrierHost = this.carriers.carrierHostOf(carrier, row.carrier_settings);
    const room = accounts.roomFor(row, true);
    if (room.kind !== 'free') {
      const delayMs = room.kind === 'pacing' ? room.againMs : 0;
      return { availability: { kind: 'account_limit', limit: room.kind, delayMs } };
    }
    const mayDial =
      only === undefined ? !this.pacer.paces(carrier) : only.carrier === carrier && only.pacingSlot !== null;
    if (!mayDial) {
      // While the circuit is open, the enrollment is deferred before a pacing slot is taken.
      const waitMs = this.circuits.waitMs(carrierHost);
      return {
        availability:
          waitMs === null
            ? { kind: 'needs_pacing_slot', carrier }
            : { kind: 'circuit_open', delayMs: waitMs },
      };
    }
    const delayMs = this.circuits.putOffMs(carrierHost);
    if (delayMs !== null) return { availability: { kind: 'circuit_open', delayMs } };
    const probe = this.circuits.isOpen(carrierHost) ? carrierHost : undefined;
    return { availability: { kind: 'available', carrier, dialAt: room.dialAt }, probe };
  }

  /** If no call of the batch was claimed, another call may become the probe. */
  private forgoProbes(decided: readonly DecidedWithProbe[], dials: readonly DialToMake[]): void {
    if (dials.length > 0) return;
    for (const { probe } of decided) if (probe !== undefined) this.circuits.forgo(probe);
  }

  private async postpone(teamId: string, id: string, cause: unknown): Promise<void> {
    this.logger.error({ message: `not decided: ${describeError(cause)}`, enrollmentId: id });
    await this.transactions.within(team(teamId)).autocommit(query(POSTPONE, id));
  }
}

/**
 * Sorts enrollments so that their campaigns are in the order of `order`. The enrollments of one campaign stay
 * sorted by their due times.
 */
function sortByCampaignOrder(order: readonly string[], taken: TakenEnrollment[]): TakenEnrollment[] {
  const left = [...taken];
  return order.flatMap((campaignId) => {
    const index = left.findIndex((one) => one.campaignId === campaignId);
    return index < 0 ? [] : left.splice(index, 1);
  });
}
