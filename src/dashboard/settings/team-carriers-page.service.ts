import { Injectable } from '@nestjs/common';
import { CarrierCheckService } from '../../carriers/carrier-check.service.js';
import { CarrierRegistry } from '../../carriers/carrier-registry.js';
import { CARRIER_NAMES } from '../../carriers/registry.js';
import { notFound } from '../../http/app-error.js';
import { type PageElement } from '../../http/html-page.js';
import { TeamPhoneNumbersService } from '../../phone-numbers/team-phone-numbers.service.js';
import { TeamsService } from '../../teams/teams.service.js';
import { type PageRequest } from '../frame/form.js';
import { listPage } from '../frame/list-page.js';
import { PageFrame } from '../frame/page-frame.service.js';
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
  ) {}

  async page(request: PageRequest, teamId: string): Promise<PageElement> {
    return teamCarriersPage(await this.frames.of(request), {
      carriers: await this.list(teamId),
      report: null,
    });
  }

  /**
   * Checks a carrier with the numbers of the team, without a call.
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
    );
    return teamCarriersPage(await this.frames.of(request), { carriers, report });
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
