import { type Purpose } from '../domain/compliance/pack.js';
import { type SuppressionScope, type SuppressionSource } from '../domain/limited-entry.js';

/** For what a Do Not Call entry holds. */
export interface JournalScope {
  scope: Exclude<SuppressionScope, 'platform'>;
  campaignId: string | null;
  agentId: string | null;
}

/** The limits of a Do Not Call entry; the instants are ISO 8601 in UTC. */
export interface JournalLimits extends JournalScope {
  purpose: Purpose | null;
  byPurpose: boolean;
  effectiveFrom: string;
  expiresAt: string | null;
}

/** The records of the journal. They contain numbers only as erased numbers, or sealed. */
export type JournalRecord =
  | {
      kind: 'do_not_call.added';
      teamId: string;
      numbers: string[];
      /** Absent in records of older versions. */
      source?: SuppressionSource;
      purpose?: Purpose;
      /** Absent: the entries hold for the whole team, at once and without end. */
      limits?: JournalLimits;
    }
  /** `scope` absent: the team's. */
  | { kind: 'do_not_call.removed'; teamId: string; numbers: string[]; scope?: JournalScope }
  /** The numbers are sealed under `ERASURE_KEY`. */
  | { kind: 'platform_do_not_call.added'; numbers: string[] }
  | { kind: 'platform_do_not_call.removed'; numbers: string[] }
  | { kind: 'contact.erased'; teamId: string; contactId: string }
  /** `endedAt`: the instant from which the consent is revoked, ISO 8601 in UTC. */
  | { kind: 'consent.revoked'; teamId: string; consentId: string; endedAt: string }
  /** The heartbeat of a process. */
  | { kind: 'alive' };

/** A record with its instant, ISO 8601 in UTC by the clock of the process. */
export type StampedRecord = JournalRecord & { at: string };

/** The line of a record, with its line break. */
export function lineOf(record: JournalRecord, at: Date): string {
  return `${JSON.stringify({ at: at.toISOString(), ...record })}\n`;
}

/** @throws Error for a line that this version cannot read. */
export function recordOf(line: string): StampedRecord {
  const record = JSON.parse(line) as Partial<StampedRecord> | null;
  if (typeof record?.at !== 'string' || Number.isNaN(Date.parse(record.at))) throw new Error('no instant');
  switch (record.kind) {
    case 'do_not_call.added':
    case 'do_not_call.removed':
      if (isText(record.teamId) && isTexts(record.numbers)) break;
      throw new Error('no numbers of a team');
    case 'platform_do_not_call.added':
    case 'platform_do_not_call.removed':
      if (isTexts(record.numbers)) break;
      throw new Error('no numbers');
    case 'contact.erased':
      if (isText(record.teamId) && isText(record.contactId)) break;
      throw new Error('no contact of a team');
    case 'consent.revoked':
      if (isText(record.teamId) && isText(record.consentId) && isInstant(record.endedAt)) break;
      throw new Error('no consent of a team');
    case 'alive':
      break;
    case undefined:
    default:
      throw new Error('an unknown kind');
  }
  return record as StampedRecord;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);
const isInstant = (value: unknown): value is string => isText(value) && !Number.isNaN(Date.parse(value));
