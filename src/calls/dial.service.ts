import { Injectable, Logger } from '@nestjs/common';
import { placeCallBounded } from '../carriers/bounded.js';
import { type PlaceCallRequest, type PlaceCallResult } from '../carriers/carrier.js';
import { CarrierRegistry } from '../carriers/carrier-registry.js';
import { OutcomeService } from './outcome.service.js';

/** The claimer dials within this of its claim, or not at all; the sweeper counts on it (design §3.1). */
export const DIAL_WITHIN_MS = 5_000;

/** Pauses between attempts to record what the carrier said; what cannot be recorded becomes `dial_unknown`. */
const RECORD_RETRY_MS = [100, 500, 2_000];

export interface ClaimedCall {
  carrier: string;
  request: PlaceCallRequest;
  /** `performance.now()` before the claim was sent. */
  claimedAtMonotonic: number;
}

/** Dials what was claimed, exactly once, and records what the carrier says. */
@Injectable()
export class DialService {
  private readonly logger = new Logger(DialService.name);

  constructor(
    private readonly outcomes: OutcomeService,
    private readonly carriers: CarrierRegistry,
  ) {}

  /** Never throws: whatever happens after a claim is an outcome to record, not a reason to run the job again. */
  async dial({ carrier: name, request, claimedAtMonotonic }: ClaimedCall): Promise<void> {
    const id = request.callRequestId;
    const carrier = this.carriers.get(name);
    if (carrier === undefined) return this.recordUndialed(id, 'not_dialed', 'CARRIER_NOT_CONFIGURED');
    if (performance.now() - claimedAtMonotonic > DIAL_WITHIN_MS) {
      return this.recordUndialed(id, 'not_dialed', 'NOT_DIALED');
    }
    const result = await placeCallBounded(carrier, request, (error) =>
      this.logger.warn(`call ${id}: ${error instanceof Error ? error.name : 'error'} from carrier ${name}`),
    );
    await this.record(id, () => this.recordAnswer(id, result));
  }

  private recordAnswer(id: string, result: PlaceCallResult): Promise<boolean> {
    switch (result.kind) {
      case 'accepted':
        return this.outcomes.move(id, {
          to: 'in_progress',
          cause: 'carrier_accepted',
          carrierCallId: result.carrierCallId,
        });
      case 'refused':
        return this.outcomes.failUndialed(id, 'carrier_refused', result.reason);
      case 'unknown':
        // Only from `dialing`: a report that overtook the answer knows better.
        return this.outcomes.move(id, {
          to: 'dial_unknown',
          cause: 'carrier_silent',
          reason: result.reason,
          from: ['dialing'],
        });
    }
  }

  private recordUndialed(id: string, cause: string, reason: string): Promise<void> {
    return this.record(id, () => this.outcomes.failUndialed(id, cause, reason));
  }

  private async record(id: string, write: () => Promise<boolean>): Promise<void> {
    for (const pause of [...RECORD_RETRY_MS, null]) {
      try {
        await write();
        return;
      } catch (error) {
        this.logger.error(`call ${id}: outcome not recorded: ${(error as Error).message}`);
        if (pause === null) return;
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }
}
