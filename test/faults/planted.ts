import { type CampaignRecord } from '../../tools/faults/campaign-history.js';
import { type CallRecord, type History, type TeamLimits } from '../../tools/faults/history.js';
import { checkHistory } from '../../tools/faults/check-history.js';
import { type ViolationKind } from '../../tools/faults/violation.js';

export const HOUR = 3_600_000;
export const NOON = Date.parse('2026-11-20T12:00:00Z');
const NO_LIMITS = { monthly: null, daily: null, weekly: null, monthlyPerNumber: null };

/** A history that grows by what is planted in it. */
export class Planted {
  readonly campaigns = new Map<string, CampaignRecord>();
  readonly history: History = {
    triggers: [],
    calls: [],
    dials: [],
    doNotCall: [],
    optOuts: [],
    limits: new Map<string, TeamLimits>([
      ['free', NO_LIMITS],
      ['limited', { monthly: 2, daily: 1, weekly: 2, monthlyPerNumber: 3 }],
    ]),
    openings: new Map([['nine-to-five', [[NOON - 3 * HOUR, NOON + 5 * HOUR] as const]]]),
    packHours: new Map(),
    events: null,
    webhooks: null,
    late: [],
    crashes: [],
    campaigns: {
      enrolled: [],
      exits: [],
      pauses: [],
      dials: [],
      enrollments: [],
      waits: null,
      isOver: false,
      campaigns: this.campaigns,
      retryingTeams: new Set(['retrying']),
    },
  };

  /** A call that was promised, claimed at noon, dialed and completed. */
  call(id: string, over: Partial<CallRecord> = {}): this {
    return this.promise(id).row(id, over).dial(id);
  }

  promise(id: string | null, status: number | null = 200): this {
    this.history.triggers.push({
      teamId: 'free',
      phoneNumber: '+14155550100',
      ms: 5,
      status,
      reason: null,
      callRequestId: id,
    });
    return this;
  }

  row(id: string, over: Partial<CallRecord> = {}): this {
    const at = over.claimedAt ?? NOON;
    this.history.calls.push({
      id,
      teamId: 'free',
      agentId: 'always',
      phoneNumber: `+1415555${this.history.calls.length}`,
      status: 'completed',
      claimedAt: at,
      processedAt: at,
      enrollmentId: null,
      reportedOptOut: false,
      wasAccepted: true,
      endedAt: at,
      overAt: at,
      activeUntil: at,
      ...over,
    });
    return this;
  }

  dial(callRequestId: string, outcome = 'completed'): this {
    const carrierCallId = `sim-${this.history.dials.length}`;
    const to = '+14155550100';
    this.history.dials.push({
      at: new Date(NOON).toISOString(),
      callRequestId,
      to,
      from: '+14155550199',
      outcome,
      carrierCallId,
    });
    return this;
  }

  listed(phoneNumber: string, committedAt: number, teamId = 'free'): this {
    this.history.doNotCall.push({ teamId, phoneNumber, committedAt });
    return this;
  }

  kinds(): ViolationKind[] {
    return checkHistory(this.history).map(({ kind }) => kind);
  }
}

export const planted = () => new Planted();
