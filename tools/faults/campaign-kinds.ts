import { maxWindowsADay } from '../../src/domain/calling-hours.js';
import { type CampaignRules } from './campaign-history.js';
import { everyOtherMinute, weekly } from './tenants.js';

/** One kind of campaign, as it is written and as it is checked. */
export interface CampaignKind {
  name: string;
  team: 'retrying' | 'strict' | 'small plan';
  /** Of a hundred enrollments so many are in campaigns of this kind. */
  share: number;
  definition: (agentId: string) => object;
  pacing: object | null;
  rules: CampaignRules;
}

export const LIFETIME_HOURS = 20;
const LIFETIME = `PT${LIFETIME_HOURS}H`;

const NO_RULES: CampaignRules = {
  maxAttempts: null,
  attemptsOfStep: {},
  perNumber: null,
  afterConversation: null,
  maxConcurrentCalls: null,
  callsPerMinute: null,
  lifetimeHours: LIFETIME_HOURS,
  openings: null,
};

/** From the start of the program on, as many as a day may have. */
const OPENINGS = everyOtherMinute(Date.now()).slice(0, maxWindowsADay);

const SECOND = 'PT1S';

/** Attempts of a step at most: one, and one for each delay. */
const RETRIED = { no_answer: [SECOND], busy: [SECOND] };
const OFTEN_RETRIED = {
  no_answer: [SECOND, SECOND, SECOND],
  busy: [SECOND, SECOND, SECOND],
  failed: [SECOND],
};

/** A definition of one step. */
const oneStep =
  (retry: Record<string, string[]>, caps: object = {}) =>
  (agentId: string) => ({
    steps: [{ key: 'first', agentId, retry }],
    caps: { ...caps, lifetime: LIFETIME },
  });

/** A campaign that dials one person at a time, for the run that has a backlog. */
export const BACKLOG_KIND: CampaignKind = {
  name: 'backlog',
  team: 'retrying',
  share: 0,
  definition: oneStep(RETRIED),
  pacing: { maxConcurrentCalls: 1 },
  rules: { ...NO_RULES, attemptsOfStep: { first: 3 }, maxConcurrentCalls: 1 },
};

/**
 * The delays are of seconds: in the teams that retry within the re-dial window, whole enrollments play while
 * faults happen.
 */
export const CAMPAIGN_KINDS: readonly CampaignKind[] = [
  {
    name: 'two steps',
    team: 'retrying',
    share: 35,
    definition: (agentId) => ({
      steps: [
        {
          key: 'first',
          agentId,
          retry: { no_answer: [SECOND, 'PT2S'], busy: [SECOND, 'PT2S'], failed: ['PT2S'] },
          on: [{ outcome: 'no_response', next: 'second' }],
        },
        { key: 'second', agentId, after: 'PT2S', retry: { busy: [SECOND] } },
      ],
      caps: { maxAttempts: 5, lifetime: LIFETIME },
    }),
    pacing: null,
    rules: { ...NO_RULES, maxAttempts: 5, attemptsOfStep: { first: 6, second: 2 } },
  },
  {
    name: 'every other minute',
    team: 'retrying',
    share: 10,
    definition: (agentId) => ({
      steps: [{ key: 'first', agentId, retry: { no_answer: [SECOND, 'PT20S'], busy: [SECOND, 'PT20S'] } }],
      hours: weekly(OPENINGS),
      caps: { lifetime: LIFETIME },
    }),
    pacing: null,
    rules: { ...NO_RULES, attemptsOfStep: { first: 5 }, openings: OPENINGS },
  },
  {
    name: 'paced',
    team: 'retrying',
    share: 5,
    definition: oneStep(RETRIED),
    pacing: { callsPerMinute: 100, maxConcurrentCalls: 4, weight: 3 },
    rules: { ...NO_RULES, attemptsOfStep: { first: 3 }, callsPerMinute: 100, maxConcurrentCalls: 4 },
  },
  {
    name: 'caps per number',
    team: 'retrying',
    share: 15,
    definition: oneStep(OFTEN_RETRIED, { perNumber: [{ count: 2, per: 'PT6H' }] }),
    pacing: { weight: 2 },
    rules: { ...NO_RULES, attemptsOfStep: { first: 8 }, perNumber: { count: 2, hours: 6 } },
  },
  {
    name: 'few attempts',
    team: 'retrying',
    share: 15,
    definition: oneStep(OFTEN_RETRIED, { maxAttempts: 2 }),
    pacing: null,
    rules: { ...NO_RULES, maxAttempts: 2, attemptsOfStep: { first: 8 } },
  },
  {
    name: 'within the re-dial window',
    team: 'strict',
    share: 15,
    definition: (agentId) => ({
      steps: [
        {
          key: 'first',
          agentId,
          retry: { no_answer: [SECOND], busy: [SECOND], failed: [SECOND], voicemail: [SECOND] },
          on: [{ outcome: 'completed', next: 'second' }],
        },
        { key: 'second', agentId, after: SECOND },
      ],
      caps: { afterConversation: 'PT14H', lifetime: LIFETIME },
    }),
    pacing: null,
    rules: { ...NO_RULES, attemptsOfStep: { first: 5, second: 1 }, afterConversation: 14 },
  },
  {
    name: 'small plan',
    team: 'small plan',
    share: 5,
    definition: oneStep(RETRIED),
    pacing: null,
    rules: { ...NO_RULES, attemptsOfStep: { first: 3 } },
  },
];
