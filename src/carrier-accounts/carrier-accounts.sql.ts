/**
 * Locks an account, so that no agent that names it is saved until the transaction ends. A transaction that saves
 * such an agent locks the account with {@link HOLD_ACCOUNT}. Returns a row if the team has the account and the
 * account is not deleted. $1 team, $2 account.
 */
export const LOCK_ACCOUNT = `
  SELECT a.id FROM carrier_accounts a
  WHERE a.team_id = $1 AND a.id = $2 AND a.deleted_at IS NULL
  FOR UPDATE`;

/**
 * Returns a row if the team has the account and the account is not deleted. Locks it, so that it is not deleted
 * until the transaction ends. The foreign key of agents would also accept a deleted account, because its row
 * stays. $1 team, $2 account.
 */
export const HOLD_ACCOUNT = `
  SELECT a.id FROM carrier_accounts a
  WHERE a.team_id = $1 AND a.id = $2 AND a.deleted_at IS NULL
  FOR KEY SHARE`;

/** Erases the credentials. $1 team, $2 account. */
export const DELETE_ACCOUNT = `
  UPDATE carrier_accounts SET
    deleted_at = outdial_now(), credentials = '', previous_credentials = NULL, previous_until = NULL
  WHERE team_id = $1 AND id = $2`;

/** For how many hours after a rotation reports that are signed with the previous credentials are accepted. */
export const OVERLAP_HOURS = 24;

/** $1 team, $2 account, $3 credentials as they are stored. */
export const ROTATE_CREDENTIALS = `
  UPDATE carrier_accounts SET
    previous_credentials = credentials, previous_until = outdial_now() + interval '${OVERLAP_HOURS} hours',
    credentials = $3, rotated_at = date_trunc('milliseconds', outdial_now())
  WHERE team_id = $1 AND id = $2 AND deleted_at IS NULL`;

/** How many agents that are not deleted name the account. $1 team, $2 account. */
export const AGENTS_WITH_ACCOUNT = `
  SELECT count(*)::integer AS count FROM voice_agents v
  WHERE v.team_id = $1 AND v.carrier_account_id = $2 AND v.deleted_at IS NULL`;

/** The settings of the agents that name the account, for a check. $1 team, $2 account. */
export const SETTINGS_WITH_ACCOUNT = `
  SELECT v.carrier_settings FROM voice_agents v
  WHERE v.team_id = $1 AND v.carrier_account_id = $2 AND v.deleted_at IS NULL
  ORDER BY v.created_at, v.id LIMIT 20`;

/**
 * The settings of the agents that dial with the deployment's account at a carrier, for a check. $1 carrier, $2
 * whether it is the default carrier, $3 team; null: of all teams.
 */
export const SETTINGS_WITHOUT_ACCOUNT = `
  SELECT v.carrier_settings FROM voice_agents v
  WHERE (v.carrier = $1 OR ($2 AND v.carrier IS NULL)) AND v.carrier_account_id IS NULL
    AND v.deleted_at IS NULL AND ($3::uuid IS NULL OR v.team_id = $3)
  ORDER BY v.created_at, v.id LIMIT 20`;

/**
 * The numbers from which calls are placed with the account, for a check, which asks about each: those of the agents
 * that name it; if there is none, or one without a number, all from which the team can call. $1 team, $2 account.
 */
export const OUTBOUND_NUMBERS = `
  WITH named AS (
    SELECT v.outbound_phone_number, v.number_pool_id FROM voice_agents v
    WHERE v.team_id = $1 AND v.carrier_account_id = $2 AND v.deleted_at IS NULL
  )
  SELECT n.phone_number FROM phone_numbers n
  WHERE n.team_id = $1 AND n.active AND n.outbound_enabled
    AND (
      NOT EXISTS (SELECT FROM named)
      OR EXISTS (SELECT FROM named WHERE outbound_phone_number IS NULL AND number_pool_id IS NULL)
      OR n.phone_number IN (SELECT outbound_phone_number FROM named WHERE number_pool_id IS NULL)
      OR n.phone_number IN (
        SELECT m.phone_number FROM number_pool_members m
        WHERE m.team_id = $1 AND m.number_pool_id IN (SELECT number_pool_id FROM named)
      )
    )
  ORDER BY n.created_at, n.id LIMIT 100`;
