import { type ConsentResource, type ConsentState } from './consent.dto.js';
import { type ConsentRow } from './sql/consents.sql.js';

/** A consent with its state by the clock of the row. Of an end and an expiry, the earlier one counts. */
export function consentResourceOf(row: ConsentRow): ConsentResource {
  const { status, endedAt } = stateOf(row);
  return {
    id: row.id,
    phoneNumber: row.phone_number,
    level: row.level,
    purpose: row.purpose,
    voice: row.voice,
    source: row.source,
    evidence: row.evidence,
    grantedAt: row.granted_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    status,
    endedAt: endedAt?.toISOString() ?? null,
    endReason: status === 'revoked' ? row.end_reason : null,
    createdAt: row.created_at.toISOString(),
  };
}

function stateOf({ expires_at: expiresAt, ended_at: endedAt, revoked, now }: ConsentRow): {
  status: ConsentState;
  endedAt: Date | null;
} {
  if (endedAt !== null && (expiresAt === null || endedAt < expiresAt))
    return { status: revoked === true ? 'revoked' : 'opted_out', endedAt };
  if (expiresAt !== null && expiresAt <= now) return { status: 'expired', endedAt: expiresAt };
  return { status: 'in_force', endedAt: null };
}
