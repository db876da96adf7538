import { type CampaignPacing } from '../../domain/campaigns/definition/parse-settings.js';
import { PURPOSES } from '../../domain/compliance/pack.js';
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
import { documented, type OperationsOf, pageOfItems } from '../../http/openapi/operation.js';
import {
  type CampaignReentryResource,
  type CampaignResource,
  type ChangedCampaignResource,
  CreateCampaign,
  UpdateCampaign,
} from './campaign.dto.js';
import { CAMPAIGN_STATUSES } from '../definition/campaign.entity.js';
import { type CampaignRoutes } from './campaign-routes.js';
import { CampaignsAdminController } from './campaigns-admin.controller.js';
import { type CampaignStatsResource, type VersionStats } from './campaign-stats.dto.js';
import { PUBLICATION_WARNING } from '../definition/publication-warnings.schema.js';
import { PACING_PROPERTIES, REENTRY_PROPERTIES } from '../definition/settings.schema.js';

const PURPOSE =
  'What the calls of the campaign are for. Null: what the agent says, or else the `compliance` of the team.';

describeBody([CreateCampaign, UpdateCampaign], {
  name: { description: 'The display name of the campaign.', examples: ['Renewals'] },
  status:
    'Contacts can be enrolled and are called only while the campaign is `active`. An import can also load a campaign that is a ' +
    '`draft` or `paused`. A new campaign can have any status, by default `draft`. When a campaign becomes `archived`, its live ' +
    'enrollments end.',
  pacing: {
    description:
      'How fast the campaign places calls. The setting applies to all versions. A change keeps the fields that it does not contain. ' +
      'Null is no limits and the weight 1. A new campaign whose request has no `callsPerMinute` starts 60 calls a minute.',
    examples: [{ maxConcurrentCalls: 10, callsPerMinute: 60, weight: 1 }],
  },
  reentry: {
    description:
      'Whether a contact can be enrolled again after its enrollment has ended. The setting is replaced as a whole. ' +
      'Null restores the default: a contact can be enrolled once.',
    examples: [{ maxEntries: 2, minInterval: 'P30D' }],
  },
  purpose: PURPOSE,
});

export const CAMPAIGN_PROPERTIES = {
  id: UUID_SCHEMA,
  name: TEXT_SCHEMA,
  status: oneOf(CAMPAIGN_STATUSES),
  currentVersionId: described(UUID_SCHEMA, 'The version on which contacts are enrolled by default.'),
  draftVersionId: described(nullable(UUID_SCHEMA), 'The draft of the campaign. Null if there is none.'),
  pacing: objectOf<CampaignPacing>('CampaignPacing', PACING_PROPERTIES),
  reentry: objectOf<CampaignReentryResource>('CampaignReentry', REENTRY_PROPERTIES),
  purpose: described(nullable(oneOf(PURPOSES)), PURPOSE),
  createdAt: INSTANT_SCHEMA,
};

const CAMPAIGN = objectOf<CampaignResource>('CampaignResource', CAMPAIGN_PROPERTIES);

const CHANGED_CAMPAIGN = objectOf<ChangedCampaignResource>(
  'ChangedCampaignResource',
  {
    ...CAMPAIGN_PROPERTIES,
    warnings: described(
      listOf(PUBLICATION_WARNING),
      'Why the campaign places no calls for contacts that are enrolled on its current version. Absent unless the request sent the ' +
        'status `active`.',
    ),
  },
  { optional: ['warnings'] },
);

const STATS_PROPERTIES = {
  enrolled: described(COUNT_SCHEMA, 'The number of enrollments in any status.'),
  live: described(COUNT_SCHEMA, 'The number of enrollments that are active or paused.'),
  attempted: described(
    COUNT_SCHEMA,
    'The number of enrollments with at least one call that is active, was dialed or was perhaps dialed.',
  ),
  reached: described(COUNT_SCHEMA, 'The number of enrollments with at least one completed call.'),
  goals: described(COUNT_SCHEMA, 'The number of enrollments whose `endReason` is `goal`.'),
  ended: described(COUNTS_SCHEMA, 'The number of ended enrollments for each `endReason`.'),
  waitingFor: described(
    COUNTS_SCHEMA,
    'The number of live enrollments for each `waitingFor`. Enrollments whose `waitingFor` is null are left out.',
  ),
  attempts: described(
    COUNTS_SCHEMA,
    'The number of calls for each outcome. Calls in progress and calls that were certainly not dialed are left out.',
  ),
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
    'The same counts for each version that has enrollments, the oldest version first.',
  ),
});

/** The operations that the operator and a team's key have alike. */
export const CAMPAIGN_OPERATIONS: OperationsOf<CampaignRoutes> = {
  create: {
    id: 'createCampaign',
    summary: 'Create a campaign with an empty current version',
    success: { description: 'The campaign.', schema: CHANGED_CAMPAIGN },
  },
  update: {
    id: 'updateCampaign',
    summary: 'Change a campaign; fields that are not sent stay unchanged',
    success: { description: 'The campaign.', schema: CHANGED_CAMPAIGN },
  },
  archive: {
    id: 'archiveCampaign',
    summary: 'Archive a campaign: it stops dialing, and its live enrollments end',
    description:
      'After the answer, the campaign starts no further call. The worker ends the live enrollments in batches. They get the status ' +
      '`exited` and the `endReason` `archived`.',
    success: { description: 'The campaign.', schema: CAMPAIGN },
  },
  showStats: {
    id: 'getCampaignStats',
    summary: 'Count the enrollments and calls of a campaign',
    success: { description: 'The counts at one instant.', schema: STATS },
  },
};

export const CAMPAIGNS_ADMIN_OPENAPI = documented(
  CampaignsAdminController,
  { surface: 'operator', tag: 'Operator: campaigns' },
  {
    list: {
      id: 'listCampaigns',
      summary: 'List a team’s campaigns',
      success: { description: 'A page of campaigns.', schema: pageOfItems(CAMPAIGN, 'CampaignResourcePage') },
    },
    get: {
      id: 'getCampaign',
      summary: 'Read a campaign',
      success: { description: 'The campaign.', schema: CAMPAIGN },
    },
    ...CAMPAIGN_OPERATIONS,
  },
);
