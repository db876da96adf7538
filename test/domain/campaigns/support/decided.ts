import { decide } from '../../../../src/domain/campaigns/decide/decide.js';
import { type Attempt, type EnrollmentState } from '../../../../src/domain/campaigns/decide/enrollment.js';
import { type CampaignFacts } from '../../../../src/domain/campaigns/decide/facts.js';
import { before, DAY, guardrailFacts, NOW, SECOND } from '../../support/facts.js';
import { AGENT, definitionOf, step } from './definitions.js';

export const MINUTE = 60 * SECOND;
const ENROLLED = before(DAY);
const enrollment = (state: Partial<EnrollmentState> = {}): EnrollmentState => ({
  enrolledAt: ENROLLED,
  stepKey: null,
  paused: false,
  notBefore: null,
  attempts: [],
  ...state,
});
const facts = (some: Partial<CampaignFacts> = {}): CampaignFacts => ({
  campaignStatus: 'active',
  paused: false,
  contactDeleted: false,
  contactTimezone: null,
  agent: { timezone: 'UTC', callingHours: null, closedDates: [], deleted: false },
  guardrails: guardrailFacts(),
  retryWithinRedialWindow: false,
  processedToNumber: [],
  lastConversationAt: null,
  otherCall: null,
  hasCallerId: true,
  carrierAwayUntil: null,
  pacedUntil: null,
  hasConcurrencySlot: true,
  ...some,
});
export const ended = (outcome: Attempt['outcome'], at: Date, fields: Partial<Attempt> = {}): Attempt => ({
  stepKey: 'first',
  callback: false,
  processedAt: before(MINUTE, at),
  outcome,
  endedAt: at,
  recordedAt: at,
  result: null,
  ...fields,
});
/** What `decide` answers for an enrollment of a day ago, with facts by which nothing refuses. */
export const decided = (
  definition: object,
  state: Partial<EnrollmentState> = {},
  some: Partial<CampaignFacts> = {},
  now = NOW,
) => decide(enrollment(state), definitionOf(definition), facts(some), now);

export const one = { steps: [step('first')] };
export const dialed = { kind: 'dial', stepKey: 'first', agentId: AGENT, variables: {}, callback: false };
