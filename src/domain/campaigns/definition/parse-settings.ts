import { type Parsed } from '../../calling-hours.js';
import { type Duration } from '../duration.js';
import { at, parsedBy, readDuration, readFields, readInteger, readOptional } from './reader.js';

/** How fast a campaign dials. Null: no limit. */
export interface CampaignPacing {
  maxConcurrentCalls: number | null;
  /** The most claims in any 60 seconds. */
  callsPerMinute: number | null;
  /** The campaign's share among the campaigns of the team, 1 to 100. */
  weight: number;
}

/** Whether a contact whose enrollment has ended may be enrolled again. */
export interface CampaignReentry {
  /** The most entries of one contact; null: no limit. */
  maxEntries: number | null;
  /** The shortest time between the end of an entry and the next entry; null: no such time. */
  minInterval: Duration | null;
}

/** The largest limit that is accepted, far above any useful limit. */
export const MAX_COUNT = 1_000_000;
export const MAX_WEIGHT = 100;
const positive = (value: unknown, path: string) => readInteger(value, path, 1, MAX_COUNT);

/** The `callsPerMinute` of a new campaign whose request has none. A careful start limits the effect of a mistake. */
export const INITIAL_CALLS_PER_MINUTE = 60;

/** A `pacing` that `parsePacing` accepts, as requests have it and campaigns store it. */
export type SentPacing = Readonly<Record<string, unknown>> | null;

/** The `pacing` that a new campaign stores. Null that was sent, for all of it or for a field, stays null. */
export function initialPacing(sent: SentPacing | undefined): SentPacing {
  return sent === null ? null : { callsPerMinute: INITIAL_CALLS_PER_MINUTE, ...sent };
}

/** The `pacing` after a change: the fields that were sent, and the rest as stored. Null that was sent is null. */
export function changedPacing(stored: SentPacing, sent: SentPacing): SentPacing {
  return sent === null ? null : { ...stored, ...sent };
}

/** Validates a campaign's `pacing`; null is no limits and weight 1. */
export function parsePacing(input: unknown): Parsed<CampaignPacing> {
  return parsedBy(() => {
    const path = 'pacing';
    const fields = readFields(input ?? {}, path, ['maxConcurrentCalls', 'callsPerMinute', 'weight']);
    return {
      maxConcurrentCalls: readOptional(fields.maxConcurrentCalls, at(path, 'maxConcurrentCalls'), positive),
      callsPerMinute: readOptional(fields.callsPerMinute, at(path, 'callsPerMinute'), positive),
      weight: readInteger(fields.weight ?? 1, at(path, 'weight'), 1, MAX_WEIGHT),
    };
  });
}

/**
 * Validates a campaign's `reentry`. Null or absent is the default: one entry. In an object, `maxEntries` null
 * or absent is no limit.
 */
export function parseReentry(input: unknown): Parsed<CampaignReentry> {
  return parsedBy(() => {
    const path = 'reentry';
    if (input === null || input === undefined) return { maxEntries: 1, minInterval: null };
    const fields = readFields(input, path, ['maxEntries', 'minInterval']);
    return {
      maxEntries: readOptional(fields.maxEntries, at(path, 'maxEntries'), positive),
      minInterval: readOptional(fields.minInterval, at(path, 'minInterval'), readDuration),
    };
  });
}
