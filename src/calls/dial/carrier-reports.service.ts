import { Injectable, Logger } from '@nestjs/common';
import { type ReportResult } from '../../carriers/callbacks.js';
import { type CarrierEvent } from '../../carriers/carrier.js';
import { Metrics } from '../../telemetry/metrics.js';
import { OutcomeService } from './outcome.service.js';

/** Takes the reports that carriers send over HTTP. Each carrier moves its own calls and no others. */
@Injectable()
export class CarrierReportsService {
  private readonly logger = new Logger(CarrierReportsService.name);

  constructor(
    private readonly outcomes: OutcomeService,
    private readonly metrics: Metrics,
  ) {}

  /** Records what a carrier says of a call. */
  async record(carrier: string, event: CarrierEvent): Promise<ReportResult> {
    const moved = await this.outcomes.recordEvent(carrier, event);
    return moved ? 'moved' : this.unmoved(carrier, event);
  }

  /** Records that a call is over of whose end the carrier says nothing. */
  async recordSilentEnd(
    carrier: string,
    call: { callRequestId: string; carrierCallId: string },
    reason: string,
  ): Promise<ReportResult> {
    const { callRequestId, carrierCallId } = call;
    const moved = await this.outcomes.recordSilentEnd(carrier, callRequestId, carrierCallId, reason);
    return moved ? 'moved' : this.unmoved(carrier, call);
  }

  private async unmoved(
    carrier: string,
    { callRequestId, carrierCallId }: Pick<CarrierEvent, 'callRequestId' | 'carrierCallId'>,
  ): Promise<ReportResult> {
    if (await this.outcomes.isOfCarrier(carrier, callRequestId, carrierCallId)) return 'unchanged';
    this.metrics.reportRefused(carrier);
    this.logger.warn({ message: 'report refused: the carrier has no such call', carrier, callRequestId });
    return 'unknown';
  }
}
