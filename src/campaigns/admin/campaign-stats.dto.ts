import { type Hold, shownWaitingFor } from '../definition/hold.js';
import { type StatsRow } from './campaign-stats.sql.js';

/** Counts of enrollments. A name with the count 0 is absent from `ended`, `waitingFor` and `attempts`. */
export interface StatsCounts {
  enrolled: number;
  /** Active or paused. */
  live: number;
  /** Enrollments that were dialed at least once. */
  attempted: number;
  /** Enrollments with a completed call. */
  reached: number;
  /** Enrollments that ended by a goal. */
  goals: number;
  /** Ended enrollments by their reason. */
  ended: Record<string, number>;
  /** Live enrollments by what they wait for. */
  waitingFor: Record<string, number>;
  /** Processed dials by their outcome, without calls under way. */
  attempts: Record<string, number>;
}

/** The counts of the enrollments that are on one version now. */
export interface VersionStats extends StatsCounts {
  versionId: string;
  number: number;
}

/** The counts of a campaign's enrollments. */
export interface CampaignStatsResource extends StatsCounts {
  /** Versions with enrollments, oldest first. */
  byVersion: VersionStats[];
}

/** @param numbers of the versions, by their ids. */
export function campaignStats(
  rows: readonly StatsRow[],
  numbers: ReadonlyMap<string, number>,
  hold: Hold,
): CampaignStatsResource {
  const all = noCounts();
  const versions = new Map<string, StatsCounts>();
  for (const row of rows) {
    const own = versions.get(row.version_id) ?? noCounts();
    versions.set(row.version_id, own);
    for (const counts of [all, own]) add(counts, row, hold);
  }
  const byVersion = [...versions]
    .map(([versionId, counts]) => ({ versionId, number: numbers.get(versionId) ?? 0, ...counts }))
    .sort((a, b) => a.number - b.number);
  return { ...all, byVersion };
}

function noCounts(): StatsCounts {
  return {
    enrolled: 0,
    live: 0,
    attempted: 0,
    reached: 0,
    goals: 0,
    ended: {},
    waitingFor: {},
    attempts: {},
  };
}

function add(counts: StatsCounts, { kind, name, n }: StatsRow, hold: Hold): void {
  switch (kind) {
    case 'live':
      counts.enrolled += n;
      counts.live += n;
      return countIn(counts.waitingFor, shownWaitingFor(name, hold), n);
    case 'ended':
      counts.enrolled += n;
      if (name === 'goal') counts.goals += n;
      return count(counts.ended, name, n);
    case 'attempt':
      return count(counts.attempts, name, n);
    case 'attempted':
    case 'reached':
      counts[kind] += n;
  }
}

/** A live enrollment that is not decided yet has no name. */
function countIn(waitingFor: Record<string, number>, name: string, n: number): void {
  if (name !== '') count(waitingFor, name, n);
}

function count(counts: Record<string, number>, name: string, n: number): void {
  counts[name] = (counts[name] ?? 0) + n;
}
