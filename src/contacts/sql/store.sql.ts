import { type CampaignStatus } from '../../campaigns/campaign.entity.js';
import { type Statement } from '../../database/transactions.js';
import { CALLER, type CallerRow } from '../../teams/keyed-request.js';

/** Bound on a contact's custom properties as JSON text, in bytes: requests are bounded, what they add up to is not. */
export const MAX_CUSTOM_PROPERTIES_BYTES = 1024 * 1024;

/** What became of a request to store a contact, and of the enrollment beside it. */
export interface StoredContactRow extends CallerRow {
  team_id: string;
  /** null: nothing was stored. */
  contact_id: string | null;
  /** null: the team has no such campaign, or none was asked for. */
  campaign_status: CampaignStatus | null;
  /** null: not enrolled by this statement. */
  enrollment_id: string | null;
}

/** One way to store a contact. They are two, so that storing one alone never waits for anything of campaigns. */
export interface Storing {
  alone: Statement;
  enrolling: Statement;
}

/*
 * Each statement does all of a request in one round trip and one commit: it judges the key and stores the contact;
 * `enrolling` also enrolls it on the current version of the campaign, if that is active.
 *
 * $1 SHA-256 of the API key, $2 `teamId`, $3 number, $4–$8 name, e-mail, company name, company website, time zone,
 * $9 custom properties, for `enrolling` $10 `campaignId`; null is what was not sent.
 */

/** Contract 4.2: stores nothing where the team has the number already, or where the properties are too large. */
export const CREATE_CONTACT = storing('create_contact', 'ON CONFLICT (team_id, phone_number) DO NOTHING');

/** Contract 4.4: what was sent overwrites; stores nothing where the merged properties would be too large. */
export const UPSERT_CONTACT = storing(
  'upsert_contact',
  `ON CONFLICT (team_id, phone_number) DO UPDATE SET
        name = coalesce(excluded.name, c.name),
        email = coalesce(excluded.email, c.email),
        company_name = coalesce(excluded.company_name, c.company_name),
        company_website = coalesce(excluded.company_website, c.company_website),
        timezone = coalesce(excluded.timezone, c.timezone),
        custom_properties = c.custom_properties || excluded.custom_properties,
        updated_at = now()
      WHERE ${bounded('c.custom_properties || excluded.custom_properties')}`,
);

function storing(name: string, onConflict: string): Storing {
  const contact = `contact AS (
      INSERT INTO contacts AS c (
        team_id, phone_number, name, email, company_name, company_website, timezone, custom_properties)
      SELECT team_id, $3, $4, $5, $6, $7, $8, $9
      FROM caller WHERE admitted AND ${bounded('$9::jsonb')}
      ${onConflict}
      RETURNING c.id
    )`;
  return {
    alone: {
      name,
      text: `
    WITH ${CALLER}, ${contact}
    SELECT caller.team_id, caller.admitted, contact.id AS contact_id,
      NULL AS campaign_status, NULL AS enrollment_id
    FROM caller LEFT JOIN contact ON true`,
    },
    enrolling: {
      name: `${name}_and_enroll`,
      text: `
    WITH ${CALLER}, ${contact}, campaign AS (
      SELECT p.id, p.status, p.current_version_id
      FROM campaigns p JOIN caller ON p.team_id = caller.team_id
      WHERE p.id = $10
    ), enrollment AS (
      INSERT INTO enrollments (team_id, campaign_id, contact_id, version_id)
      SELECT caller.team_id, campaign.id, contact.id, campaign.current_version_id
      FROM caller, contact, campaign WHERE campaign.status = 'active'
      ON CONFLICT (campaign_id, contact_id) DO NOTHING
      RETURNING id
    )
    SELECT caller.team_id, caller.admitted, contact.id AS contact_id,
      campaign.status AS campaign_status, enrollment.id AS enrollment_id
    FROM caller LEFT JOIN contact ON true LEFT JOIN campaign ON true LEFT JOIN enrollment ON true`,
    },
  };
}

function bounded(properties: string): string {
  return `octet_length((${properties})::text) <= ${MAX_CUSTOM_PROPERTIES_BYTES}`;
}
