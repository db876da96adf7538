import { Injectable, Logger } from '@nestjs/common';
import { CarrierAccountOpener } from '../carrier-accounts/carrier-account-opener.service.js';
import { placeCallBounded } from '../carriers/bounded.js';
import { type CarrierAccount, type PlaceCallRequest, type PlaceCallResult } from '../carriers/carrier.js';
import { CarrierRegistry } from '../carriers/carrier-registry.js';
import { Circuits } from '../carriers/circuits.service.js';
import { describeError } from '../telemetry/describe-error.js';
import { Pacer, type PacingSlot } from '../pacing/pacer.js';
import { CallQueue } from '../queue/call-queue.js';
import { Metrics } from '../telemetry/metrics.js';
import { OutcomeService, type RequeueCause } from './outcome/outcome.service.js';

/** A call that this worker has claimed. No other worker may dial the call. */
export interface ClaimedCall {
  carrier: string;
  request: PlaceCallRequest;
  /** The agent's carrier account; null or absent: the account of the deployment. */
  carrierAccountId?: string | null;
  /** `performance.now()` before the claim was sent. */
  claimedAtMonotonic: number;
  /** The pacing slot, if the carrier is paced. */
  pacingSlot?: PacingSlot;
  /** When the calls per second of the carrier account allow the dial, by `performance.now()`; absent: at once. */
  dialAt?: number;
  /**
   * Whether the call is a campaign's. Such a call is not requeued. If it was not dialed, it ends `failed`.
   */
  ofCampaign?: boolean;
  /** The id of the HTTP request that triggered the call, for the log. */
  requestId?: string;
}

/**
 * A claimed call is dialed within this many milliseconds of its claim, or not at all. The sweeper relies on
 * this limit.
 */
export const DIAL_WITHIN_MS = 5_000;

/**
 * Pauses between attempts to record the carrier's answer. A call whose answer cannot be recorded becomes
 * `dial_unknown`.
 */
const RECORD_RETRY_MS = [100, 500, 2_000];

/** Why a campaign's call ended without a dial. */
const UNDIALED_REASONS: Record<RequeueCause, string> = {
  carrier_throttled: 'CARRIER_THROTTLED',
  carrier_unreachable: 'CARRIER_UNREACHABLE',
};

/** Sends a claimed call to its carrier once, and records the carrier's answer. */
@Injectable()
export class DialService {
  private readonly logger = new Logger(DialService.name);

  constructor(
    private readonly outcomes: OutcomeService,
    private readonly carriers: CarrierRegistry,
    private readonly metrics: Metrics,
    private readonly wakeUps: CallQueue,
    private readonly pacer: Pacer,
    private readonly circuits: Circuits,
    private readonly accounts: CarrierAccountOpener,
  ) {}

  /**
   * Never throws. An error after the claim must not repeat the job, so it is recorded on the call or logged.
   */
  async dial(claimed: ClaimedCall): Promise<void> {
    const { carrier: name, request, claimedAtMonotonic, pacingSlot, requestId } = claimed;
    const id = request.callRequestId;
    const about = { callRequestId: id, requestId };
    const carrier = this.carriers.get(name);
    const carrierHost = this.carriers.carrierHostOf(name, request.carrierSettings);
    const deadline = claimedAtMonotonic + DIAL_WITHIN_MS;
    const account = await this.accountOf(claimed);
    if (claimed.dialAt !== undefined) await pauseUntil(claimed.dialAt);
    const agreed = pacingSlot && (await this.pacer.arrive(name, pacingSlot, deadline));
    const askedAt = performance.now();
    const tooLate = agreed === null || askedAt > deadline;
    if (carrier === undefined || account === 'not_opened' || tooLate) {
      this.circuits.forgo(carrierHost);
      this.metrics.dialed(carrier?.name ?? 'not_configured', 'not_dialed');
      const reason =
        carrier === undefined
          ? 'CARRIER_NOT_CONFIGURED'
          : account === 'not_opened'
            ? 'CARRIER_ACCOUNT_NOT_OPENED'
            : 'NOT_DIALED';
      return this.record(about, () => this.outcomes.failUndialed(id, 'not_dialed', reason));
    }
    const answer = placeCallBounded(carrier, { ...request, account }, (error) => {
      const what = error instanceof Error ? error.name : 'error';
      this.logger.warn({ message: `${what} from carrier ${name}`, ...about });
    });
    if (agreed) void this.pacer.dialed(name, agreed);
    const result = await answer;
    this.circuits.report(carrierHost, result.kind !== 'unreachable');
    this.metrics.dialed(name, result.kind, (performance.now() - askedAt) / 1_000);
    await this.record(about, () => this.recordAnswer(claimed, result));
  }

  /** The credentials of the agent's account. They are read after the claim, so that no claim holds them. */
  private async accountOf(claimed: ClaimedCall): Promise<CarrierAccount | null | 'not_opened'> {
    const { carrier, carrierAccountId = null, request } = claimed;
    if (carrierAccountId === null) return null;
    try {
      return (await this.accounts.open(carrierAccountId, carrier, request.teamId)) ?? 'not_opened';
    } catch (error) {
      const { callRequestId } = request;
      this.logger.error({ message: `carrier account not opened: ${describeError(error)}`, callRequestId });
      return 'not_opened';
    }
  }

  private recordAnswer(claimed: ClaimedCall, result: PlaceCallResult): Promise<boolean> {
    const { callRequestId: id } = claimed.request;
    switch (result.kind) {
      case 'accepted':
        return this.outcomes.apply(id, {
          to: 'in_progress',
          cause: 'carrier_accepted',
          carrierCallId: result.carrierCallId,
        });
      case 'refused':
        return this.outcomes.failUndialed(id, 'carrier_refused', result.reason);
      case 'throttled':
        return this.requeue(claimed, 'carrier_throttled', result.retryAfterMs);
      case 'unreachable':
        return this.requeue(claimed, 'carrier_unreachable');
      case 'unknown':
        // Only from `dialing`: a report that arrived before the answer takes precedence.
        return this.outcomes.apply(id, {
          to: 'dial_unknown',
          cause: 'carrier_silent',
          reason: result.reason,
          from: ['dialing'],
        });
    }
  }

  private async requeue(
    { request, ofCampaign }: ClaimedCall,
    cause: RequeueCause,
    leastMs = 0,
  ): Promise<boolean> {
    const { callRequestId, generation, teamId } = request;
    if (ofCampaign) return this.outcomes.failUndialed(callRequestId, cause, UNDIALED_REASONS[cause]);
    const next = await this.outcomes.requeue(callRequestId, generation, cause, leastMs);
    if (next) await this.wakeUps.wake({ callRequestId, generation: next.generation, teamId }, next.delayMs);
    return next !== null;
  }

  private async record(about: object, write: () => Promise<boolean>): Promise<void> {
    for (const pause of [...RECORD_RETRY_MS, null]) {
      try {
        await write();
        return;
      } catch (error) {
        this.logger.error({ message: `outcome not recorded: ${describeError(error)}`, ...about });
        if (pause === null) return;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }
}

async function pauseUntil(instant: number): Promise<void> {
  const ms = instant - performance.now();
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}
