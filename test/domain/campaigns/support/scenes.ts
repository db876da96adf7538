import { forecast } from '../../../../src/domain/campaigns/forecast/forecast.js';
import { type ForecastDial } from '../../../../src/domain/campaigns/forecast/play.js';
import {
  type ForecastAgent,
  type ForecastEnrollment,
  type ForecastScene,
} from '../../../../src/domain/campaigns/forecast/scene.js';
import { AGENT, definitionOf, step } from './definitions.js';

/** A Monday, 10:00 in New York. */
export const START = Date.parse('2027-03-01T15:00:00Z');
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const agent = (fields: Partial<ForecastAgent> = {}): ForecastAgent => ({
  timezone: 'America/New_York',
  callingHours: null,
  closedDates: [],
  deleted: false,
  hasCallerId: true,
  purpose: null,
  ...fields,
});

/** Two weeks of a campaign with one step, whose calls take a minute and are all completed. */
export function sceneOf(fields: Partial<ForecastScene> = {}, definition: object = {}): ForecastScene {
  return {
    definition: definitionOf({ steps: [step('first')], ...definition }),
    from: START,
    until: START + 14 * DAY,
    concurrency: 1_000,
    assume: always('completed'),
    seed: 1,
    campaignStatus: 'active',
    paused: false,
    retryWithinRedialWindow: true,
    team: {
      allowedCountries: null,
      whitelistOnly: false,
      monthlyCallLimit: null,
      numberDailyLimit: null,
      numberWeeklyLimit: null,
      numberMonthlyLimit: null,
      acceptUnknownRanges: false,
      doNotCallByPurpose: false,
    },
    planUsed: { at: START, calls: 0 },
    agents: new Map([[AGENT, agent()]]),
    pacing: { maxConcurrentCalls: null, callsPerMinute: null },
    suppressed: 0,
    ...fields,
  };
}

/** Every call ends so, after a minute. */
export function always(outcome: 'completed' | 'no_answer' | 'busy' | 'voicemail' | 'failed') {
  const none = { completed: 0, no_answer: 0, busy: 0, voicemail: 0, seconds: 60 };
  return outcome === 'failed' ? none : { ...none, [outcome]: 1 };
}

export function enrolled(
  fields: Partial<ForecastEnrollment> = {},
  state: Partial<ForecastEnrollment['state']> = {},
): ForecastEnrollment {
  return {
    number: '+14155550100',
    country: 'US',
    contactTimezone: null,
    contactDeleted: false,
    whitelisted: false,
    onDoNotCall: false,
    processedAt: [],
    lastConversationAt: null,
    lawOf: null,
    otherCall: null,
    rank: START,
    ...fields,
    state: {
      enrolledAt: new Date(START),
      stepKey: null,
      paused: false,
      notBefore: null,
      attempts: [],
      ...state,
    },
  };
}

/** Contacts with numbers of their own. */
export const many = (count: number, fields: Partial<ForecastEnrollment> = {}) =>
  Array.from({ length: count }, (_, n) => enrolled({ number: `+1415555${1000 + n}`, ...fields }));

/** A forecast with its dials, and the instants of these. */
export function played(scene: ForecastScene, enrollments: ForecastEnrollment[]) {
  const dials: ForecastDial[] = [];
  const result = forecast(scene, enrollments, (dial) => dials.push(dial));
  return { ...result, made: dials, at: dials.map(({ at }) => new Date(at).toISOString()) };
}

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** Hours of every day. */
export const daily = (start: string, end: string) =>
  Object.fromEntries(WEEKDAYS.map((day) => [day, [{ start, end }]]));

/** Calls are made by this agent. */
export const by = (fields: Partial<ForecastAgent>) => ({ agents: new Map([[AGENT, agent(fields)]]) });
