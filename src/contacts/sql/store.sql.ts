import { MAX_JSON_BYTES } from '../../http/validators.js';
import { type CampaignStatus } from '../../campaigns/definition/campaign.entity.js';
import { FIRST_LOOK, FIRST_WAIT } from '../../campaigns/enrollment/first-look.sql.js';
import { CONTACT_FIELD_COLUMNS } from '../../domain/contact-fields.js';
import { type Statement } from '../../database/transactions.js';
import { contactOf, hasAllColumns, mergeColumns } from './merge.sql.js';
import { type CallerRow } from '../../teams/keyed-request.js';
import { type ContactColumns } from './read.sql.js';

/** The result of a request to store a contact, and of its enrollment. */
export interface StoredContactRow extends CallerRow {
  /** The index of the request, from 0. */
  n: number;
  team_id: string;
  /** null: nothing was stored. */
  contact_id: string | null;
  /** null: the request names no campaign, or the team has no such campaign. */
  campaign_status: CampaignStatus | null;
  /** null: the statement did not enroll. */
  enrollment_id: string | null;
  /** Whether the campaign has a setting by which the contact may be enrolled once more. */
  may_enter_again: boolean;
}

/** A request to store a contact; null: the field was not sent. */
export interface NewContact extends ContactColumns {
  /** SHA-256 of the API key, as Postgres reads bytes in a text: `\\x` and hexadecimal digits. */
  key_hash: string;
  /** The request's `teamId`. */
  team_id: string | null;
  campaign_id: string | null;
}

/**
 * Statements that store contacts. `enrolling` is separate, so that storing a contact without an enrollment
 * never waits for the lock of a campaign.
 */
export interface Storing {
  contactOnly: Statement;
  /** `contactOnly` for a request with an `Idempotency-Key`. */
  keyed: Statement;
  enrolling: Statement;
  /** `contactOnly` and `enrolling` for the rows of an import. */
  imported: { contactOnly: Statement; enrolling: Statement };
}

/** The result of one row of an import; see {@link Storing.imported}. */
export interface ImportedContactRow extends Omit<StoredContactRow, keyof CallerRow | 'team_id'> {
  /** Whether the contact is new. */
  created: boolean;
  /**
   * The `updated_at` of a contact before it was changed, as a text with microseconds; null: it is new or was not
   * changed.
   */
  changed_before: string | null;
}

/*
 * Each statement processes several requests in one round trip and one commit. It checks their keys and stores
 * their contacts. `enrolling` also enrolls each contact on the current version of its campaign, if the
 * campaign is active.
 *
 * $1 an array of NewContact as JSON, in which each number of a team occurs once. The result has a row for
 * each request whose key is known; `n` is the index of the request from 0.
 */

/**
 * Postgres plans an unnamed statement for each batch, in a hundredth of the batch's time. A plan that was
 * made for a small table would read all contacts of the team for each row of later batches.
 */
const UNNAMED = '';

/** How a statement finds the team of the contacts, and the version on which they are enrolled. */
interface Origin {
  /** SQL: what is selected: `own_team`, `admitted` and the columns of `q`. */
  select: string;
  /** SQL: the team of a request. */
  team: string;
  join: string;
  version: string;
  /** SQL condition: whether a campaign with this status takes enrollments. */
  enrolls: (status: string) => string;
  /** SQL: further columns of the result, from `stored`. */
  columns: string;
}

/** Each request has an API key of its own. */
const OF_KEYS: Origin = {
  select: 'q.*, k.team_id AS own_team, q.team_id IS NULL OR q.team_id = k.team_id AS admitted',
  team: 'k.team_id',
  join: 'JOIN api_keys k ON k.key_hash = q.key_hash AND key_is_live(k.revoked_at, k.expires_at)',
  version: 'p.current_version_id',
  enrolls: (status) => `${status} = 'active'`,
  columns: 'stored.own_team AS team_id, stored.admitted',
};

/**
 * The API key was checked when the import began. Contacts can also be loaded into a campaign that is not active
 * yet: they wait until it is. $2 team. If contacts are enrolled, $3 campaign and $4
 * version of the import, or null.
 */
