import { type CampaignPacing } from '../../domain/campaigns/definition/parse-settings.js';
import { describeBody } from '../../http/body-schema.js';
import {
  COUNT_SCHEMA,
  COUNTS_SCHEMA,
  described,
  INSTANT_SCHEMA,
  listOf,
  nullable,
  objectOf,
  oneOf,
  ORDINAL_SCHEMA,
  TEXT_SCHEMA,
  UUID_SCHEMA,
} from '../../http/json-schema.js';
import { documented, pageOfItems } from '../../http/openapi/operation.js';
import {
  type CampaignReentryResource,
  type CampaignResource,
  CreateCampaign,
  UpdateCampaign,
} from './campaign.dto.js';
import { CAMPAIGN_STATUSES } from './campaign.entity.js';
import { CampaignsAdminController } from './campaigns-admin.controller.js';
import { type CampaignStatsResource, type VersionStats } from './campaign-stats.dto.js';
import { PACING_PROPERTIES, REENTRY_PROPERTIES } from './settings.schema.js';

describeBody([CreateCampaign, UpdateCampaign], {
  name: { description: 'Display name.', examples: ['Renewals'] },
  status:
    'Contacts can be enrolled, and are called, while it is `active`; a campaign may begin in any status. ' +
    'The live enrollments of an archived one end.',
  pacing: {
    description: 'How fast the campaign dials, on all its versions; null is no limit and weight 1.',
    examples: [{ maxConcurrentCalls: 10, callsPerMinute: 60, weight: 1 }],
  },
  reentry: {
    description: 'How often a contact may be enrolled again after the end of its enrollment; null is never.',
    examples: [{ maxEntries: 2, minInterval: 'P30D' }],
  },
});

export const CAMPAIGN_PROPERTIES = {
  id: UUID_SCHEMA,
  name: TEXT_SCHEMA,
  status: oneOf(CAMPAIGN_STATUSES),
  currentVersionId: described(UUID_SCHEMA, 'The version that contacts are enrolled against by default.'),
  draftVersionId: nullable(UUID_SCHEMA),
  pacing: objectOf<CampaignPacing>('CampaignPacing', PACING_PROPERTIES),
  reentry: objectOf<CampaignReentryResource>('CampaignReentry', REENTRY_PROPERTIES),
  createdAt: INSTANT_SCHEMA,
};

const CAMPAIGN = objectOf<CampaignResource>('CampaignResource', CAMPAIGN_PROPERTIES);

const STATS_PROPERTIES = {
  enrolled: described(COUNT_SCHEMA, 'Enrollments in any state.'),
  live: described(COUNT_SCHEMA, 'Enrollments that are active or paused.'),
  attempted: described(COUNT_SCHEMA, 'Enrollments that were dialed at least once.'),
  reached: described(COUNT_SCHEMA, 'Enrollments with a completed call.'),
  goals: described(COUNT_SCHEMA, 'Enrollments that ended by a goal.'),
  ended: described(COUNTS_SCHEMA, 'Ended enrollments by `endReason`.'),
  waitingFor: described(COUNTS_SCHEMA, 'Live enrollments by `waitingFor`.'),
  attempts: described(COUNTS_SCHEMA, 'Processed dials by outcome, without active calls.'),
};

export const STATS = objectOf<CampaignStatsResource>('CampaignStats', {
  ...STATS_PROPERTIES,
  byVersion: described(
    listOf(
      objectOf<VersionStats>('CampaignVersionStats', {
        versionId: UUID_SCHEMA,
        number: ORDINAL_SCHEMA,
        ...STATS_PROPERTIES,
      }),
    ),
    'The same for each version that has enrollments, oldest first.',
  ),
});

export const CAMPAIGNS_ADMIN_OPENAPI = documented(
  CampaignsAdminController,
  { surface: 'operator', tag: 'Operator: campaigns' },
  {
    list: {
      id: 'listCampaigns',
      summary: 'List a team’s campaigns',
      success: { description: 'A page of campaigns.', schema: pageOfItems(CAMPAIGN, 'CampaignResourcePage') },
    },
    create: {
      id: 'createCampaign',
      summary: 'Create a campaign, with an empty version that is current',
      success: { description: 'The campaign.', schema: CAMPAIGN },
    },
    get: {
      id: 'getCampaign',
      summary: 'Read a campaign',
      success: { description: 'The campaign.', schema: CAMPAIGN },
    },
    update: {
      id: 'updateCampaign',
      summary: 'Change a campaign; fields that are not sent stay unchanged',
      success: { description: 'The campaign.', schema: CAMPAIGN },
    },
    archive: {
      id: 'archiveCampaign',
      summary: 'Archive a campaign: it stops dialing, and its live enrollments end',
      description:
        'After the answer no call is claimed. The worker ends the enrollments in batches: `exited`, `archived`.',
      success: { description: 'The campaign.', schema: CAMPAIGN },
    },
    showStats: {
      id: 'getCampaignStats',
      summary: 'Count the enrollments and dials of a campaign',
      success: { description: 'The counts at one instant.', schema: STATS },
    },
  },
);
