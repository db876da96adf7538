import { Get, Req, Res } from '@nestjs/common';
import { type Response } from 'express';
import { traceOf } from '../../telemetry/request-trace.js';
import { type DashboardRequest } from '../frame/form.js';
import { PageAccess } from '../frame/page-access.service.js';
import { Needs } from '../frame/page-need.js';
import { TeamAndPlatformPages } from '../frame/page.decorator.js';
import { LivePages } from './live-pages.service.js';

/** Server-sent events, which tell the overview of a team or of the platform when it is out of date. */
@TeamAndPlatformPages('live')
export class LiveController {
  constructor(
    private readonly live: LivePages,
    private readonly access: PageAccess,
  ) {}

  /** @throws AppError as `LivePages.add`. */
  @Get()
  @Needs('read')
  watch(@Req() request: DashboardRequest, @Res() response: Response): void {
    const { teamId } = request.params;
    const token = request.viewer === null ? undefined : this.access.tokenOf(request, request.viewer);
    if (token === undefined || request.method !== 'GET') {
      response.end();
      return;
    }
    this.live.add({ teamId: typeof teamId === 'string' ? teamId : null, token }, response);
    // How long the page is open is no time of an answer.
    traceOf(request).answeredAt = performance.now();
  }
}
