/** The limits that a campaign is checked against; null is no limit. */
export interface CampaignRules {
  /** Processed dials of one enrollment, in all and by step. */
  maxAttempts: number | null;
  attemptsOfStep: Readonly<Record<string, number>>;
  perNumber: { count: number; hours: number } | null;
  /** Hours without a call after a completed one. */
  afterConversation: number | null;
  maxConcurrentCalls: number | null;
  callsPerMinute: number | null;
  lifetimeHours: number;
  /** When it may dial, as `[from, to)` in milliseconds; null is always. */
  openings: readonly (readonly [number, number])[] | null;
}

export interface CampaignRecord {
  id: string;
  teamId: string;
  rules: CampaignRules;
}

/** A row of `enrollment_dials`; `claimedAt` in milliseconds by Postgres' clock. */
export interface EnrollmentDialRecord {
  enrollmentId: string;
  seq: number;
  callRequestId: string;
  campaignId: string;
  step: string;
  claimedAt: number;
}

/** An enrollment as Postgres has it. Instants are milliseconds by the clock of the rules. */
export interface EnrollmentRecord {
  id: string;
  teamId: string;
  campaignId: string;
  phoneNumber: string;
  status: string;
  endReason: string | null;
  waitingFor: string | null;
  nextAttemptAt: number | null;
  lookAt: number | null;
  enrolledAt: number;
  endedAt: number | null;
}

/** What a client was told; instants by the clock of the machine, which is Postgres', too. */
export interface SteeringRecords {
  /** Enrollments whose creation was answered. */
  enrolled: string[];
  /**
   * An enrollment that was exited, or a campaign that was archived; from `at`, the answer, nothing of it is
   * claimed.
   */
  exits: { of: string; at: number }[];
  /** From the answer to the pause of an enrollment or a campaign, to the request that resumes it. */
  pauses: { of: string; from: number; to: number }[];
}

/** The live enrollments at an instant at which nothing is under way any more. */
export interface Waits {
  now: number;
  live: EnrollmentRecord[];
}

/** All that is known of a run's campaigns. */
export interface CampaignHistory extends SteeringRecords {
  campaigns: ReadonlyMap<string, CampaignRecord>;
  /** Teams whose campaigns dial again within 12 hours after an attempt without an answer. */
  retryingTeams: ReadonlySet<string>;
  dials: EnrollmentDialRecord[];
  enrollments: EnrollmentRecord[];
  /** null: not looked at yet. */
  waits: Waits | null;
  /** Whether every lifetime is over, so that none may live. */
  isOver: boolean;
}
