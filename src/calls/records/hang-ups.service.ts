import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { auditingCall } from '../../audit/audited-change.js';
import { hangUpBounded } from '../../carriers/bounded.js';
import { CarrierAccountOpener } from '../../carrier-accounts/carrier-account-opener.service.js';
import { CarrierRegistry } from '../../carriers/carrier-registry.js';
import { type HangUpResult } from '../../carriers/carrier.js';
import { team } from '../../database/team-scope.js';
import { type Query, query, Transactions } from '../../database/transactions.js';
import { FairSemaphore } from '../../fairness/fair-semaphore.js';
import { AppError, notFound } from '../../http/app-error.js';
import { isUuid } from '../../http/validators.js';
import { type CallRow, FIND_CALL } from './read.sql.js';
import { OutcomeService } from '../../dialing/outcome/outcome.service.js';
import { CallResultsService } from '../../results/call-results.service.js';
import {
  type CallUnderWayRow,
  FIND_CALLS_UNDER_WAY,
  type HangUpRow,
  REQUEST_HANG_UP,
  WITHDRAW_HANG_UP,
} from './hang-up.sql.js';

/**
 * What became of a request to hang up. `asked`: the carrier ends the call. `not_in_progress`: the call is not in
 * progress. `cannot_hang_up`: the carrier does not hang up calls. `no_answer`: the carrier did not say that it
 * ends the call; the request may be repeated.
 */
export type HangUpOutcome = 'asked' | 'not_in_progress' | 'cannot_hang_up' | 'no_answer';

/** The counts of {@link HangUpsService.hangUpAll}. */
export interface HangUpCounts {
  hungUp: number;
  cannotHangUp: number;
  /** Calls that may go on; at most {@link CALLS_A_ROUND} of those that were not asked for are counted. */
  remaining: number;
}

/** The longest duration of a stop, so that it ends within the time that proxies allow. */
const ALL_WITHIN_MS = 15_000;
/** The requests to carriers at a time. */
const MAX_REQUESTS = 20;
const CALLS_A_ROUND = 500;
const POLL_MS = 100;

/**
 * Ends calls in progress. The request is recorded on the call before the carrier is asked, so that the final
 * report of the carrier is stored with the cause `hung_up`.
 */
@Injectable()
export class HangUpsService {
  private readonly logger = new Logger(HangUpsService.name);

  constructor(
    private readonly transactions: Transactions,
    private readonly carriers: CarrierRegistry,
    private readonly results: CallResultsService,
    private readonly outcomes: OutcomeService,
    private readonly accounts: CarrierAccountOpener,
  ) {}

  /**
   * Asks the carrier to end a call in progress. A repeated request is accepted while the call is in progress.
   *
   * @throws AppError `NOT_FOUND`; `CONFLICT` with the reason `not_in_progress` or `cannot_hang_up`;
   *   `SERVICE_UNAVAILABLE` if the carrier did not say that it ends the call.
   */
  async hangUp(teamId: string, id: string): Promise<void> {
    const own = this.transactions.within(team(teamId));
    const [call] = isUuid(id) ? await own.read<CallRow>(query(FIND_CALL, id, teamId)) : [];
    if (call === undefined) throw notFound('Call');
    switch (await this.request(teamId, call.id, [auditingCall(teamId, call.id, 'hung_up')])) {
      case 'asked':
        return;
      case 'not_in_progress': {
        const [now = call] = await own.read<CallRow>(query(FIND_CALL, id, teamId));
        const message =
          now.status === 'in_progress'
            ? 'The call has ended at its carrier, which has not reported the end yet'
            : `The call is ${now.status}; only a call in progress can be hung up`;
        throw new AppError('CONFLICT', message, { reason: 'not_in_progress' });
      }
      case 'cannot_hang_up':
        throw new AppError('CONFLICT', 'The call’s carrier cannot hang up', { reason: 'cannot_hang_up' });
      case 'no_answer':
        throw new AppError('SERVICE_UNAVAILABLE', 'The carrier did not confirm the hang-up, try again');
    }
  }

