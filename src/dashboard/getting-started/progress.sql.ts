/** The most numbers that a form offers. */
const MOST_NUMBERS = 20;

/**
 * What a team has of what its first call needs. Every part is read by an index of its team. $1 team.
 */
export const PROGRESS = `
  SELECT
    ARRAY(SELECT phone_number FROM phone_numbers WHERE team_id = $1 AND active AND outbound_enabled
      ORDER BY phone_number LIMIT ${MOST_NUMBERS}) AS numbers,
    (SELECT json_build_object('id', id, 'name', name, 'phoneNumber', outbound_phone_number, 'anyTime', calling_hours IS NULL)
      FROM voice_agents WHERE team_id = $1 AND deleted_at IS NULL ORDER BY created_at DESC, id LIMIT 1) AS agent,
    (SELECT id FROM call_requests WHERE team_id = $1 ORDER BY accepted_at, id LIMIT 1) AS "firstCallId",
    (SELECT json_build_object('name', name, 'prefix', prefix) FROM api_keys
      WHERE team_id = $1 AND key_is_live(revoked_at, expires_at)
      ORDER BY last_used_at DESC NULLS LAST, created_at DESC LIMIT 1) AS key,
    (SELECT max(last_used_at) FROM api_keys WHERE team_id = $1) AS "firstRequestAt"`;

export interface Progress {
  /** Usable caller IDs, in E.164. */
  numbers: string[];
  /** The newest agent. */
  agent: { id: string; name: string; phoneNumber: string | null; anyTime: boolean } | null;
  firstCallId: string | null;
  /** A live key: the one that was used last, if one was used. */
  key: { name: string; prefix: string } | null;
  /** When a key was used, to the minute; null: none was. */
  firstRequestAt: Date | null;
}

/** $1 team. */
export const HAS_CALLS = 'SELECT EXISTS (SELECT FROM call_requests WHERE team_id = $1) AS "hasCalls"';
