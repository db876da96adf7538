import { Get, Param, Post, Redirect } from '@nestjs/common';
import { TeamsService } from '../../teams/teams.service.js';
import { PlatformService } from '../platform.service.js';
import { Asked, backOf, Form, type PageRequest } from './form.js';
import { type PageElement } from './render.js';
import { OverviewService } from './overview.service.js';
import { StaffPage } from './staff-page.decorator.js';

type Sent = ReadonlyMap<string, string>;
type Redirection = { url: string };

@StaffPage()
export class OverviewController {
  constructor(
    private readonly overviews: OverviewService,
    private readonly platform: PlatformService,
    private readonly teams: TeamsService,
  ) {}

  @Get()
  overview(@Asked() request: PageRequest): Promise<PageElement> {
    return this.overviews.page(request);
  }

  @Post('pause')
  @Redirect('', 303)
  async pause(@Form() form: Sent): Promise<Redirection> {
    await this.platform.setPaused(true);
    return { url: backOf(form, 'paused') };
  }

  @Post('resume')
  @Redirect('', 303)
  async resume(@Form() form: Sent): Promise<Redirection> {
    await this.platform.setPaused(false);
    return { url: backOf(form, 'resumed') };
  }

  @Post('teams/:teamId/pause')
  @Redirect('', 303)
  async pauseTeam(@Param('teamId') teamId: string, @Form() form: Sent): Promise<Redirection> {
    await this.teams.setPaused(teamId, true);
    return { url: backOf(form, 'paused') };
  }

  @Post('teams/:teamId/resume')
  @Redirect('', 303)
  async resumeTeam(@Param('teamId') teamId: string, @Form() form: Sent): Promise<Redirection> {
    await this.teams.setPaused(teamId, false);
    return { url: backOf(form, 'resumed') };
  }
}
