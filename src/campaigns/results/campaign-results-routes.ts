import { Get, Injectable, Param, Res } from '@nestjs/common';
import { type Response } from 'express';
import { Audited } from '../../audit/audited.decorator.js';
import { ExportOf, type ExportRequest, sendExport } from '../../http/export.js';
import { ReadScope } from '../../teams/key-scope.decorator.js';
import { TeamOfRoute } from '../../teams/team-controller.decorator.js';
import { RESULT_COLUMNS } from './campaign-result.dto.js';
import { CampaignResultsService } from './campaign-results.service.js';
import { RESULT_FILTERS, type ResultFilter } from './result-filters.js';

/** The results of a campaign, which the operator and a team's key have alike. */
@Injectable()
export abstract class CampaignResultsRoutes {
  constructor(private readonly campaignResults: CampaignResultsService) {}

  @Get(':id/results')
  @Audited('campaign.results_exported', 'id')
  @ReadScope('enrollments')
  async results(
    @TeamOfRoute() teamId: string,
    @Param('id') id: string,
    @ExportOf(RESULT_FILTERS) { format, bom, ...sent }: ExportRequest<ResultFilter>,
    @Res() response: Response,
  ): Promise<void> {
    const { chosen, page } = await this.campaignResults.of(teamId, id, sent);
    await sendExport(response, { format, bom, name: 'results', columns: RESULT_COLUMNS, chosen }, page);
  }
}
