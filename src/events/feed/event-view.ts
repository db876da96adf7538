import { listedViewOf } from '../../calls/records/calls.service.js';
import { type ListedCallRow } from '../../calls/records/read.sql.js';
import { enrollmentViewOf } from '../../campaigns/enrollment/enroll.service.js';
import { type EnrollmentRow } from '../../campaigns/enrollment/enroll.sql.js';
import {
  type CampaignRow,
  type CampaignView,
  campaignViewOf,
} from '../../campaigns/records/team-campaigns.service.js';
import { type ContactView, contactViewOf } from '../../contacts/contacts.service.js';
import { type ContactRow } from '../../contacts/sql/read.sql.js';
import { type EventResource, type EventType, resourceOf } from '../event-types.js';
import { type EventRow, type NumberedEventRow } from './event.sql.js';

/** An event as its readers get it. */
export interface EventView {
  id: string;
  type: EventType;
  /** When the event was written; ISO 8601 in UTC. */
  timestamp: string;
  teamId: string;
  sequence: number;
  /** The resource in the form of its list, as it was when the event was written. */
  data: unknown;
}

/**
 * The contact of a number that was added to the Do Not Call list. If the team has no contact of the number,
 * only `phoneNumber` and `reason` can be set.
 */
export type OptedOutContact = { [Field in keyof ContactView]: ContactView[Field] | null } & {
  phoneNumber: string;
  reason: string | null;
};

/** A row as `jsonb` keeps it. */
type Stored<Row> = {
  [Column in keyof Row]: Row[Column] extends Date
    ? string
    : Row[Column] extends Date | null
      ? string | null
      : Row[Column];
};

/** @param row as {@link eventColumns} selects it, with its number. */
export function eventViewOf(row: NumberedEventRow): EventView {
  return {
    id: row.id,
    type: row.type,
    timestamp: row.at.toISOString(),
    teamId: row.team_id,
    sequence: Number(row.sequence),
    data: DATA[resourceOf(row.type)](row),
  };
}

const DATA: Record<EventResource, (row: EventRow) => unknown> = {
  call: callOf,
  enrollment: enrollmentOf,
  contact: contactOf,
  campaign: campaignOf,
  import: ({ data }) => data,
};

type ReadOfCall = 'first_message' | 'result' | 'external_id' | 'campaign_id';
type ReadOfEnrollment = 'source' | 'external_id' | 'enrolled';

function callOf({ data, first_message, result, external_id, campaign_id }: EventRow): unknown {
  const call = data as unknown as Stored<Omit<ListedCallRow, ReadOfCall>>;
  return listedViewOf({
    ...call,
    accepted_at: new Date(call.accepted_at),
    runs_at: new Date(call.runs_at),
    expires_at: new Date(call.expires_at),
    answered_at: instantOf(call.answered_at),
    ended_at: instantOf(call.ended_at),
    first_message,
    result,
    external_id,
    campaign_id,
  });
}

function enrollmentOf({ data, source, external_id }: EventRow): unknown {
  const enrollment = data as unknown as Omit<EnrollmentRow, ReadOfEnrollment>;
  return enrollmentViewOf({ ...enrollment, source, external_id });
}

function contactOf({ data }: EventRow): OptedOutContact {
  const { reason, ...contact } = data as unknown as ContactRow & { reason: string | null };
  return { ...contactViewOf(contact), reason };
}

/** The columns of a campaign, as its table names them. */
interface StoredCampaign {
  id: string;
  name: string;
  status: CampaignRow['status'];
  current_version_id: string;
  draft_version_id: string | null;
  pacing: CampaignRow['pacing'];
  reentry: CampaignRow['reentry'];
  /** Absent in events of an older version. */
  purpose?: CampaignRow['purpose'];
  created_at: string;
  /** Only in the event of a stalled campaign. */
  rule?: string | null;
}

/** A campaign in its events. */
export type CampaignOfEvent = CampaignView & {
  /** What most of the enrollments of a stalled campaign wait for; absent in other events. */
  rule?: string;
};

function campaignOf({ data, team_id: teamId }: EventRow): CampaignOfEvent {
  const { id, name, status, pacing, reentry, purpose, rule, ...stored } = data as unknown as StoredCampaign;
  const view = campaignViewOf({
    id,
    teamId,
    name,
    status,
    pacing,
    reentry,
    purpose: purpose ?? null,
    currentVersionId: stored.current_version_id,
    draftVersionId: stored.draft_version_id,
    createdAt: new Date(stored.created_at),
  });
  return typeof rule === 'string' ? { ...view, rule } : view;
}

function instantOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
