import { Injectable } from '@nestjs/common';
import { type CarrierReport, CarrierCheckService } from '../../carriers/carrier-check.service.js';
import { CarrierAccountsService } from '../../carrier-accounts/carrier-accounts.service.js';
import { CarrierRegistry } from '../../carriers/carrier-registry.js';
import { CARRIER_NAMES } from '../../carriers/registry.js';
import { notFound } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { TeamPhoneNumbersService } from '../../phone-numbers/team-phone-numbers.service.js';
import { TeamsService } from '../../teams/teams.service.js';
import { type PageRequest, RefusedPage } from '../frame/form.js';
import { listPage } from '../frame/list-page.js';
import { PageFrame } from '../frame/page-frame.service.js';
import { type SentFields } from '../frame/sent-fields.js';
import { type AboutAccounts, CarrierAccountsPageService } from './carrier-accounts-page.service.js';
import { type TeamCarrier, teamCarriersPage } from './carriers.view.js';

/** A check asks the carrier about each number, so it asks about these at most. */
const MOST_NUMBERS = 100;

/** Which carriers the agents of a team may name, and their checks. */
@Injectable()
export class TeamCarriersPageService {
  constructor(
    private readonly frames: PageFrame,
    private readonly teams: TeamsService,
    private readonly carriers: CarrierRegistry,
    private readonly checks: CarrierCheckService,
    private readonly numbers: TeamPhoneNumbersService,
    private readonly accounts: CarrierAccountsPageService,
    private readonly ownAccounts: CarrierAccountsService,
  ) {}

  async page(request: PageRequest, teamId: string): Promise<PageElement> {
    return this.shown(request, teamId);
  }

  /** Adds an account. @returns the page if the form is refused; null: the account is added. */
  async addAccount(request: PageRequest, teamId: string, sent: SentFields): Promise<RefusedPage | null> {
    const refused = await this.accounts.create(teamId, sent);
    return refused === null ? null : new RefusedPage(await this.shown(request, teamId, { refused }));
  }

  /** Replaces the credentials of an account. @returns the page if they are refused; null: they are replaced. */
  async rotateAccount(
    request: PageRequest,
    teamId: string,
    accountId: string,
    sent: SentFields,
  ): Promise<RefusedPage | null> {
    const refusedRotation = await this.accounts.rotate(teamId, accountId, sent);
    return refusedRotation === null
      ? null
      : new RefusedPage(await this.shown(request, teamId, { refusedRotation }));
  }

  /** Sets the limits of an account. @returns the page if they are refused; null: they are set. */
  async limitAccount(
    request: PageRequest,
    teamId: string,
    accountId: string,
    sent: SentFields,
  ): Promise<RefusedPage | null> {
    const refusedLimits = await this.accounts.limit(teamId, accountId, sent);
    return refusedLimits === null
      ? null
      : new RefusedPage(await this.shown(request, teamId, { refusedLimits }));
  }

  /** Checks one of the team's own accounts, without a call. */
  async checkAccount(request: PageRequest, teamId: string, accountId: string): Promise<PageElement> {
    const checked = await this.accounts.check(teamId, accountId);
    return this.shown(request, teamId, { checked });
  }

  private async shown(
    request: PageRequest,
    teamId: string,
    { report = null, ...about }: AboutAccounts & { report?: CarrierReport | null } = {},
  ): Promise<PageElement> {
    const [carriers, accounts] = await Promise.all([this.list(teamId), this.accounts.section(teamId, about)]);
    return teamCarriersPage(await this.frames.of(request), { carriers, report, accounts });
  }

  /**
   * Checks the deployment's account at a carrier with the numbers and agents of the team, without a call.
   *
   * @throws AppError `NOT_FOUND` for a carrier that the team's agents cannot have.
   */
  async check(request: PageRequest, teamId: string, name: string): Promise<PageElement> {
    const carriers = await this.list(teamId);
    const known = CARRIER_NAMES.find((one) => one === name);
    const usable = carriers.some(
      (one) => one.name === known && one.configured && (one.allowed || one.isDefault),
    );
    if (known === undefined || !usable) throw notFound('Carrier');
    const { items } = await this.numbers.list(teamId, listPage(MOST_NUMBERS, null));
    const outbound = items.filter(({ active, outboundEnabled }) => active && outboundEnabled);
    const report = await this.checks.check(
      known,
      outbound.map(({ phoneNumber }) => phoneNumber),
      false,
      { settings: await this.ownAccounts.settingsAtDeployment(known, teamId) },
    );
    return this.shown(request, teamId, { report });
  }

  private async list(teamId: string): Promise<TeamCarrier[]> {
    const { allowedCarriers } = await this.teams.find(teamId);
    const carriers = CARRIER_NAMES.map((name) => ({
      name,
      configured: this.carriers.get(name) !== undefined,
      isDefault: name === this.carriers.defaultName,
      allowed: allowedCarriers === null || allowedCarriers.includes(name),
    }));
    return carriers.sort((a, b) => Number(b.configured) - Number(a.configured));
  }
}
