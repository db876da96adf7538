import { type Purpose } from '../domain/compliance/pack.js';
import { type SuppressionScope } from '../domain/limited-entry.js';
import { invalid } from '../http/app-error.js';
import { instantOf } from '../http/call-result-fields.js';
import { isUuid } from '../http/validators.js';
import { type EntryLimits, type EntryScope } from './suppressing.js';

/** The scopes of a team's entries. */
export const TEAM_SCOPES = ['team', 'campaign', 'agent'] as const satisfies readonly SuppressionScope[];

/** The fields of a body that limit its entries. */
export interface SentLimits {
  scope?: EntryScope['scope'] | null;
  campaignId?: string | null;
  agentId?: string | null;
  purpose?: Purpose | null;
  effectiveFrom?: string | null;
  expiresAt?: string | null;
}

/**
 * The limits of the entries; undefined: they hold for the whole team, at once and without end.
 *
 * @param byPurpose whether the team honours purposes.
 * @throws AppError `INVALID_REQUEST` naming the field.
 */
export function limitsOf(sent: SentLimits, byPurpose: boolean): EntryLimits | undefined {
  const scope = scopeOf(sent);
  const { purpose = null } = sent;
  const effectiveFrom = instantOf(sent.effectiveFrom) ?? null;
  const expiresAt = instantOf(sent.expiresAt) ?? null;
  const begins = Math.max(Date.now(), effectiveFrom?.getTime() ?? 0);
  if (expiresAt !== null && expiresAt.getTime() <= begins)
    throw invalid(
      `expiresAt must be after ${effectiveFrom === null ? 'now' : 'effectiveFrom, and after now'}`,
    );
  const isUnlimited = effectiveFrom === null && expiresAt === null && (purpose === null || !byPurpose);
  if (isUnlimited && scope.scope === 'team') return undefined;
  return { ...scope, purpose, byPurpose, effectiveFrom, expiresAt };
}

/** @throws AppError `INVALID_REQUEST` naming the field that is missing, malformed or not of the scope. */
export function scopeOf(sent: { scope?: unknown; campaignId?: unknown; agentId?: unknown }): EntryScope {
  const { campaignId, agentId } = sent;
  const scope = TEAM_SCOPES.find((one) => one === (sent.scope ?? 'team'));
  if (scope === undefined) throw invalid(`scope must be one of ${TEAM_SCOPES.join(', ')}`);
  return {
    scope,
    campaignId: idOf('campaignId', campaignId, scope === 'campaign'),
    agentId: idOf('agentId', agentId, scope === 'agent'),
  };
}

function idOf(field: string, value: unknown, isNeeded: boolean): string | null {
  const isSent = value !== undefined && value !== null;
  if (isSent && !isNeeded)
    throw invalid(`${field} is only for entries with scope ${field.replace('Id', '')}`);
  if (!isNeeded) return null;
  if (!isUuid(value)) throw invalid(`${field} must be a UUID`);
  return value.toLowerCase();
}
