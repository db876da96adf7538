import { Get, HttpCode, Post } from '@nestjs/common';
import { type PageElement } from '../../http/html-page.js';
import { Done, Form, type PageRequest, RequestedPage, RefusedPage } from '../frame/form.js';
import { PlatformPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';
import { HealthPageService } from './health-page.service.js';
import { PlatformCarriersService } from './platform-carriers.service.js';
import { QueuesPageService } from './queues-page.service.js';
import { TeamsPageService } from './teams-page.service.js';
import { NEW_TEAM_FIELDS, type TypedTeam } from './teams.view.js';

type Sent = ReadonlyMap<string, string>;

@PlatformPages('')
export class PlatformPagesController {
  constructor(
    private readonly teams: TeamsPageService,
    private readonly carriers: PlatformCarriersService,
    private readonly health: HealthPageService,
    private readonly queues: QueuesPageService,
  ) {}

  @Get('teams')
  @Needs('platform.read')
  listTeams(@RequestedPage() request: PageRequest): Promise<PageElement> {
    return this.teams.page(request);
  }

  @Post('teams')
  @Needs('teams')
  async createTeam(@RequestedPage() request: PageRequest, @Form() form: Sent): Promise<Done | RefusedPage> {
    const typed = Object.fromEntries(
      NEW_TEAM_FIELDS.map(([name]) => [name, form.get(name) ?? '']),
    ) as TypedTeam;
    const result = await this.teams.create(request, typed);
    return result instanceof RefusedPage ? result : new Done(form, 'teamcreated', `/t/${result}`);
  }

  @Get('carriers')
  @Needs('platform.read')
  listCarriers(@RequestedPage() request: PageRequest): Promise<PageElement> {
    return this.carriers.page(request);
  }

  /** A form and no link, because the carrier is asked. */
  @Post('carriers/check')
  @HttpCode(200)
  @Needs('platform.read')
  checkCarrier(@RequestedPage() request: PageRequest, @Form() form: Sent): Promise<PageElement> {
    return this.carriers.check({ ...request, self: '/platform/carriers' }, form.get('carrier') ?? '');
  }

  @Get('health')
  @Needs('platform.read')
  showHealth(@RequestedPage() request: PageRequest): Promise<PageElement> {
    return this.health.page(request);
  }

  @Get('queues')
  @Needs('platform.read')
  showQueues(@RequestedPage() request: PageRequest): Promise<PageElement> {
    return this.queues.page(request);
  }
}
