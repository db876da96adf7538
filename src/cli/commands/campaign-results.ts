import { type CampaignResult, RESULT_COLUMNS } from '../../campaigns/results/campaign-result.dto.js';
import {
  CampaignResultsService,
  type ResultFilter,
} from '../../campaigns/results/campaign-results.service.js';
import { type Command } from '../command.js';
import { EXPORT_OPTIONS, writeExport } from '../export-command.js';
import { fieldOptions } from '../field-options.js';
import { noteExport } from '../note-export.js';

const SHOWN = { thing: 'enrollment', things: 'enrollments', columns: RESULT_COLUMNS };

export const CAMPAIGN_RESULTS_COMMAND: Command = {
  name: 'campaign results',
  summary: 'Export what has come of each enrollment of a campaign to a new file',
  args: ['campaign', 'file'],
  team: true,
  filters: fieldOptions('getCampaignResults', { without: ['teamId', 'id', 'format', 'bom'] }),
  options: EXPORT_OPTIONS,
  run: (call) =>
    writeExport<CampaignResult>(call, SHOWN, async () => {
      const campaignId = await call.campaignNamed(call.arg('campaign'));
      const page = call.page<ResultFilter>();
      if (call.api !== undefined)
        return { address: `/api/campaigns/${campaignId}/results`, query: page.filters };
      await noteExport(call, 'getCampaignResults', { id: campaignId });
      return call.service(CampaignResultsService).of(call.teamId, campaignId, page);
    }),
};
