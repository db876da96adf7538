import { Get, Param, Post, Res } from '@nestjs/common';
import { type Response } from 'express';
import { AppError } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { ForecastPageService } from './forecast-page.service.js';
import { RequestedPage, Form, pageAround, type PageRequest } from '../frame/form.js';
import { TeamPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';

@TeamPages('campaigns/:campaignId/versions/:versionId/forecast')
export class ForecastPagesController {
  constructor(private readonly forecasts: ForecastPageService) {}

  @Get()
  @Needs('read')
  form(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('versionId') versionId: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement> {
    return this.forecasts.form(request, { teamId, campaignId, versionId });
  }

  @Post()
  @Needs('read')
  async play(
    @Param('teamId') teamId: string,
    @Param('campaignId') campaignId: string,
    @Param('versionId') versionId: string,
    @Form() form: ReadonlyMap<string, string>,
    @RequestedPage() request: PageRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PageElement> {
    const gone = new AbortController();
    response.once('close', () => gone.abort(new AppError('SERVICE_UNAVAILABLE', 'The client has left')));
    // While the forecast runs, no byte is sent. The server's timeout for silent connections is shorter.
    response.setTimeout(this.forecasts.limitMs);
    const ids = { teamId, campaignId, versionId };
    const { status, page } = await this.forecasts.play(pageAround(form, request), ids, form, gone.signal);
    response.status(status);
    return page;
  }
}
