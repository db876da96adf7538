import { Get, HttpCode, Param, Post, Redirect } from '@nestjs/common';
import { type PageElement } from '../../http/html-page.js';
import { Done, Form, type PageRequest, RequestedPage, type RefusedPage } from '../frame/form.js';
import { TeamPages } from '../frame/page.decorator.js';
import { Needs } from '../frame/page-need.js';
import { Sent, type SentFields } from '../frame/sent-fields.js';
import { CompliancePageService } from './compliance-page.service.js';
import { CarrierAccountsPageService } from './carrier-accounts-page.service.js';
import { TeamCarriersPageService } from './team-carriers-page.service.js';
import { TeamSettingsPageService } from './team-settings-page.service.js';

@TeamPages('settings')
export class SettingsPagesController {
  constructor(
    private readonly settings: TeamSettingsPageService,
    private readonly carriers: TeamCarriersPageService,
    private readonly compliancePages: CompliancePageService,
    private readonly accounts: CarrierAccountsPageService,
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
    return this.compliancePages.page(request, teamId);
  }

  @Post('compliance')
  @Needs('settings.change')
  async changeCompliance(
    @Param('teamId') teamId: string,
    @RequestedPage() request: PageRequest,
    @Sent() sent: SentFields,
    @Form() form: ReadonlyMap<string, string>,
  ): Promise<RefusedPage | Done> {
    return doneOf(await this.compliancePages.save(request, teamId, sent), form);
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

  @Post('carriers/accounts')
  @Needs('settings.change')
  async addAccount(
    @Param('teamId') teamId: string,
    @RequestedPage() request: PageRequest,
    @Sent() sent: SentFields,
    @Form() form: ReadonlyMap<string, string>,
  ): Promise<RefusedPage | Done> {
    const self = `/t/${teamId}/settings/carriers`;
    const refused = await this.carriers.addAccount({ ...request, self }, teamId, sent);
    return refused ?? new Done(form, 'accountadded');
  }

  @Post('carriers/accounts/:accountId/credentials')
  @Needs('settings.change')
  async rotateAccount(
    @Param('teamId') teamId: string,
    @Param('accountId') accountId: string,
    @RequestedPage() request: PageRequest,
    @Sent() sent: SentFields,
    @Form() form: ReadonlyMap<string, string>,
  ): Promise<RefusedPage | Done> {
    const self = `/t/${teamId}/settings/carriers`;
    const refused = await this.carriers.rotateAccount({ ...request, self }, teamId, accountId, sent);
    return refused ?? new Done(form, 'accountrotated');
  }

  @Post('carriers/accounts/:accountId/limits')
  @Needs('settings.change')
  async limitAccount(
    @Param('teamId') teamId: string,
    @Param('accountId') accountId: string,
    @RequestedPage() request: PageRequest,
    @Sent() sent: SentFields,
    @Form() form: ReadonlyMap<string, string>,
  ): Promise<RefusedPage | Done> {
    const self = `/t/${teamId}/settings/carriers`;
    const refused = await this.carriers.limitAccount({ ...request, self }, teamId, accountId, sent);
    return refused ?? new Done(form, 'accountlimited');
  }

  @Post('carriers/accounts/:accountId/delete')
  @Needs('settings.change')
  async deleteAccount(
    @Param('teamId') teamId: string,
    @Param('accountId') accountId: string,
    @Form() form: ReadonlyMap<string, string>,
  ): Promise<Done> {
    await this.accounts.delete(teamId, accountId);
    return new Done(form, 'accountdeleted');
  }

  @Post('carriers/accounts/:accountId/check')
  @HttpCode(200)
  @Needs('agents.change')
  checkAccount(
    @Param('teamId') teamId: string,
    @Param('accountId') accountId: string,
    @RequestedPage() request: PageRequest,
  ): Promise<PageElement> {
    const self = `/t/${teamId}/settings/carriers`;
    return this.carriers.checkAccount({ ...request, self }, teamId, accountId);
  }

  private async save(
    teamId: string,
    request: PageRequest,
    sent: SentFields,
    form: ReadonlyMap<string, string>,
    page: 'team' | 'retention',
  ): Promise<RefusedPage | Done> {
    return doneOf(await this.settings.save(request, teamId, sent, page), form);
  }
}

/** @param result null: saved; `same`: nothing differs. */
function doneOf(result: RefusedPage | 'same' | null, form: ReadonlyMap<string, string>): RefusedPage | Done {
  if (result === null || result === 'same')
    return new Done(form, result === null ? 'settingssaved' : 'nothingchanged');
  return result;
}