  /**
   * The same without exceptions for what the carrier answers.
   *
   * @param id of a call of the team. @param audit what else is written if the call is in progress.
   */
  async request(teamId: string, id: string, audit: Query[] = []): Promise<HangUpOutcome> {
    const own = this.transactions.within(team(teamId));
    const call = await own.run<HangUpRow | undefined>([query(REQUEST_HANG_UP, id, teamId)], ([found]) => {
      const row = found?.rows[0] as HangUpRow | undefined;
      return row === undefined ? { rollback: undefined } : { commit: audit, value: () => row };
    });
    if (call === undefined) return 'not_in_progress';
    const result = await this.ask(call);
    if (result.kind === 'accepted') {
      if (result.event !== undefined) {
        await this.results.recordOf(call.carrier ?? '', result.event);
        await this.outcomes.recordEvent(call.carrier ?? '', result.event);
      }
      return 'asked';
    }
    // An earlier request may have ended the call, and then its end is still to be reported.
    if (call.repeated && result.kind === 'not_in_progress') return 'asked';
    if (!call.repeated && result.kind !== 'unknown') await own.autocommit(query(WITHDRAW_HANG_UP, id));
    return result.kind === 'not_done' || result.kind === 'unknown' ? 'no_answer' : result.kind;
  }

  /**
   * Hangs up the calls in progress of a team, or of all teams. Calls that are being dialed are awaited, and hung
   * up once their carriers have accepted them. Ends after {@link ALL_WITHIN_MS} at the latest, except for
   * requests to carriers that have begun.
   *
   * @param teamId null: all teams.
   */
  async hangUpAll(teamId: string | null): Promise<HangUpCounts> {
    const deadline = performance.now() + ALL_WITHIN_MS;
    const isInTime = () => performance.now() < deadline;
    const outcomes = new Map<string, HangUpOutcome>();
    const requests = new FairSemaphore(MAX_REQUESTS, MAX_REQUESTS);
    const find = () =>
      this.transactions.read<CallUnderWayRow & Record<string, unknown>>(
        query(FIND_CALLS_UNDER_WAY, teamId, [...outcomes.keys()], CALLS_A_ROUND),
      );
    let calls = await find();
    while (calls.length > 0 && isInTime()) {
      const talking = calls.filter((call) => call.in_progress);
      await Promise.all(
        talking.map(({ id, team_id: ofTeam }) =>
          requests.run(ofTeam, async () => {
            if (isInTime()) outcomes.set(id, await this.request(ofTeam, id));
          }),
        ),
      );
      // The others are being dialed, which takes a moment.
      if (talking.length === 0) await pause(POLL_MS);
      calls = await find();
    }
    const count = (outcome: HangUpOutcome) => [...outcomes.values()].filter((one) => one === outcome).length;
    return {
      hungUp: count('asked'),
      cannotHangUp: count('cannot_hang_up'),
      remaining: count('no_answer') + calls.length,
    };
  }

  private async ask(call: HangUpRow): Promise<HangUpResult> {
    const carrier = this.carriers.get(call.carrier ?? '');
    if (carrier?.hangUp === undefined) return { kind: 'cannot_hang_up' };
    const about = { callRequestId: call.id, carrier: carrier.name };
    const account = await this.accounts.openOf(call.carrier_account_id, carrier.name, this.logger);
    if (account === 'not_opened') return { kind: 'not_done', reason: 'carrier_account_not_opened' };
    const request = {
      account,
      callRequestId: call.id,
      carrierCallId: call.carrier_call_id,
      to: call.phone_number,
      answered: call.answered,
      carrierSettings: call.carrier_settings,
    };
    const result = await hangUpBounded(carrier, request, (error) => {
      const what = error instanceof Error ? error.name : 'error';
      this.logger.warn({ message: `${what} from the carrier at a hang-up`, ...about });
    });
    if ('reason' in result) {
      this.logger.warn({ message: `hang-up not confirmed: ${result.reason}`, ...about });
    }
    return result;
  }
}
