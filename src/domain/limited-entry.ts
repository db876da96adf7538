import { type Purpose } from './compliance/pack.js';

/** For what a Do Not Call entry holds. `platform`: for every team. */
export const SUPPRESSION_SCOPES = ['team', 'campaign', 'agent', 'platform'] as const;
export type SuppressionScope = (typeof SUPPRESSION_SCOPES)[number];

/** How an entry came to the ledger. `opt_out`: the person said so in a call. */
export const SUPPRESSION_SOURCES = ['request', 'opt_out', 'register', 'import', 'operator'] as const;
export type SuppressionSource = (typeof SUPPRESSION_SOURCES)[number];

/**
 * A Do Not Call entry of a number that holds only for a campaign, an agent, a purpose or a time. The instants are in
 * ms; `until` null: without end.
 */
export interface LimitedEntry {
  scope: Exclude<SuppressionScope, 'platform'>;
  campaignId: string | null;
  agentId: string | null;
  /** null: for every purpose. */
  purpose: Purpose | null;
  from: number;
  until: number | null;
}

/** The call that an entry may forbid. */
export interface CallOfEntry {
  agentId: string | null;
  campaignId: string | null;
  /** What the call is for; null: unknown, so that an entry for any purpose forbids it. */
  purpose?: Purpose | null;
}

/** Whether the entry forbids the call at `now`. @param call `byPurpose`: whether the team honours purposes. */
export function forbids(entry: LimitedEntry, call: CallOfEntry & { byPurpose: boolean }, now: Date): boolean {
  const { scope, purpose, from, until } = entry;
  const at = now.getTime();
  if (at < from || (until !== null && at >= until)) return false;
  if (scope === 'campaign' && entry.campaignId !== call.campaignId) return false;
  if (scope === 'agent' && entry.agentId !== call.agentId) return false;
  const ofCall = call.purpose ?? null;
  return !call.byPurpose || purpose === null || ofCall === null || purpose === ofCall;
}

/** The scope of the widest entry that forbids the call at `now`; null: none does. */
export function scopeOfEntries(
  entries: readonly LimitedEntry[],
  call: CallOfEntry & { byPurpose: boolean },
  now: Date,
): LimitedEntry['scope'] | null {
  const scopes = entries.filter((entry) => forbids(entry, call, now)).map(({ scope }) => scope);
  return SCOPES_BY_WIDTH.find((scope) => scopes.includes(scope)) ?? null;
}

const SCOPES_BY_WIDTH = ['team', 'campaign', 'agent'] as const;
