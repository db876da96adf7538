import { Injectable, Logger } from '@nestjs/common';
import { findCallBounded } from '../../carriers/bounded.js';
import { type Carrier, type CarrierSettings } from '../../carriers/carrier.js';
import { CarrierRegistry } from '../../carriers/carrier-registry.js';
import { Config } from '../../config/config.js';
import { query, Transactions } from '../../database/transactions.js';
import { isFinal } from '../../domain/call-states.js';
import { Metrics } from '../../telemetry/metrics.js';
import { DIAL_WITHIN_MS } from '../dial/dial.service.js';
import { OutcomeService } from '../dial/outcome.service.js';
import { CallResultsService } from '../results/call-results.service.js';
import { ASK_UNKNOWN, MARK_UNKNOWN, MAY_BE_ANOTHER } from './sweep.sql.js';

const MARK_BATCH = 500;
/** Look-ups at a time; carriers limit how often their lists may be read. */
const ASK_BATCH = 20;
/** Time to record the carrier's answer after its last possible moment. */
const RECORDING_MS = 5_000;

interface UnknownCallRow {
  id: string;
  phone_number: string;
  caller_id: string;
  claimed_at: Date;
  claimed_ms_ago: number;
  carrier_call_id: string | null;
  carrier_settings: CarrierSettings;
}

/** Marks claimed calls without a report for too long as `dial_unknown`, and looks up each carrier's calls. */
@Injectable()
export class ReconciliationService {
  private readonly logger = new Logger(ReconciliationService.name);

  constructor(
    private readonly transactions: Transactions,
    private readonly results: CallResultsService,
    private readonly outcomes: OutcomeService,
    private readonly carriers: CarrierRegistry,
    private readonly config: Config,
    private readonly metrics: Metrics,
  ) {}

  /** @returns how many calls were marked. */
  async markSilent(): Promise<number> {
    const dialingMs = DIAL_WITHIN_MS + this.carriers.longestTimeoutMs + RECORDING_MS;
    const rows = await this.transactions.autocommit<{ id: string }>(
      query(MARK_UNKNOWN, dialingMs, this.config.callTimeLimitSeconds * 1_000, MARK_BATCH),
    );
    for (const { id } of rows) {
      this.metrics.callMoved('dial_unknown');
      this.logger.warn({ message: 'nothing was heard of a call, marked dial_unknown', callRequestId: id });
    }
    return rows.length;
  }

  /**
   * Looks up one carrier's calls in `dial_unknown`, each with growing pauses. A listing that does not have the
   * call resolves nothing.
   *
   * @returns how many calls were resolved.
   */
  async askCarrier(carrier: Carrier): Promise<number> {
    const rows = await this.transactions.autocommit<UnknownCallRow & Record<string, unknown>>(
      query(ASK_UNKNOWN, carrier.name, this.config.sweeperGraceMs, ASK_BATCH),
    );
    const resolved = await Promise.all(rows.map((row) => this.ask(carrier, row)));
    return resolved.filter((moved) => moved).length;
  }

  private async ask(carrier: Carrier, row: UnknownCallRow): Promise<boolean> {
    const found = await findCallBounded(carrier, {
      callRequestId: row.id,
      to: row.phone_number,
      from: row.caller_id,
      claimedAt: row.claimed_at,
      carrierCallId: row.carrier_call_id,
      carrierSettings: row.carrier_settings,
    });
    if (found.kind !== 'found') return false;
    if (found.inferred && (await this.mayBeAnother(row.id, found.event.carrierCallId))) return false;
    // A call that its carrier still shows in progress after the time limit would only be marked again.
    const beyondLimit = row.claimed_ms_ago > this.config.callTimeLimitSeconds * 1_000;
    if (beyondLimit && !isFinal(found.event.status)) return false;
    const event = { ...found.event, callRequestId: row.id };
    await this.results.recordOf(carrier.name, event);
    return this.outcomes.recordEvent(carrier.name, event, 'carrier_listing');
  }

  private async mayBeAnother(callRequestId: string, carrierCallId: string | null): Promise<boolean> {
    const [row] = await this.transactions.autocommit<{ another: boolean }>(
      query(MAY_BE_ANOTHER, callRequestId, carrierCallId),
    );
    return row?.another !== false;
  }
}
