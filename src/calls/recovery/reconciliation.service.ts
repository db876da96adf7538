import { Injectable, Logger } from '@nestjs/common';
import { CarrierAccountOpener } from '../../carrier-accounts/carrier-account-opener.service.js';
import { findCallBounded } from '../../carriers/bounded.js';
import { type Carrier, type CarrierSettings } from '../../carriers/carrier.js';
import { CarrierRegistry } from '../../carriers/carrier-registry.js';
import { Config } from '../../config/config.js';
import { type Query, query, Transactions } from '../../database/transactions.js';
import { isFinal } from '../../domain/call-states.js';
import { Metrics } from '../../telemetry/metrics.js';
import { DIAL_WITHIN_MS } from '../../dialing/dial.service.js';
import { OutcomeService } from '../../dialing/outcome/outcome.service.js';
import { CallResultsService } from '../../results/call-results.service.js';
import { LookUps } from './look-ups.js';
import { UNSETTLED_END } from '../../dialing/outcome/transitions.sql.js';
import { ASK_SILENT, ASK_UNKNOWN, FIND_UNSETTLED, MARK_UNKNOWN, MAY_BE_ANOTHER } from './sweep.sql.js';

const MARK_BATCH = 500;
/** The most calls that one statement returns. */
export const ASK_BATCH = 20;
/**
 * The most batches of one run. A look-up does not start if the queue of its carrier host is full. The calls of
 * such a host can fill a batch of {@link ASK_BATCH} calls. The run then reads a further batch, because that
 * batch may contain calls at other carrier hosts.
 */
const MAX_BATCHES = 5;
/** The time allowed for recording a carrier's answer that arrives at the last possible instant. */
const RECORDING_MS = 5_000;

/** How long the outcome of a call that has ended is looked up, in milliseconds. */
const SETTLE_WITHIN_MS = 15 * 60_000;

interface UnknownCallRow {
  id: string;
  phone_number: string;
  caller_id: string;
  claimed_at: Date;
  claimed_ms_ago: number;
  carrier_call_id: string | null;
  carrier_settings: CarrierSettings;
  carrier_account_id: string | null;
}

/**
 * Marks a call as `dial_unknown` if it is in `dialing` or `in_progress` too long after its claim. Looks up
 * calls in `dial_unknown` at their carriers.
 */
@Injectable()
export class ReconciliationService {
  private readonly logger = new Logger(ReconciliationService.name);
  private readonly lookUps = new Map<Carrier, LookUps>();

  constructor(
    private readonly transactions: Transactions,
    private readonly results: CallResultsService,
    private readonly outcomes: OutcomeService,
    private readonly carriers: CarrierRegistry,
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly accounts: CarrierAccountOpener,
  ) {}

  /** @returns how many calls were marked. */
  async markSilent(): Promise<number> {
    const dialingMs = DIAL_WITHIN_MS + this.carriers.longestTimeoutMs + RECORDING_MS;
    const rows = await this.transactions.autocommit<{ id: string }>(
      query(MARK_UNKNOWN, dialingMs, this.config.callTimeLimitSeconds * 1_000, MARK_BATCH),
    );
    for (const { id } of rows) {
      this.metrics.callTransitioned('dial_unknown');
      this.logger.warn({
        message: 'the end of the call was not reported in time; marked dial_unknown',
        callRequestId: id,
      });
    }
    return rows.length;
  }

  /**
   * Looks up one carrier's calls in `dial_unknown`, with growing pauses between the look-ups of a call. If the
   * carrier asks for it, also calls in progress whose ends were not reported (`lookUpAfterMs`). A call that the
   * carrier does not find stays in `dial_unknown`. A carrier host that does not answer delays only its own
   * look-ups.
   *
   * @param patienceMs the longest wait for the answers; undefined: no limit.
   * @returns how many calls were resolved, including calls whose answers an earlier run did not wait for.
   */
  async askCarrier(carrier: Carrier, patienceMs?: number): Promise<number> {
    await this.endUnsettled(carrier);
    const lookUps = this.lookUpsOf(carrier);
    const { name, lookUpAfterMs } = carrier;
    const graceMs = this.config.sweeperGraceMs;
    await this.startLookUps(carrier, lookUps, query(ASK_UNKNOWN, name, graceMs, ASK_BATCH), false);
    if (lookUpAfterMs !== undefined) {
      await this.startLookUps(
        carrier,
        lookUps,
        query(ASK_SILENT, name, lookUpAfterMs, graceMs, ASK_BATCH),
        true,
      );
    }
    return lookUps.settle(patienceMs);
  }

  /** @param due returns a batch of calls to look up. @param inProgress whether these calls are in progress. */
  private async startLookUps(
    carrier: Carrier,
    lookUps: LookUps,
    due: Query,
    inProgress: boolean,
  ): Promise<void> {
    for (let batch = 0; batch < MAX_BATCHES; batch += 1) {
      const rows = await this.transactions.autocommit<UnknownCallRow & Record<string, unknown>>(due);
      const started = rows.filter((row) => {
        const carrierHost = this.carriers.carrierHostOf(carrier.name, row.carrier_settings);
        return lookUps.start(carrierHost, () => this.ask(carrier, row, inProgress));
      });
      if (rows.length < ASK_BATCH || started.length === rows.length) break;
    }
  }

  /** Ends the calls whose outcome was looked up in vain for {@link SETTLE_WITHIN_MS}. */
  private async endUnsettled(carrier: Carrier): Promise<void> {
    const rows = await this.transactions.autocommit<{ id: string; carrier_call_id: string | null }>(
      query(FIND_UNSETTLED, carrier.name, UNSETTLED_END, SETTLE_WITHIN_MS, MARK_BATCH),
    );
    for (const { id, carrier_call_id: carrierCallId } of rows) {
      await this.outcomes.settleEnd(carrier.name, id, carrierCallId, 'completed');
    }
  }

  /** Waits for the look-ups in progress. Queued look-ups are not made. */
  async close(): Promise<void> {
    const open = [...this.lookUps.values()];
    this.lookUps.clear();
    await Promise.all(open.map((lookUps) => lookUps.close()));
  }

  private lookUpsOf(carrier: Carrier): LookUps {
    let lookUps = this.lookUps.get(carrier);
    if (lookUps === undefined) this.lookUps.set(carrier, (lookUps = new LookUps()));
    return lookUps;
  }

  private async ask(carrier: Carrier, row: UnknownCallRow, inProgress: boolean): Promise<boolean> {
    const account = await this.accounts.openOf(row.carrier_account_id, carrier.name, this.logger);
    if (account === 'not_opened') return false;
    const found = await findCallBounded(carrier, {
      callRequestId: row.id,
      to: row.phone_number,
      from: row.caller_id,
      claimedAt: row.claimed_at,
      carrierCallId: row.carrier_call_id,
      carrierSettings: row.carrier_settings,
      account,
    });
    if (found.kind !== 'found') return false;
    if (found.inferred && (await this.mayBeAnother(row.id, found.event.carrierCallId))) return false;
    // A call in progress that goes on is no news. After the time limit, the answer "in progress" is not recorded. Otherwise `markSilent` would set the call
    // to `dial_unknown` again.
    const beyondLimit = row.claimed_ms_ago > this.config.callTimeLimitSeconds * 1_000;
    if ((beyondLimit || inProgress) && !isFinal(found.event.status)) return false;
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
