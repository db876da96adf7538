import { Get, Param, Post } from '@nestjs/common';
import { ResumeService } from '../../restore/resume.service.js';
import { TeamsService } from '../../teams/teams.service.js';
import { PlatformService } from '../platform.service.js';
import { StopsService } from '../stops/stops.service.js';
import { RequestedPage, Done, Form, type PageRequest, type RefusedPage } from './form.js';
import { type PageElement } from '../../http/html-page.js';
import { OverviewService } from './overview.service.js';
import { OperationsPage } from './operations-page.decorator.js';

type Sent = ReadonlyMap<string, string>;

@OperationsPage()
export class OverviewController {
  constructor(
    private readonly overviews: OverviewService,
    private readonly platform: PlatformService,
    private readonly resumes: ResumeService,
    private readonly teams: TeamsService,
    private readonly stops: StopsService,
  ) {}

  @Get()
  overview(@RequestedPage() request: PageRequest): Promise<PageElement | RefusedPage> {
    return this.overviews.page(request);
  }

  @Post('pause')
  async pause(@Form() form: Sent): Promise<Done> {
    await this.platform.pause();
    return new Done(form, 'paused');
  }

  @Post('resume')
  async resume(@Form() form: Sent): Promise<Done> {
    await this.resumes.resume(false);
    return new Done(form, 'resumed');
  }

  @Post('stop')
  async stop(@Form() form: Sent): Promise<Done> {
    const { remaining } = await this.stops.stopPlatform();
    return new Done(form, remaining > 0 ? 'stoppedsome' : 'stopped');
  }

  @Post('teams/:teamId/stop')
  async stopTeam(@Param('teamId') teamId: string, @Form() form: Sent): Promise<Done> {
    const { remaining } = await this.stops.stopTeam(teamId);
    return new Done(form, remaining > 0 ? 'stoppedsome' : 'stopped');
  }

  @Post('teams/:teamId/pause')
  async pauseTeam(@Param('teamId') teamId: string, @Form() form: Sent): Promise<Done> {
    await this.teams.setPaused(teamId, true);
    return new Done(form, 'paused');
  }

  @Post('teams/:teamId/resume')
  async resumeTeam(@Param('teamId') teamId: string, @Form() form: Sent): Promise<Done> {
    await this.teams.setPaused(teamId, false);
    return new Done(form, 'resumed');
  }
}
