import { type CampaignStatus } from '../../campaigns/definition/campaign.entity.js';
import { HAS_STEPS } from '../../campaigns/enrollment/first-look.sql.js';
import { type Statement } from '../../database/transactions.js';
import { MAX_OPEN } from '../limits.js';
import { IS_THERE } from './read.sql.js';

/**
 * How long an upload may go without a renewal of its lease before it counts as interrupted. An API that stores
 * an upload renews the lease several times in this time, also while no byte arrives.
 */
export const UPLOAD_LEASE = `interval '30 seconds'`;

const NOW = `date_trunc('milliseconds', outdial_now())`;

export interface CampaignOfImportRow extends Record<string, unknown> {
  status: CampaignStatus;
  version_id: string | null;
  /** Whether the version places calls. */
  has_steps: boolean;
}

/** $1 team, $2 campaign, $3 `current`, `draft` or `id`, $4 the version's id or null. */
export const CAMPAIGN_OF_IMPORT: Statement = {
  name: 'campaign_of_import',
  text: `
    SELECT p.status, v.id AS version_id, ${HAS_STEPS} AS has_steps
    FROM campaigns p
    LEFT JOIN campaign_versions v ON v.team_id = p.team_id AND v.campaign_id = p.id AND CASE $3
      WHEN 'current' THEN v.id = p.current_version_id
      WHEN 'draft' THEN v.status = 'draft'
      ELSE v.id = $4::uuid END
    WHERE p.team_id = $1 AND p.id = $2`,
};

/** Marks the team's interrupted upload as failed, so that the next one can begin. $1 team. */
export const FAIL_STALE_UPLOAD: Statement = {
  name: 'fail_stale_upload',
  text: `
    UPDATE imports SET status = 'failed', error = 'The upload was interrupted', finished_at = ${NOW}, leased_until = NULL
    WHERE team_id = $1 AND status = 'staging' AND leased_until <= outdial_now()`,
};

/**
 * Begins an upload. It returns no row if the team has too many imports that are not finished. $1 team, $2
 * mode, $3 campaign, $4 version, $5 whether it is strict, $6 type.
 */
export const BEGIN_IMPORT: Statement = {
  name: 'begin_import',
  text: `
    INSERT INTO imports (team_id, status, mode, campaign_id, version_id, strict, type, tracked, created_at, leased_until)
    SELECT $1, 'staging', $2, $3, $4, $5, $6, true, ${NOW}, outdial_now() + ${UPLOAD_LEASE}
    WHERE (SELECT count(*) FROM imports i WHERE i.team_id = $1 AND i.status IN ('staging', 'held', 'running') AND ${IS_THERE}) < ${MAX_OPEN}
    RETURNING id`,
};

/**
 * Adds a chunk to an import. It returns no row if the import is no longer being uploaded. $1 import, $2 team,
 * $3 first row, $4 rows, $5 their data, $6 their endings, $7 the columns as JSON, or null.
 */
export const STAGE_CHUNK: Statement = {
  name: 'stage_import_chunk',
  text: `
    WITH import AS (
      UPDATE imports SET rows = $3::integer - 1 + $4::integer, mapping = $7::json,
        leased_until = outdial_now() + ${UPLOAD_LEASE}
      WHERE team_id = $2 AND id = $1 AND status = 'staging'
      RETURNING id, team_id
    )
    INSERT INTO import_chunks (import_id, first_row, team_id, rows, data, endings)
    SELECT id, $3, team_id, $4, $5, $6 FROM import
    RETURNING first_row`,
};

/** Renews the lease of an upload. It returns no row if the upload has ended. $1 import, $2 team. */
export const KEEP_UPLOAD: Statement = {
  name: 'keep_upload',
  text: `
    UPDATE imports SET leased_until = outdial_now() + ${UPLOAD_LEASE}
    WHERE team_id = $2 AND id = $1 AND status = 'staging' RETURNING id`,
};

/** For how long an import is held. */
const HOLD = `interval '1 hour'`;

/**
 * Lets the worker process an import, or holds it until it is started. It returns no row if the import is no longer
 * being uploaded. $1 import, $2 team, $3 whether it is held.
 */
export const FINISH_UPLOAD: Statement = {
  name: 'finish_upload',
  text: `
    UPDATE imports SET status = CASE WHEN $3::boolean THEN 'held' ELSE 'running' END,
      leased_until = outdial_now() + CASE WHEN $3 THEN ${HOLD} ELSE '0' END
    WHERE team_id = $2 AND id = $1 AND status = 'staging' RETURNING id`,
};

/** Marks an upload as failed. $1 import, $2 team, $3 error. */
export const FAIL_UPLOAD: Statement = {
  name: 'fail_upload',
  text: `
    UPDATE imports SET status = 'failed', error = $3, finished_at = ${NOW}, leased_until = NULL
    WHERE team_id = $2 AND id = $1 AND status = 'staging' RETURNING id`,
};
