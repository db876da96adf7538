import { Get, Param, Post } from '@nestjs/common';
import { ResumeService } from '../../restore/resume.service.js';
import { TeamsService } from '../../teams/teams.service.js';
import { PlatformService } from '../../platform/platform.service.js';
import { StopsService } from '../../platform/stops/stops.service.js';
import { RequestedPage, Done, Form, type PageRequest, type RefusedPage } from '../frame/form.js';
import { type PageElement } from '../../http/html-page.js';
import { GettingStartedService } from '../getting-started/getting-started.service.js';
import { OverviewService } from './overview.service.js';
import { PlatformPages, TeamPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';

type Sent = ReadonlyMap<string, string>;

/** The first page of a team, with its pauses and stops. */
@TeamPages('')
export class TeamOverviewController {
  constructor(
    private readonly overviews: OverviewService,
    private readonly gettingStarted: GettingStartedService,
    private readonly teams: TeamsService,
    private readonly stops: StopsService,
  ) {}

  /** Without calls, there are the steps to the first one instead of empty figures. */
  @Get()
  @Needs('read')
  async overview(
    @Param('teamId') teamId: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement | RefusedPage> {
    if (!(await this.gettingStarted.hasCalls(teamId))) return this.gettingStarted.page(request, teamId);
    return this.overviews.page(request, await this.gettingStarted.waits(teamId));
  }

  @Post('stop')
  @Needs('team.stop')
  async stop(@Param('teamId') teamId: string, @Form() form: Sent): Promise<Done> {
    const { remaining } = await this.stops.stopTeam(teamId);
    return new Done(form, remaining > 0 ? 'stoppedsome' : 'stopped');
  }

  @Post('pause')
  @Needs('team.stop')
  async pause(@Param('teamId') teamId: string, @Form() form: Sent): Promise<Done> {
    await this.teams.setPaused(teamId, true);
    return new Done(form, 'paused');
  }

  @Post('resume')
  @Needs('team.stop')
  async resume(@Param('teamId') teamId: string, @Form() form: Sent): Promise<Done> {
    await this.teams.setPaused(teamId, false);
    return new Done(form, 'resumed');
  }
}

/** The first page of the platform, with its pauses and stops. */
@PlatformPages('')
export class PlatformOverviewController {
  constructor(
    private readonly overviews: OverviewService,
    private readonly platform: PlatformService,
    private readonly resumes: ResumeService,
    private readonly stops: StopsService,
  ) {}

  @Get()
  @Needs('platform.read')
  overview(@RequestedPage() request: PageRequest): Promise<PageElement | RefusedPage> {
    return this.overviews.page(request);
  }

  @Post('pause')
  @Needs('platform.change')
  async pause(@Form() form: Sent): Promise<Done> {
    await this.platform.pause();
    return new Done(form, 'paused');
  }

  @Post('resume')
  @Needs('platform.change')
  async resume(@Form() form: Sent): Promise<Done> {
    await this.resumes.resume(false);
    return new Done(form, 'resumed');
  }

  @Post('stop')
  @Needs('platform.change')
  async stop(@Form() form: Sent): Promise<Done> {
    const { remaining } = await this.stops.stopPlatform();
    return new Done(form, remaining > 0 ? 'stoppedsome' : 'stopped');
  }
}
