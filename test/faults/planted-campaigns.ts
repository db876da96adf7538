import {
  type CampaignRules,
  type EnrollmentDialRecord,
  type EnrollmentRecord,
} from '../../tools/faults/campaign-history.js';
import { type CallRecord } from '../../tools/faults/history.js';
import { HOUR, NOON, Planted } from './planted.js';

export const MINUTE = 60_000;
export const SECOND = 1_000;
export const NUMBER = '+14155550123';

const RULES: CampaignRules = {
  maxAttempts: null,
  attemptsOfStep: { first: 9, second: 1 },
  perNumber: null,
  afterConversation: null,
  maxConcurrentCalls: null,
  callsPerMinute: null,
  lifetimeHours: 20,
  openings: null,
};

/**
 * A history with campaigns. Enrollments and calls are of the team `retrying`, which dials again within 12
 * hours.
 */
export class PlantedCampaigns extends Planted {
  campaign(id: string, rules: Partial<CampaignRules> = {}, teamId = 'retrying'): this {
    this.campaigns.set(id, { id, teamId, rules: { ...RULES, ...rules } });
    return this;
  }

  /** Live, enrolled at noon; `over` may end it. */
  enrollment(id: string, over: Partial<EnrollmentRecord> = {}): this {
    this.history.campaigns.enrollments.push({
      id,
      teamId: 'retrying',
      campaignId: 'c',
      phoneNumber: NUMBER,
      status: 'completed',
      endReason: 'reached',
      waitingFor: null,
      nextAttemptAt: null,
      lookAt: null,
      enrolledAt: NOON,
      endedAt: null,
      ...over,
    });
    return this;
  }

  /**
   * A dialed call of the enrollment, which was over a second after its claim; by default without an answer.
   */
  attempt(
    enrollmentId: string,
    seq: number,
    at: number,
    { call = {}, dial = {} }: { call?: Partial<CallRecord>; dial?: Partial<EnrollmentDialRecord> } = {},
  ): this {
    const callRequestId = `${enrollmentId}-${this.history.calls.length}`;
    this.history.campaigns.dials.push({
      enrollmentId,
      seq,
      callRequestId,
      campaignId: 'c',
      step: 'first',
      claimedAt: at,
      ...dial,
    });
    const over = at + SECOND;
    this.row(callRequestId, {
      teamId: 'retrying',
      phoneNumber: NUMBER,
      status: 'no_answer',
      enrollmentId,
      claimedAt: at,
      processedAt: at,
      endedAt: over,
      overAt: over,
      activeUntil: over,
      ...call,
    });
    return this.dial(callRequestId, call.status ?? 'no_answer');
  }

  exited(of: string, at: number): this {
    this.history.campaigns.exits.push({ of, at });
    return this;
  }

  paused(of: string, from: number, to: number): this {
    this.history.campaigns.pauses.push({ of, from, to });
    return this;
  }

  /** Nothing is under way any more at `now`. */
  quiet(now: number): this {
    const live = this.history.campaigns.enrollments.filter(({ status }) => status === 'active');
    this.history.campaigns.waits = { now, live };
    return this;
  }
}

export const planted = () => new PlantedCampaigns().campaign('c');
export const CAPPED = { perNumber: { count: 2, hours: 6 } };
export const live = (over: Partial<EnrollmentRecord>): Partial<EnrollmentRecord> => ({
  status: 'active',
  endReason: null,
  lookAt: NOON + 20 * HOUR,
  ...over,
});
export const unknown = { call: { status: 'dial_unknown', endedAt: null, overAt: null } };
