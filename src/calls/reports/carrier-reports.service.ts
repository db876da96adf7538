import { Injectable, Logger } from '@nestjs/common';
import { type ReportResult } from '../../carriers/callbacks.js';
import { type CarrierEvent, type CarrierEventStatus } from '../../carriers/carrier.js';
import { AppError, invalid } from '../../http/app-error.js';
import { Metrics } from '../../telemetry/metrics.js';
import { CallResultsService } from '../../results/call-results.service.js';
import { CALLBACK_OUT_OF_RANGE } from '../../results/results.sql.js';
import { OutcomeService } from '../../dialing/outcome/outcome.service.js';

/**
 * Receives the reports that carriers send over HTTP. A carrier's report changes only that carrier's calls.
 */
@Injectable()
export class CarrierReportsService {
  private readonly logger = new Logger(CarrierReportsService.name);

  constructor(
    private readonly outcomes: OutcomeService,
    private readonly results: CallResultsService,
    private readonly metrics: Metrics,
  ) {}

  /**
   * Records a carrier's report. The result is recorded first, so that it is stored before the call ends.
   *
   * @throws AppError `CONFLICT` if the call has another result, `INVALID_REQUEST` if the result's callback is too far
   *   away. The other parts of the report are recorded.
   */
  async record(carrier: string, event: CarrierEvent): Promise<ReportResult> {
    const result = await this.results.recordOf(carrier, event);
    const changed = await this.outcomes.recordEvent(carrier, event);
    if (result === 'far') throw invalid(CALLBACK_OUT_OF_RANGE);
    if (result === 'other') throw new AppError('CONFLICT', 'The call has another result');
    return changed ? 'changed' : this.unchanged(carrier, event);
  }

  /** Carries out the opt-out of a report that is otherwise malformed. */
  optOut(carrier: string, callRequestId: string): Promise<void> {
    return this.results.optOutOf(carrier, callRequestId);
  }

  /** Records that a call ended without an outcome from its carrier. */
  async recordSilentEnd(
    carrier: string,
    call: { callRequestId: string; carrierCallId: string },
    reason: string,
  ): Promise<ReportResult> {
    const { callRequestId, carrierCallId } = call;
    const changed = await this.outcomes.recordSilentEnd(carrier, callRequestId, carrierCallId, reason);
    return changed ? 'changed' : this.unchanged(carrier, call);
  }

  /** Records the end of a call whose outcome is looked up later. */
  async recordUnsettledEnd(carrier: string, event: CarrierEvent): Promise<ReportResult> {
    const changed = await this.outcomes.recordUnsettledEnd(carrier, event);
    return changed ? 'changed' : this.unchanged(carrier, event);
  }

  /** Records the outcome of a call with a pending outcome. */
  settleEnd(
    carrier: string,
    { callRequestId, carrierCallId }: Pick<CarrierEvent, 'callRequestId' | 'carrierCallId'>,
    outcome: CarrierEventStatus,
  ): Promise<boolean> {
    return this.outcomes.settleEnd(carrier, callRequestId, carrierCallId, outcome);
  }

  private async unchanged(
    carrier: string,
    { callRequestId, carrierCallId }: Pick<CarrierEvent, 'callRequestId' | 'carrierCallId'>,
  ): Promise<ReportResult> {
    if (await this.outcomes.isOfCarrier(carrier, callRequestId, carrierCallId)) return 'unchanged';
    this.metrics.reportRefused(carrier);
    this.logger.warn({ message: 'report refused: the carrier has no such call', carrier, callRequestId });
    return 'unknown';
  }
}