const OF_IMPORT: Origin = {
  select: 'q.*, $2::uuid AS own_team, true AS admitted',
  team: '$2::uuid',
  join: '',
  version: 'CASE WHEN p.id = $3::uuid THEN $4::uuid ELSE p.current_version_id END AS current_version_id',
  enrolls: (status) => `${status} <> 'archived'`,
  columns: 'stored.created, stored.changed_before::text AS changed_before',
};

const FIELDS = CONTACT_FIELD_COLUMNS.join(', ');

/**
 * Locks an unchanged contact against erasure until its enrollment or stored answer is committed, so that the
 * erasure finds them. A request that has neither takes no lock.
 */
const KEEP_CONTACT = 'FOR KEY SHARE';

/**
 * Contract 4.2: stores nothing if the team already has the number, if another contact has the external id, or if
 * the properties are too large.
 */
export const CREATE_CONTACT = storing(
  'create_contact',
  'ON CONFLICT (team_id, phone_number) DO NOTHING',
  () => 'SELECT NULL::bigint AS n, NULL::uuid AS id WHERE false',
);

/**
 * Contract 4.4: sent fields replace stored ones, except an external id. Stores nothing if the contact has another
 * external id, if another contact has that of the request, or if the merged properties would be too large, and
 * larger than the stored ones.
 */
export const UPSERT_CONTACT = storing(
  'upsert_contact',
  `ON CONFLICT (team_id, phone_number) DO UPDATE SET
        ${mergeColumns(CONTACT_FIELD_COLUMNS, 'excluded', 'c')},
        custom_properties = c.custom_properties || excluded.custom_properties,
        updated_at = now()
      WHERE coalesce(c.external_id = excluded.external_id, true)
        AND (${boundedProperties('c.custom_properties || excluded.custom_properties')}
          OR octet_length((c.custom_properties || excluded.custom_properties)::text)
            <= octet_length(c.custom_properties::text))`,
  (lock) => `SELECT asked.n, c.id
      FROM asked CROSS JOIN LATERAL (${contactOf('asked.own_team', 'asked.phone_number')} ${lock}) c
      WHERE asked.admitted AND ${hasAllColumns(CONTACT_FIELD_COLUMNS, 'asked', 'c')}
        AND c.custom_properties || asked.custom_properties = c.custom_properties`,
);

/**
 * @param unchanged SQL: `n` and `id` of contacts that need no write, because they have all that was sent;
 *   `lock` locks their rows.
 */
