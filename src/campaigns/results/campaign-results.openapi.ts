import { BOM_PARAMETER, FORMAT_PARAMETER } from '../../http/export.js';
import { filterParameters } from '../../http/filters.js';
import { errorDoc } from '../../http/openapi/errors.js';
import { exportResponse } from '../../http/openapi/export.js';
import { byKey, documented, type OperationsOf } from '../../http/openapi/operation.js';
import { RESULT_SCHEMA } from './campaign-result.dto.js';
import { CampaignResultsAdminController } from './campaign-results-admin.controller.js';
import { CampaignResultsController } from './campaign-results.controller.js';
import { type CampaignResultsRoutes } from './campaign-results-routes.js';
import { RESULT_FILTERS } from './result-filters.js';

const OPERATIONS: OperationsOf<CampaignResultsRoutes> = {
  results: {
    id: 'getCampaignResults',
    summary: 'Read what has come of each enrollment of a campaign, as one file',
    description:
      'NDJSON has one enrollment on each line. CSV has a header, then one enrollment on each line; an apostrophe precedes a text that a ' +
      'spreadsheet would run as a formula. The enrollments are in the order of their contacts. The answer is streamed page by page, so it ' +
      'has no `Content-Length`, and each page is as of its own instant. To read only what has changed, send the instant of the last ' +
      'request, less a minute, as `updatedFrom`.',
    query: { ...filterParameters(RESULT_FILTERS), format: FORMAT_PARAMETER, bom: BOM_PARAMETER },
    status: 200,
    success: exportResponse(RESULT_SCHEMA),
    refusals: { 400: errorDoc('A parameter is malformed.', 'format must be one of csv, ndjson') },
  },
};

export const TEAM_CAMPAIGN_RESULTS_OPENAPI = documented(
  CampaignResultsController,
  { surface: 'team', tag: 'Campaigns' },
  byKey(OPERATIONS),
);

export const CAMPAIGN_RESULTS_OPENAPI = documented(
  CampaignResultsAdminController,
  { surface: 'operator', tag: 'Operator: campaigns' },
  OPERATIONS,
);
