import { Get, HttpCode, Param, Post, Redirect } from '@nestjs/common';
import { type PageElement } from '../../http/html-page.js';
import { Done, Form, type PageRequest, RequestedPage, type RefusedPage } from '../frame/form.js';
import { TeamPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';
import { Sent, type SentFields } from '../frame/sent-fields.js';
import { TeamCarriersPageService } from './team-carriers-page.service.js';
import { TeamSettingsPageService } from './team-settings-page.service.js';

@TeamPages('settings')
export class SettingsPagesController {
  constructor(
    private readonly settings: TeamSettingsPageService,
    private readonly carriers: TeamCarriersPageService,
  ) {}

  @Get()
  @Needs('read')
  @Redirect()
  beginning(@Param('teamId') teamId: string): { url: string; statusCode: number } {
    return { url: `/t/${teamId}/settings/team`, statusCode: 303 };
  }

  @Get('team')
  @Needs('read')
  team(@Param('teamId') teamId: string, @RequestedPage() request: PageRequest): Promise<PageElement> {
    return this.settings.page(request, teamId, 'team');
  }

  @Post('team')
  @Needs('settings.change')
  changeTeam(
    @Param('teamId') teamId: string,
    @RequestedPage() request: PageRequest,
    @Sent() sent: SentFields,
    @Form() form: ReadonlyMap<string, string>,
  ): Promise<RefusedPage | Done> {
    return this.save(teamId, request, sent, form, 'team');
  }

  @Get('retention')
  @Needs('read')
  retention(@Param('teamId') teamId: string, @RequestedPage() request: PageRequest): Promise<PageElement> {
    return this.settings.page(request, teamId, 'retention');
  }

  @Post('retention')
  @Needs('settings.change')
  changeRetention(
    @Param('teamId') teamId: string,
    @RequestedPage() request: PageRequest,
    @Sent() sent: SentFields,
    @Form() form: ReadonlyMap<string, string>,
  ): Promise<RefusedPage | Done> {
    return this.save(teamId, request, sent, form, 'retention');
  }

  @Get('compliance')
  @Needs('read')
  compliance(@Param('teamId') teamId: string, @RequestedPage() request: PageRequest): Promise<PageElement> {
    return this.settings.page(request, teamId, 'compliance');
  }

  @Get('carriers')
  @Needs('read')
  listCarriers(@Param('teamId') teamId: string, @RequestedPage() request: PageRequest): Promise<PageElement> {
    return this.carriers.page(request, teamId);
  }

  /** A form and no link, because the carrier is asked. */
  @Post('carriers/check')
  @HttpCode(200)
  @Needs('agents.change')
  check(
    @Param('teamId') teamId: string,
    @RequestedPage() request: PageRequest,
    @Form() form: ReadonlyMap<string, string>,
  ): Promise<PageElement> {
    const self = `/t/${teamId}/settings/carriers`;
    return this.carriers.check({ ...request, self }, teamId, form.get('carrier') ?? '');
  }

  private async save(
    teamId: string,
    request: PageRequest,
    sent: SentFields,
    form: ReadonlyMap<string, string>,
    page: 'team' | 'retention',
  ): Promise<RefusedPage | Done> {
    const result = await this.settings.save(request, teamId, sent, page);
    if (result === null || result === 'same')
      return new Done(form, result === null ? 'settingssaved' : 'nothingchanged');
    return result;
  }
}
