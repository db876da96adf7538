import { described, objectOf, UUID_SCHEMA } from '../../http/json-schema.js';
import { byKey, documented, pageOfItems } from '../../http/openapi/operation.js';
import { CampaignsController } from './campaigns.controller.js';
import { CAMPAIGN_OPERATIONS, CAMPAIGN_PROPERTIES, STATS } from '../admin/campaigns.openapi.js';
import { type CampaignDetail, type CampaignView } from './team-campaigns.service.js';

export const CAMPAIGN_VIEW_PROPERTIES = {
  ...CAMPAIGN_PROPERTIES,
  campaignId: described(UUID_SCHEMA, 'The same as `id`.'),
};

/** A campaign in its team's list. */
export const CAMPAIGN_SCHEMA = objectOf<CampaignView>('Campaign', CAMPAIGN_VIEW_PROPERTIES);

const CAMPAIGN_PAGE = pageOfItems(CAMPAIGN_SCHEMA, 'CampaignPage');

export const TEAM_CAMPAIGNS_OPENAPI = documented(
  CampaignsController,
  { surface: 'team', tag: 'Campaigns' },
  {
    list: {
      id: 'listCampaignsByKey',
      summary: 'List the team’s campaigns, the newest first',
      success: { description: 'A page of campaigns.', schema: CAMPAIGN_PAGE },
    },
    get: {
      id: 'getCampaignByKey',
      summary: 'Read a campaign with the counts of its enrollments',
      success: {
        description: 'The campaign.',
        schema: objectOf<CampaignDetail>('CampaignDetail', {
          ...CAMPAIGN_VIEW_PROPERTIES,
          stats: STATS,
        }),
      },
    },
    ...byKey(CAMPAIGN_OPERATIONS),
  },
);
