import { type FireFacts } from '../../domain/call-decision.js';
import { parsePhoneNumber } from '../../domain/phone-number.js';
import { guardrailsOf, hoursOf } from '../shared/facts.sql.js';
import { callerIdCandidatesOf, type FireFactsRow, linesOf } from './fire.sql.js';

/**
 * What the domain judges a firing by.
 *
 * @param picks how often the claims before this one in its batch have picked each caller ID.
 */
export function fireFactsOf(row: FireFactsRow, picks: ReadonlyMap<string, number>): FireFacts {
  return {
    status: row.status,
    generation: row.generation,
    acceptedAt: row.accepted_at,
    runsAt: row.runs_at,
    firstRunsAt: row.first_runs_at,
    expiresAt: row.expires_at,
    paused: row.paused,
    hours: hoursOf(row, row.request_timezone),
    callerId: callerIdCandidatesOf(row, picks),
    guardrails: guardrailsOf(row, countryOf(row), row.counted_this_month),
    lines: linesOf(row),
  };
}

/** Needed only where a team limits its countries; reading a number costs more than all other rules together. */
function countryOf(row: FireFactsRow): string | null {
  if (row.allowed_countries === null) return null;
  const parsed = parsePhoneNumber(row.phone_number, null);
  return parsed.ok ? parsed.country : null;
}