function storing(name: string, onConflict: string, unchanged: (lock: string) => string): Storing {
  const contact = (lock: string, { select, team, join }: Origin) => `asked AS MATERIALIZED (
      SELECT ${select}, CASE WHEN q.external_id IS NOT NULL THEN (
          SELECT x.phone_number FROM contacts x WHERE x.team_id = ${team} AND x.external_id = q.external_id) END AS number_of_id
      FROM ROWS FROM (json_to_recordset($1) AS (
        key_hash bytea, team_id uuid, phone_number text, ${CONTACT_FIELD_COLUMNS.map((column) => `${column} text`).join(', ')},
        custom_properties jsonb, campaign_id uuid)) WITH ORDINALITY
        AS q (key_hash, team_id, phone_number, ${FIELDS}, custom_properties, campaign_id, n)
      ${join}
    ), unchanged AS MATERIALIZED (
      ${unchanged(lock)}
    ), contact AS (
      INSERT INTO contacts AS c (team_id, phone_number, ${FIELDS}, custom_properties)
      SELECT own_team, phone_number, ${FIELDS}, custom_properties
      FROM asked WHERE admitted AND ${boundedProperties('custom_properties')} AND n NOT IN (SELECT n FROM unchanged)
        AND coalesce(number_of_id = phone_number, true)
      ORDER BY phone_number
      ${onConflict}
      RETURNING c.id, c.team_id, c.phone_number, old.id IS NULL AS created, old.updated_at AS changed_before
    ), stored AS (
      SELECT asked.*, coalesce(contact.id, unchanged.id) AS contact_id, coalesce(contact.created, false) AS created,
        contact.changed_before
      FROM asked
      LEFT JOIN contact ON contact.team_id = asked.own_team AND contact.phone_number = asked.phone_number
      LEFT JOIN unchanged ON unchanged.n = asked.n
    )`;
  const columnsOf = (origin: Origin) => `stored.n::integer - 1 AS n, stored.contact_id, ${origin.columns}`;
  const contactOnly = (ofName: string, lock: string, origin = OF_KEYS): Statement => ({
    name: ofName,
    text: `
    WITH ${contact(lock, origin)}
    SELECT ${columnsOf(origin)}, NULL AS campaign_status, NULL AS enrollment_id, false AS may_enter_again
    FROM stored`,
  });
  const enrolling = (ofName: string, origin = OF_KEYS): Statement => ({
    name: ofName,
    text: `
    WITH ${contact(KEEP_CONTACT, origin)}, clock AS MATERIALIZED (SELECT date_trunc('milliseconds', outdial_now()) AS now), campaign AS MATERIALIZED (
      -- Each campaign is read once for all its contacts, because its definition may be long.
      SELECT of_version.*, ${FIRST_LOOK} AS look_at, ${FIRST_WAIT} AS waiting_for
      FROM clock CROSS JOIN (
        SELECT p.id, p.team_id, p.status, ${origin.version}, p.reentry
        FROM (SELECT DISTINCT asked.own_team, asked.campaign_id FROM asked) named
        CROSS JOIN LATERAL (SELECT * FROM campaigns WHERE team_id = named.own_team AND id = named.campaign_id OFFSET 0) p) of_version
      JOIN campaign_versions v ON v.id = of_version.current_version_id
    ), enrollment AS (
      INSERT INTO enrollments (team_id, campaign_id, contact_id, version_id, created_at, updated_at, look_at, waiting_for)
      SELECT campaign.team_id, campaign.id, stored.contact_id, campaign.current_version_id, clock.now, clock.now, campaign.look_at,
        campaign.waiting_for
      FROM stored JOIN campaign ON campaign.team_id = stored.own_team AND campaign.id = stored.campaign_id CROSS JOIN clock
      WHERE stored.contact_id IS NOT NULL AND ${origin.enrolls('campaign.status')}
      -- The order of most of the table's indexes.
      ORDER BY stored.contact_id
      ON CONFLICT DO NOTHING
      RETURNING id, contact_id
    )
    SELECT ${columnsOf(origin)}, campaign.status AS campaign_status, enrollment.id AS enrollment_id,
      campaign.reentry IS NOT NULL AND ${origin.enrolls('campaign.status')} AS may_enter_again
    FROM stored
    LEFT JOIN campaign ON campaign.team_id = stored.own_team AND campaign.id = stored.campaign_id
    LEFT JOIN enrollment ON enrollment.contact_id = stored.contact_id`,
  });
  return {
    contactOnly: contactOnly(name, ''),
    keyed: contactOnly(`${name}_keyed`, KEEP_CONTACT),
    enrolling: enrolling(`${name}_and_enroll`),
    imported: {
      contactOnly: contactOnly(UNNAMED, '', OF_IMPORT),
      enrolling: enrolling(UNNAMED, OF_IMPORT),
    },
  };
}

/**
 * SQL: whether properties are at most {@link MAX_JSON_BYTES} of compact JSON. Postgres writes a space after
 * each comma and colon, which makes a text at most one and a half times as long. Only texts between these two
 * sizes need the exact count.
 */
export function boundedProperties(properties: string): string {
  const text = `(${properties})::text`;
  const compact = `regexp_replace(${text}, '("(?:[^"\\\\]|\\\\.)*")|([,:]) ', '\\1\\2', 'g')`;
  return `CASE
          WHEN octet_length(${text}) <= ${MAX_JSON_BYTES} THEN true
          WHEN octet_length(${text}) > ${MAX_JSON_BYTES * 1.5} THEN false
          ELSE octet_length(${compact}) <= ${MAX_JSON_BYTES}
        END`;
}
